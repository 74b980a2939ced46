import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isMap, type Json } from '../../../src/core/json.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { pilotfish } from '../command.ts';
import { faultsOfPlan } from '../detect/runnable.ts';
import { claimsOf, type NextStep, readDocument, type Told } from '../detect/told.ts';
import { withComments } from '../fill-in.ts';
import { layOut, write } from '../repositories.ts';

/** A small set of files: path → text. What is no text is written as JSON. */
export interface Files {
  readonly [path: string]: string | object;
}

export interface PlanLine {
  readonly id: string;
  /** `neon.branch`: the operation, whatever it is called in the plan. */
  readonly op: string;
  readonly params: { readonly [param: string]: Json };
}

/** What init said about a set of files, and what it wrote. */
export interface Said {
  readonly cwd: string;
  readonly told: Told;
  readonly next: NextStep;
  /** The whole document, as text. */
  readonly json: string;
  /** The names of the services that it claims, hosts among them. */
  readonly services: readonly string[];
  /** The host of each deployable, by folder. */
  readonly hosts: { readonly [folder: string]: string | null };
  readonly plan: string;
  readonly live: readonly PlanLine[];
  readonly comments: readonly PlanLine[];
  /** The report that a person reads. */
  readonly text: () => Promise<string>;
}

export async function initIn(files: Files): Promise<Said> {
  const said = await initAgain(await layIn(files));
  return { ...said, text: async () => (await runIn(await layIn(files), [])).stdout };
}

/** A clone of `https://github.com/acme/shop` with these files. */
export async function layIn(files: Files): Promise<string> {
  const cwd = await tempFolder('kinds');
  await layOut('empty', cwd);
  const texts = Object.entries(files).map(([path, text]) => [path, typeof text === 'string' ? text : JSON.stringify(text)] as const);
  await write(cwd, new Map(texts));
  return cwd;
}

/** Runs init in a folder that may have a plan. */
export async function initAgain(cwd: string, flags: readonly string[] = []): Promise<Said> {
  const { stdout } = await runIn(cwd, ['--json', ...flags]);
  const inside = stdout.replaceAll(`${cwd}/`, '');
  const { detected: told, next } = readDocument(inside);
  const plan = await planIn(cwd);
  const all = linesOf(withComments(plan));
  const live = linesOf(plan);
  return {
    cwd,
    told,
    next,
    json: inside,
    services: [...new Set(claimsOf(told).map(({ name }) => name))],
    hosts: Object.fromEntries(told.deployables.map(({ folder, host }) => [folder, host])),
    plan,
    live,
    comments: all.filter(({ id }) => !live.some((line) => line.id === id)),
    text: async () => (await runIn(cwd, [])).stdout,
  };
}

async function runIn(cwd: string, flags: readonly string[]) {
  const told = await pilotfish(['init', ...flags], { cwd });
  if (told.code !== 0) throw new Error(`init ended with ${told.code}: ${told.stderr}${told.stdout}`);
  return told;
}

const planIn = async (cwd: string): Promise<string> => await readFile(join(cwd, 'release.plan.yaml'), 'utf8').catch(() => '');

function linesOf(plan: string): readonly PlanLine[] {
  const read: Json = parse(plan);
  const lines = isMap(read) && Array.isArray(read.changes) ? read.changes : [];
  return lines.flatMap((line) => {
    if (!isMap(line)) return [];
    const { id, adapter, op, recipe, ...params } = line as { readonly [name: string]: Json };
    return [{ id: String(id), op: typeof recipe === 'string' ? recipe : `${adapter}.${op}`, params }];
  });
}

/** The line's output that a name gets, by name, in one deployable or in all. Lines that are comments hand values over as well. */
export function wiredIn(said: Said, folder?: string): { readonly [variable: string]: string } {
  const { wired } = said.told;
  const inFolder = folder === undefined ? wired : wired.filter(({ deployable }) => deployable === folder);
  return Object.fromEntries(inFolder.map(({ variable, from }) => [variable, from]));
}

/** The name of the service whose line gives the value. */
export function giverOf(said: Said, variable: string): string | undefined {
  const from = wiredIn(said)[variable];
  return said.told.found.find(({ lines }) => lines.some(({ id }) => id === from?.split('.', 1)[0]))?.name;
}

/** Every text in a value: `{ from: database.uri }` gives `database.uri`. */
export function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isMap(value) ? Object.values(value as { readonly [name: string]: Json }).flatMap(textsIn) : [];
}

/** References of live lines to lines that are no live lines. */
export function danglingIn({ live }: Said): readonly string[] {
  const ids = new Set(live.map(({ id }) => id));
  const referred = (value: Json): readonly string[] => {
    if (Array.isArray(value)) return value.flatMap(referred);
    if (!isMap(value))
      return typeof value === 'string'
        ? [...value.matchAll(/\$\{([\w-]+)\.[\w-]+\}/g)].flatMap(([, id]) => (id && id !== 'ctx' ? [id] : []))
        : [];
    const map = value as { readonly [name: string]: Json };
    if (typeof map.from === 'string') return [map.from.split('.', 1)[0] ?? ''];
    return Object.values(map).flatMap(referred);
  };
  return live.flatMap(({ id, params }) =>
    referred(params)
      .filter((one) => !ids.has(one) && one !== 'ctx')
      .map((one) => `${id} → ${one}`),
  );
}

/** Why the plan does not run as it stands, or with its comments as lines, once somebody filled it in. */
export const runsIn = async ({ plan }: Said): Promise<readonly string[]> => await faultsOfPlan(plan);

export const replaceIn = async (cwd: string, change: (plan: string) => string): Promise<void> => {
  await writeFile(join(cwd, 'release.plan.yaml'), change(await planIn(cwd)));
};

/** A manifest of npm for an application. */
export const app = (dependencies: readonly string[], more: object = {}): object => ({
  name: 'shop',
  private: true,
  scripts: { build: 'next build' },
  dependencies: Object.fromEntries(dependencies.map((name) => [name, '^1.0.0'])),
  ...more,
});
