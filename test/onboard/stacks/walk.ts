import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ledgerKey } from '../../support/ledger-key.ts';
import { pilotfish, type Told } from '../command.ts';
import { type Company, openCompany } from '../company.ts';
import { follow, freshClone, type Step } from '../follow.ts';
import { filesOf, readFileSet } from '../repositories.ts';
import type { Stack } from './stacks.ts';

/** The state of each provider, by its name. */
export type Dumps = ReadonlyMap<string, unknown>;

/** What a person ran and did from a fresh clone until nothing is left of the preview. */
export interface Walk {
  readonly steps: readonly Step[];
  readonly inits: number;
  readonly edits: number;
  /** The plan that was applied. */
  readonly plan: string;
  readonly applied: Told;
  readonly again: Told;
  /** Requests of the second apply that change something. */
  readonly rewritten: number;
  readonly destroyed: Told;
  readonly dumps: { readonly before: Dumps; readonly during: Dumps; readonly after: Dumps };
}

/** The commit that the code host names to CI, and its branch. */
const commit = ['--sha', '1'.repeat(40), '--branch', 'feature'];

export async function walk(stack: Stack): Promise<Walk> {
  const { cwd, env } = await freshClone(stack.name, await filesOfStack(stack));
  const steps: Step[] = [];
  let company: Company | undefined;
  const open = (plan: string): Company => {
    company ??= openCompany(plan, onTestFinished, 1);
    return company;
  };
  const end = await follow(cwd, env, open, { wants: stack.wants ?? [], tell: (step) => steps.push(step) });
  if (!company) throw new Error('nobody has an account');
  const { simulations, world, writes, signedIn } = company;
  const dumps = (): Dumps => new Map(simulations.map((simulation) => [simulation.name, simulation.dump()]));
  // The server of a team that runs one itself: its shells have the address.
  const servers = Object.fromEntries(Object.entries(company.credentials).filter(([name]) => name.endsWith('_URL')));
  const place = { cwd, env: { ...servers, ...end.env, ...ledgerKey, PATH: await signedIn(), PILOTFISH_RECEIPTS: 'local' }, world };
  const run = async (...argv: readonly string[]): Promise<Told> => {
    const told = await pilotfish(argv, place);
    steps.push({ ran: argv.filter((word) => !commit.includes(word)).join(' '), said: `${told.stdout}${told.stderr}` });
    return told;
  };
  const before = dumps();
  const [command = '', ...where] = end.command;
  const planned = await run(command, ...where, ...commit);
  expect(planned.code, planned.stdout + planned.stderr).toBe(0);
  expect(writes()).toEqual([]);
  const applied = await run('apply', ...where, ...commit);
  const [during, written] = [dumps(), writes().length];
  const again = await run('apply', ...where, ...commit);
  const rewritten = writes().length - written;
  const destroyed = await run('apply', '--destroy', ...where, ...commit);
  return {
    steps,
    inits: end.rounds,
    edits: end.edits,
    plan: await readFile(join(cwd, 'release.plan.yaml'), 'utf8'),
    applied,
    again,
    rewritten,
    destroyed,
    dumps: { before, during, after: dumps() },
  };
}

async function filesOfStack({ name, fixture }: Stack): Promise<ReadonlyMap<string, string>> {
  if (fixture !== undefined) return await filesOf(fixture);
  const path = join(import.meta.dirname, 'files', `${name}.txt`);
  return readFileSet(await readFile(path, 'utf8'), path);
}
