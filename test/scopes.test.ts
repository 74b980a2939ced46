import { describe, expect, it } from 'vitest';
import { root } from '../scripts/tasks.ts';
import { openRegistry } from '../src/engine/prepare/registry.ts';
import { examplePlan } from '../src/recipes/example-plan.ts';
import { readSubjects } from '../src/recipes/subjects.ts';
import { problemsOfPlan } from './guide/check-plan.ts';
import { withElsewhere } from './support/elsewhere.ts';
import { tempFolder } from './support/temp-folder.ts';

/** One line of every operation, as its page shows it: a pull request copies the line, and the next one copies it too. */
const subjects = await readSubjects(await openRegistry({ env: {}, cwd: root }));
const operations = subjects.flatMap((subject) =>
  subject.ops.map((one) => ({ title: `${subject.name}.${one.name}`, op: one.op, text: examplePlan(subject, one) })),
);

/** The same line with the values of one pull request written out. */
const writtenOut = (text: string): string =>
  text
    .replaceAll('${ctx.scope}', 'pr-7')
    .replaceAll('${ctx.pr.number}', '7')
    .replaceAll('${ctx.git.branch}', 'feature')
    .replaceAll('${ctx.git.sha}', '7'.repeat(40));

/** Params of the line that a scope decides, as the example says. */
const scopedParams = (text: string): readonly string[] =>
  [...text.matchAll(/^ {4}(\w+):((?:.*\n(?: {5,}.*\n)*))/gm)].flatMap(([, name = '', value = '']) =>
    /\$\{ctx\.|from:/.test(value) ? [name] : [],
  );

describe.each(operations)('$title', ({ op, text }) => {
  const ownsObject = op.kind === 'object' || op.kind === 'item';

  it('has an example that every pull request can copy', async () => {
    expect(await problemsOfPlan(text, await tempFolder('scopes'))).toEqual([]);
  });

  it('is told where its object is the same in every scope, by the param that names it', async () => {
    const problems = await problemsOfPlan(withElsewhere(writtenOut(text), { isShared: true }), await tempFolder('scopes'));
    if (!ownsObject) return expect(problems).toEqual([]);
    expect(problems).toEqual([
      expect.stringMatching(/^\S+: .+ not depend on the scope \(release\.plan\.yaml:\d+:\d+\), so every pull request/),
    ]);
    const named = problems[0]?.replace(/^\S+: (.+?) do(?:es)? not depend.*$/s, '$1').split(' and ') ?? [];
    expect(
      named.filter((name) => scopedParams(text).includes(name.split('.')[0] ?? '')),
      problems[0],
    ).not.toEqual([]);
  });
});
