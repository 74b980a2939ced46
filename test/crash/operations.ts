import { parse } from 'yaml';
import { parseArgv } from '../../src/cli/parse.ts';
import { toRequest } from '../../src/cli/request.ts';
import type { ApplyDoc } from '../../src/engine/document.ts';
import type { Process } from './process.ts';
import type { Scene, Site } from './scene.ts';
import type { Command, World } from './world.ts';

/** Something that is done to a plan, which is cut, and what a person does when it was. */
export interface Operation {
  readonly name: string;
  /** Why it means nothing for a plan, `null` when it does. */
  readonly unless: (site: Site, kind: Scene['kind']) => string | null;
  /** What went before, undisturbed. */
  readonly before: (world: World) => Promise<void>;
  /** The run that is cut. */
  readonly command: (site: Site) => Command;
  /** What comes after it, whether it was cut or not. */
  readonly after: (world: World) => Promise<ApplyDoc>;
  /** What then stands: what the plan says, or nothing that it made. */
  readonly leaves: 'state' | 'nothing';
  /** It is well done also when everything is as it was before: a cut that came first leaves the old object, and nobody misses the new one. */
  readonly mayLeaveAsBefore?: boolean;
}

/** Families where what others change holds the object, so that leaving it ends badly without a cut, too. */
export const heldByDrift: { readonly [family: string]: string } = {
  'neon.branch': 'a branch that somebody protects cannot be deleted',
  'planetscale.branch': 'a branch that somebody protects cannot be deleted',
  'supabase.branch': 'a branch that somebody makes persistent cannot be deleted',
  'cloudflare.dns_cname': 'a record that somebody proxies has no ttl of its own',
};

const emptyPlan = JSON.stringify({ version: 1, changes: [] });
const always = (): null => null;
const apply = (): Command => ({});
const destroy = (): Command => ({ destroy: true });
const prune = (): Command => ({ prune: true });

const needs =
  (what: (site: Site) => unknown, otherwise: string): Operation['unless'] =>
  (site) =>
    what(site) === undefined ? otherwise : null;
const updated = needs(({ plans }) => plans.updated, 'no field of it is changed in place');
const replaced = needs(({ plans }) => plans.replaced, 'no field of it makes a new object');
const moved = needs(({ plans }) => plans.moved, 'no plan of it loses, renames and moves lines');
const drifts = needs(({ drift }) => drift, 'nothing of it can drift');
const removes = needs(({ remove }) => remove, 'nobody can remove it');
const recreated = needs(({ recreate }) => recreate, 'nothing of it can be made anew');

const applied = async (world: World): Promise<void> => {
  await done(world, {});
};

/** Runs a command to its end, and fails when it does not succeed. */
async function done(world: World, command: Command): Promise<ApplyDoc> {
  const doc = await repaired(world, command);
  if (!doc.ok || doc.status !== 'complete') throw new Error(`a run that nobody cut ended ${told(doc)}`);
  return doc;
}

/** How a run ended, in a line. */
export const told = (doc: ApplyDoc): string =>
  [
    doc.status,
    ...doc.lines.map(({ id, verdict, state, error }) => `${id} ${verdict} ${state} ${error?.code ?? ''}`.trim()),
    doc.error?.detail,
  ]
    .filter(Boolean)
    .join('; ');

/** A command, and the one that its errors name when a value died with the process that was shown it. */
async function repaired(world: World, command: Command): Promise<ApplyDoc> {
  const doc = await running(world, command);
  const lost = [doc.error, ...doc.lines.map(({ error }) => error)].find((error) => error?.code === 'OUTPUT_UNAVAILABLE');
  if (!lost) return doc;
  return await running(world, { ...command, ...commandOf(lost.fix ?? '') });
}

async function running(world: World, command: Command, process?: Process): Promise<ApplyDoc> {
  const doc = await world.run(command, process);
  if (doc === null) throw new Error('a process that nobody cut died');
  return doc;
}

