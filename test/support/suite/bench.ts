import { type Simulation, type SimulationOptions, verifyHandled } from 'pilotfish-sandbox/kit/index';
import type { LogEntry } from 'pilotfish-sandbox/kit/types';
import { expect } from 'vitest';
import type { ApplyDoc, ApplyLineDoc, PlanDoc, PlanLineDoc, RunEvent } from '../../../src/engine/document.ts';
import { openRegistry } from '../../../src/engine/prepare/registry.ts';
import type { RunRequest } from '../../../src/engine/types.ts';
import type { LedgerState } from '../../../src/ledger/model/facts.ts';
import { expectContracts } from '../../contracts/expect.ts';
import { LeapingClock } from '../leaping-clock.ts';
import { openStage, type Stage } from '../stage.ts';
import type { Subject, Tier } from './subject.ts';

/** One line at one simulated provider, with a ledger of its own. */
export interface Bench {
  /** `<family>.<op>` or `<adapter>.<op>`. */
  readonly op: string;
  readonly isRecipe: boolean;
  readonly subject: Subject;
  readonly simulation: Simulation;
  readonly stage: Stage;
  readonly events: readonly RunEvent[];
  plan(change?: Partial<RunRequest>): Promise<PlanDoc>;
  apply(change?: Partial<RunRequest>): Promise<ApplyDoc>;
  destroy(change?: Partial<RunRequest>): Promise<ApplyDoc>;
  /** An apply that is told to stop as soon as it waits for something. */
  interrupted(): Promise<ApplyDoc>;
  /** Applies, and fails the test unless the line ended as it should. */
  applied(change?: Partial<RunRequest>): Promise<ApplyLineDoc>;
  planned(change?: Partial<RunRequest>): Promise<PlanLineDoc>;
  /** Replaces the plan's line with one of these params beside its own. */
  change(params: Readonly<Record<string, unknown>>): Promise<void>;
  /** The environment of a run with another credential. */
  as(tier: Tier): Partial<RunRequest>;
  /** What was asked while `work` went on; requests of writes, refused ones included, are marked. */
  during(work: () => Promise<unknown>): Promise<readonly LogEntry[]>;
  ledger(): Promise<LedgerState>;
  /** What the recipe or adapter says of the limit, of the rights of the credential, and of outputs that anybody may see. */
  told(): Promise<{
    readonly limit: string;
    /** Whether the limit and the count are read before a create. */
    readonly isCounted: boolean;
    readonly needs: string;
    readonly outputs: readonly string[];
    readonly sensitive: readonly string[];
  }>;
  /** The only object of the line. */
  one(): unknown;
  /** The time of the run's clock. */
  now(): number;
  pass(ms: number): Promise<void>;
  /** Tells who listens on the wire which part of its story a case is in. */
  enter(step: string): void;
  /** What others have is equal where this form of it is. */
  compare(alike: (others: unknown) => unknown): void;
  step(): string;
}

export interface BenchOptions<W> {
  /** `<family>.<op>` or `<adapter>.<op>`. */
  readonly op: string;
  readonly isRecipe: boolean;
  readonly simulate: (options: SimulationOptions) => Simulation<W>;
  readonly subject: (simulation: Simulation<W>) => Subject;
}

export const lineId = 'line';

