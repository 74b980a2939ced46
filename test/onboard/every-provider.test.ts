import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/tasks.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { findTodos } from '../../src/onboard/standing.ts';
import type { Detect } from '../../src/ops/detect.ts';
import { readSubjects } from '../../src/recipes/subjects.ts';
import { cloneOf, pilotfish } from './command.ts';
import { openCompany } from './company.ts';
import { fillIn, withComments } from './fill-in.ts';
import { expectGood } from './good.ts';
import { write } from './repositories.ts';

const subjects = await readSubjects(await openRegistry({ env: {}, cwd: root }));
const drafting = subjects.flatMap(({ adapter: { name, detect } }) => (detect?.draft ? [[name, detect] as const] : []));
const providers = new Map(drafting);
// Its line asks the preview itself, whose address Vercel makes up: there is nobody. The fixture `railway` has it.
providers.delete('inngest');

describe.each([...providers])('a repository on Vercel that tells of %s', (name, detect) => {
  it('gets lines that are planned, applied, found as they are, and taken away, once they are filled in', async () => {
    const cwd = await cloneOf('empty');
    await write(cwd, new Map([['.vercel/project.json', '{ "projectId": "shop" }\n'], traceOf(detect)]));
    // A host has lines for what a database hands to the build.
    if (detect.hosting) await write(cwd, new Map([['.neon', '{ "projectId": "quiet-river-12345678" }\n']]));
    const { stdout, stderr } = await pilotfish(['init', '--json'], { cwd });
    expect(stderr).toBe('');
    const found: readonly { readonly name: string; readonly lines: readonly unknown[] }[] = JSON.parse(stdout).detected.found;
    expect(found.find((one) => one.name === name)).toBeDefined();
    const plan = withComments(await readFile(join(cwd, 'release.plan.yaml'), 'utf8'));
    const company = openCompany(plan);
    await expectGood(company, fillIn(plan, findTodos(plan, 'release.plan.yaml'), company.knowledge));
  });
});

/** A file by which the provider is recognised. */
function traceOf({ uses = {} }: Detect): readonly [path: string, text: string] {
  const [variable, dependency, held] = [uses.variables?.[0], uses.packages?.npm?.[0], uses.holds?.[0]];
  if (variable !== undefined) return ['.env.example', `${variable.replace('*', 'KEY')}=\n`];
  if (dependency !== undefined) {
    return ['package.json', JSON.stringify({ name: 'shop', dependencies: { [dependency.replace('*', 'sdk')]: '^1.0.0' } })];
  }
  if (held) {
    const keys = held.at.slice(1).split('/');
    return [held.file, JSON.stringify(keys.reduceRight<unknown>((within, key) => ({ [key]: within }), {}))];
  }
  return [uses.files?.[0] ?? '', ''];
}