/** The command that a fix names, as the command line reads it. */
function commandOf(fix: string): Command {
  const [, typed] = /`pilotfish ([^`]+)`/.exec(fix) ?? [];
  const asked = parseArgv(typed?.split(' ') ?? []);
  if (asked.kind !== 'run' || asked.command !== 'apply') throw new Error(`the fix names no apply: ${fix}`);
  const { recreate, destroy: isDestroy, scope } = toRequest(asked.flags, { cwd: '.', env: {} });
  if (recreate.length === 0 || isDestroy || scope !== 'pr-12') throw new Error(`the fix does not make anything anew in this scope: ${fix}`);
  return { recreate };
}

/** `before` and then the plan `which`, not yet applied. */
const appliedThen =
  (which: 'updated' | 'replaced' | 'moved') =>
  async (world: World): Promise<void> => {
    await applied(world);
    await world.write(world.site.plans[which] ?? '');
  };

/** The plan, with what others change told and left. */
const reporting = (plan: string): string => JSON.stringify({ drift: 'report', ...parse(plan) });

/** The first plan of a line that leaves drift, applied; then somebody changes or removes what stands, and `which` is the plan. */
const left =
  (which: 'first' | 'updated', act: 'drift' | 'remove') =>
  async (world: World): Promise<void> => {
    const { site } = world;
    await world.write(reporting(site.plans.first));
    await applied(world);
    site[act]?.();
    await world.write(reporting(site.plans[which] ?? ''));
  };

const state = {
  unless: always,
  before: async () => undefined,
  command: apply,
  after: (world: World) => repaired(world, {}),
  leaves: 'state',
} as const;
const gone = { ...state, after: (world: World) => running(world, { destroy: true }), leaves: 'nothing' } as const;
/** The first plan is the wish again, whatever became of the one that was cut. */
const backToFirst = async (world: World): Promise<ApplyDoc> => {
  await world.write(world.site.plans.first);
  return await repaired(world, {});
};
const pruned = (world: World): Promise<ApplyDoc> => repaired(world, { prune: true });
/** No line is left. */
const emptied = async (world: World): Promise<ApplyDoc> => {
  await world.write(emptyPlan);
  return await pruned(world);
};
const withoutPlan = async (world: World): Promise<ApplyDoc> => {
  await world.write('changes: [');
  return await running(world, { destroy: true });
};

export const operations: readonly Operation[] = [
  { ...state, name: 'apply' },
  { ...state, name: 'unchanged', before: applied },
  { ...state, name: 'update', unless: updated, before: appliedThen('updated') },
  {
    ...state,
    name: 'update-and-back',
    unless: updated,
    before: appliedThen('updated'),
    after: backToFirst,
  },
  {
    ...state,
    name: 'drift',
    unless: drifts,
    before: async (world) => {
      await applied(world);
      world.site.drift?.();
    },
  },
  { ...state, name: 'drift-left', unless: drifts, before: left('first', 'drift') },
  {
    ...state,
    name: 'drift-left-and-updated',
    unless: (site, kind) => drifts(site, kind) ?? updated(site, kind),
    before: left('updated', 'drift'),
  },
  { ...gone, name: 'drift-left-and-destroy', unless: drifts, before: left('first', 'drift'), command: destroy },
  {
    ...state,
    name: 'missing-left',
    unless: removes,
    before: left('first', 'remove'),
  },
  {
    ...state,
    name: 'missing',
    unless: removes,
    before: async (world) => {
      await applied(world);
      world.site.remove?.();
    },
  },
  {
    ...state,
    name: 'missing-and-back',
    unless: ({ plans, remove }) => (plans.updated && remove ? null : 'nobody can remove it, or nothing of it is changed in place'),
    before: async (world) => {
      await appliedThen('updated')(world);
      world.site.remove?.();
    },
    after: backToFirst,
  },
  { ...state, name: 'replace', unless: replaced, before: appliedThen('replaced') },
  { ...state, name: 'replace-and-back', mayLeaveAsBefore: true, unless: replaced, before: appliedThen('replaced'), after: backToFirst },
  {
    ...state,
    name: 'recreate',
    mayLeaveAsBefore: true,
    unless: recreated,
    before: applied,
    command: ({ recreate = [] }) => ({ recreate }),
  },
  {
    ...state,
    name: 'destroy-and-apply',
    unless: (_site, kind) => (kind === 'kept' ? 'what destroy leaves is foreign to the next apply' : null),
    before: applied,
    command: destroy,
  },
  { ...gone, name: 'destroy', before: applied, command: destroy },
  {
    ...gone,
    name: 'destroy-without-plan',
    before: async (world) => {
      await applied(world);
      await world.write('changes: [');
    },
    command: destroy,
  },
  { ...gone, name: 'apply-and-destroy', after: withoutPlan },
  {
    ...gone,
    name: 'apply-and-leave',
    after: async (world) => {
      await world.write(emptyPlan);
      await done(world, {});
      return await running(world, { destroy: true });
    },
  },
  {
    ...gone,
    name: 'prune',
    before: async (world) => {
      await applied(world);
      await world.write(emptyPlan);
    },
    command: prune,
    after: pruned,
  },
  { ...gone, name: 'apply-and-prune', after: emptied },
  { ...state, name: 'move-and-prune', unless: moved, before: appliedThen('moved'), command: prune, after: pruned },
  { ...state, name: 'move-and-later-prune', unless: moved, before: appliedThen('moved'), after: pruned },
  {
    ...state,
    name: 'move-prune-and-back',
    mayLeaveAsBefore: true,
    unless: moved,
    before: appliedThen('moved'),
    command: prune,
    after: async (world) => {
      await world.write(world.site.plans.first);
      return await pruned(world);
    },
  },
  { ...gone, name: 'move-prune-and-destroy', unless: moved, before: appliedThen('moved'), command: prune, after: withoutPlan },
  { ...gone, name: 'replace-and-destroy', unless: replaced, before: appliedThen('replaced'), after: withoutPlan },
  { ...gone, name: 'recreate-and-destroy', unless: recreated, before: applied, command: ({ recreate = [] }) => ({ recreate }) },
];