/** Runs `test` in a fresh world; what others have there must be as before when it ends. */
export async function withBench<W>(options: BenchOptions<W>, test: (bench: Bench) => Promise<void>): Promise<void> {
  // The pauses of the retry table are part of what is tested, and none of them is slept through.
  const clock = new LeapingClock();
  const simulation = options.simulate({ clock });
  const subject = options.subject(simulation);
  const before = structuredClone(subject.others());
  const stage = await openStage({
    simulations: [simulation],
    clock,
    env: {
      PILOTFISH_REQUEST_DEADLINE_MS: '3000',
      PILOTFISH_LEASE_MS: '120000',
      ...subject.env,
      ...credentialOf(subject, simulation, 'full'),
    },
    plan: planOf(options, subject.params, subject),
  });
  const events: RunEvent[] = [];
  const run = (change: Partial<RunRequest> = {}): Partial<RunRequest> => ({
    leaseTimeoutMs: 200_000,
    waitTimeoutMs: 200_000,
    ...subject.run,
    ...change,
  });
  let step = '';
  let alike = (others: unknown): unknown => others;
  const bench: Bench = {
    op: options.op,
    isRecipe: options.isRecipe,
    subject,
    simulation,
    stage,
    events,
    plan: (change) => stage.plan(run(change), events),
    apply: (change) => stage.apply(run(change), events),
    destroy: (change) => stage.destroy(run(change)),
    interrupted: async () => {
      const stop = new AbortController();
      const hear = (event: RunEvent): void => {
        events.push(event);
        if (event.type === 'wait') stop.abort();
      };
      const doc = await stage.apply(run(), { push: hear }, stop.signal);
      expect(stop.signal.aborted, 'it waited for something').toBe(true);
      return doc;
    },
    applied: async (change) => {
      const doc = await bench.apply(change);
      expect(doc, 'the apply').toMatchObject({ ok: true, status: 'complete', lines: [{ id: lineId, state: 'settled' }] });
      return only(doc.lines);
    },
    planned: async (change) => only((await bench.plan(change)).lines),
    change: (params) => stage.write(planOf(options, { ...subject.params, ...params }, subject)),
    as: (tier) => ({ env: credentialOf(subject, simulation, tier) }),
    during: async (work) => {
      const watched = stage.watch();
      await work();
      return watched.all();
    },
    ledger: () => stage.ledger(),
    told: () => toldOf(options),
    one: () => {
      const mine = subject.mine();
      expect(mine, 'objects of the line').toHaveLength(1);
      return only(mine);
    },
    now: () => clock.now(),
    pass: (ms) => clock.sleep(ms),
    enter: (next) => {
      step = next;
    },
    step: () => step,
    compare: (form) => {
      alike = form;
    },
  };
  try {
    await test(bench);
    expect(alike(subject.others()), 'what others have').toEqual(alike(before));
    verifyHandled([simulation]);
    expectContracts([simulation]);
  } finally {
    await stage.close();
  }
}

async function toldOf({ op, isRecipe }: Pick<BenchOptions<unknown>, 'op' | 'isRecipe'>) {
  const registry = await openRegistry({ env: {}, cwd: process.cwd() });
  const [name = '', opName = ''] = op.split('.');
  const owner = await (isRecipe ? registry.family(name) : registry.adapter(name));
  const known = owner?.ops[opName];
  // Some outputs of an adapter are only there for some accounts and plans.
  const all = Object.entries((isRecipe && known?.outputs) || {});
  const outputs = all.filter(([, { sensitive, once }]) => !sensitive && !once);
  const sensitive = all.filter(([, output]) => output.sensitive).map(([output]) => output);
  const { limit = '', figures } = known?.quota ?? {};
  const needs = owner?.setup?.needs ?? '';
  return { limit, isCounted: figures !== undefined, needs, outputs: outputs.map(([output]) => output), sensitive };
}

function only<T>(list: readonly T[]): T {
  const [one] = list;
  if (one === undefined || list.length !== 1) throw new Error(`expected one, got ${list.length}`);
  return one;
}

/** A plan of one line. JSON is YAML. */
export function planOf(
  { op, isRecipe }: Pick<BenchOptions<unknown>, 'op' | 'isRecipe'>,
  params: Readonly<Record<string, unknown>>,
  { line = {}, apis }: Pick<Subject, 'line' | 'apis'> = {},
): string {
  const [adapter, name] = op.split('.');
  const what = isRecipe ? { recipe: op } : { adapter, op: name };
  const providers = apis ? { providers: { http: apis } } : {};
  return JSON.stringify({ version: 1, ...providers, changes: [{ id: lineId, ...what, ...line, ...params }] });
}

/** The variables of a credential; a wrong one is a right one with a letter more. */
export function credentialOf({ credential }: Subject, { tokens }: Simulation, tier: Tier): Readonly<Record<string, string>> {
  const known = tier === 'wrong' ? 'full' : tier;
  const variables = typeof credential === 'string' ? { [credential]: tokens[known] } : credential(known);
  if (tier !== 'wrong') return variables;
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value === tokens.full ? `${value}x` : value]));
}
