import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/tasks.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { renderPlan } from '../../src/onboard/render.ts';
import { findTodos } from '../../src/onboard/standing.ts';
import type { Adapter } from '../../src/ops/op.ts';
import type { Signals } from '../../src/ops/signals.ts';
import { readSubjects } from '../../src/recipes/subjects.ts';
import { draftFor } from '../support/drafts.ts';
import { cloneOf, pilotfish } from './command.ts';
import { openCompany } from './company.ts';
import { fillIn, withComments } from './fill-in.ts';
import { expectGood } from './good.ts';
import { write } from './repositories.ts';

const subjects = await readSubjects(await openRegistry({ env: {}, cwd: root }));
const drafting = subjects
  .filter(({ adapter }) => adapter.detect?.draft !== undefined)
  .map(({ kind, name, adapter }) => ({ title: `${kind} ${name}`, adapter, isRecipe: kind === 'recipe' }));
const named = (name: string) => {
  const found = drafting.find(({ adapter }) => adapter.name === name);
  if (!found) throw new Error(`${name} has no draft`);
  return found;
};

describe.each(drafting)('the lines that init has for $title', (own) => {
  const isHost = own.adapter.detect?.hosting !== undefined;
  // Its line asks the preview itself, whose address Vercel makes up: there is nobody. The fixture `railway` has it.
  const isAsking = own.adapter.name === 'inngest';

  it.skipIf(isAsking)('are planned, applied, found as they are, and taken away, once they are filled in', async () => {
    // A host has lines for what a database hands to the build.
    const draft = draftFor(isHost ? [named('neon')] : [own], isHost ? own : named('vercel'));
    const plan = withComments(renderPlan(draft, { schema: null }));
    const company = openCompany(plan);
    await expectGood(company, fillIn(plan, findTodos(plan, 'release.plan.yaml'), company.knowledge));
  });

  it.skipIf(isHost)('come from a repository that uses it', async () => {
    const cwd = await cloneOf('empty');
    await write(cwd, new Map([['.vercel/project.json', '{ "projectId": "shop" }\n'], ...traceOf(own.adapter)]));
    const { stdout, stderr } = await pilotfish(['init', '--json'], { cwd });
    expect(stderr).toBe('');
    const found: readonly { readonly name: string; readonly lines: readonly unknown[] }[] = JSON.parse(stdout).detected.found;
    expect(found.find((one) => one.name === own.adapter.name)?.lines ?? []).not.toEqual([]);
    expect(await readFile(join(cwd, 'release.plan.yaml'), 'utf8')).toContain(
      own.isRecipe ? `recipe: ${own.adapter.name}.` : `adapter: ${own.adapter.name}\n`,
    );
  });
});

/** Files by which the provider is recognised: a package and a variable of those that prove it, or that hint at it. */
function traceOf({ detect }: Adapter): readonly (readonly [path: string, text: string])[] {
  const all = [detect?.uses ?? {}, detect?.may ?? {}];
  const first = (of: (signals: Signals) => readonly string[] | undefined): string | undefined => {
    const asked = all.flatMap((signals) => of(signals) ?? []);
    return asked.find((one) => !one.includes('*')) ?? asked[0]?.replace('*', 'node');
  };
  const [name, variable] = [first(({ packages }) => packages?.npm), first(({ variables }) => variables)?.toUpperCase()];
  return [
    ['package.json', JSON.stringify({ name: 'shop', dependencies: { next: '15.0.0', ...(name !== undefined && { [name]: '^1.0.0' }) } })],
    ...(variable === undefined ? [] : [['.env.example', `${variable}=\n`] as const]),
  ];
}
