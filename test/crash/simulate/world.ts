import '../../support/own-facts.ts';
import { setImmediate } from 'node:timers';
import { type ErrorData, Failures, toErrorData } from '../../../src/core/errors.ts';
import type { ApplyDoc, PlanDoc } from '../../../src/engine/document.ts';
import { type RunRequest, runApply, runPlan } from '../../../src/engine/run.ts';
import { GitHost } from './git-host.ts';
import { Network } from './network.ts';
import { boxes, type LineSpec, nameOf, planText } from './plans.ts';
import { Process } from './process.ts';
import { Provider, person } from './provider.ts';
import { Random } from './random.ts';
import type { Fate, Scenario } from './scenario.ts';
import { Timeline } from './timeline.ts';
import { virtualFiles, virtualFolder } from './virtual-files.ts';
import { branchOf, Watch } from './watch.ts';

/** What became of one run of the program. */
export interface Outcome {
  readonly process: Process;
  readonly doc: ApplyDoc | PlanDoc | null;
  /** What it refused before its first request, or ended with. */
  readonly errors: readonly ErrorData[];
}

export interface Launch {
  readonly name: string;
  readonly scope: string;
  readonly lines: readonly LineSpec[];
  readonly request: Partial<RunRequest>;
  readonly command: 'apply' | 'plan';
  readonly fate: Fate | null;
  readonly skew: number;
}

/** A run as it began. */
interface Launched extends Launch {
  /** Edits by hand before it. */
  readonly edits: number;
  /** The run that had the lease of its scope last. */
  readonly holder: string | undefined;
}

export interface Counts {
  faults: { [kind: string]: number };
  kills: number;
  signals: number;
  suspensions: number;
  runs: number;
  claimed: number;
  replaced: number;
  requests: number;
  pushes: number;
  edits: number;
  together: number;
}

export const noCounts = (): Counts => ({
  faults: {},
  kills: 0,
  signals: 0,
  suspensions: 0,
  runs: 0,
  claimed: 0,
  replaced: 0,
  requests: 0,
  pushes: 0,
  edits: 0,
  together: 0,
});

/** One seed's world: a provider, a git host, a network, and processes that come and go. */
export class World {
  readonly time = new Timeline();
  readonly random: Random;
  readonly provider: Provider;
  readonly network: Network;
  readonly host: GitHost;
  readonly watch: Watch;
  readonly counts: Counts;
  readonly outcomes: Outcome[] = [];
  /** What happened, a line each: shown for a seed that fails. */
  readonly log: string[] = [];
  /** Processes that have neither ended nor died. */
  readonly running = new Map<Process, Launched>();
  /** Method and path of every write, in order. */
  readonly sentWrites: string[] = [];
  readonly #sent = new Map<Process, number>();
  readonly #onEffect = new Map<Process, (count: number) => void>();

  constructor(scenario: Scenario) {
    this.random = new Random(scenario.seed ^ 0x5bd1e995);
    this.counts = noCounts();
    const { time } = this;
    this.provider = new Provider(scenario.collections, this.random.fork(), () => time.now, scenario.boxesShout);
    for (const box of boxes) this.#stock(box);
    this.watch = new Watch({
      provider: this.provider,
      host: () => this.host,
      network: () => this.network,
      isRunning: (process) => this.running.has(process),
    });
    this.network = new Network({
      time,
      random: this.random.fork(),
      provider: this.provider,
      deadlineMs: 30_000,
      onSend: (flight, isWrite) => {
        this.counts.requests += 1;
        this.note(`${flight.process.name} sends ${flight.method} ${flight.path}`);
        if (isWrite) {
          this.sentWrites.push(`${flight.method} ${flight.path}`);
          this.watch.onWrite(flight);
        }
        this.#effect(flight.process);
      },
      onChange: (flight, status) => {
        this.watch.touched();
        this.note(`${flight.method} ${flight.path} of ${flight.process.name} lands: ${status}`);
      },
      onFault: (kind) => this.#fault(kind),
    });
    this.host = new GitHost({
      time,
      random: this.random.fork(),
      onPush: (process) => {
        this.counts.pushes += 1;
        this.#effect(process);
      },
      onStored: (push) => {
        this.note(`${push.process.name} stores ${factsOf(push.change)} on ${push.branch.split('/').at(-1)}`);
        this.watch.onStored(push);
      },
      onLost: () => this.#fault('lost push answer'),
    });
    time.afterEach = () => this.watch.check();
  }

  setWeather(level: 0 | 1 | 2): void {
    const many = level === 2 ? 3 : level;
    this.network.weather = {
      loseAnswer: 30 * many,
      loseRequest: 12 * many,
      hang: 8 * many,
      locked: 12 * many,
      throttled: 12 * many,
      failing: 15 * many,
      dropWrite: 40 * many,
      late: 30 * many,
    };
    this.host.refused = 6 * many;
    this.host.lost = 6 * many;
  }

  /** Starts a run of the program. Nothing else happens until it has asked something of the world. */
  async launch(launch: Launch): Promise<Process> {
    const process = new Process(launch.name, this.time, launch.skew);
    const { scope } = launch;
    const plan = `${virtualFolder}/${launch.name}/release.plan.yaml`;
    virtualFiles.set(plan, planText(launch.lines, this.provider.collections));
    this.running.set(process, { ...launch, edits: this.counts.edits, holder: this.host.stateOf(branchOf(scope)).lease?.run });
    this.note(`${launch.name} begins: ${launch.command} ${JSON.stringify(launch.request)} for ${scope}`);
    this.counts.runs += 1;
    if (launch.command === 'apply') this.provider.beginsToLook(scope);
    if (this.running.size > 1) this.counts.together += 1;
    const request: RunRequest = {
      cwd: `${virtualFolder}/${launch.name}`,
      env: { WORKSHOP_TOKEN: 'the-token-of-the-workshop' },
      plan: null,
      environment: 'preview',
      scope,
      pr: null,
      branch: 'feature',
      sha: '1111111111111111111111111111111111111111',
      only: [],
      recreate: [],
      reconcile: false,
      destroy: false,
      expect: null,
      approvedBy: null,
      leaseTimeoutMs: 3_600_000,
      waitTimeoutMs: 900_000,
      ...launch.request,
    };
    const world = {
      clock: process,
      dispatcher: this.network.dispatcherOf(process, scope),
      store: this.host.storeOf(process),
      repository: null,
      signal: process.signal,
    };
    const run = launch.command === 'plan' ? runPlan : runApply;
    void run(request, world).then(
      (doc) => this.#ended(process, doc, doc.error ? [doc.error] : []),
      (thrown: unknown) => this.#ended(process, null, dataOf(thrown)),
    );
    this.#meet(process, launch.fate);
    const patience = performance.now() + 60_000;
    while (!process.hasBegun && this.running.has(process) && performance.now() < patience) await nextTurn();
    return process;
  }

  /** Lets time pass until every run has ended or died. */
  async settle(limitMs: number): Promise<void> {
    const end = await this.time.run(() => this.running.size === 0 || this.watch.breaches.length > 0, this.time.now + limitMs);
    if (end === 'over') return;
    const names = [...this.running.keys()].map(({ name }) => name).join(', ');
    this.watch.breach(
      `${names} ${end === 'idle' ? 'wait for something that never comes' : `did not end within ${limitMs / 60_000} minutes`}`,
    );
  }

  #stock(box: string): void {
    const theirs = `entry of a person in ${box}`;
    this.provider.boxes.set(box, { title: box, entries: [theirs] });
    this.provider.entryBy.set(this.provider.entryKey(box, theirs), person);
  }

  note(what: string): void {
    this.log.push(`${(this.time.now / 1000).toFixed(3).padStart(9)} ${what}`);
  }

  /** What a complete run says that it made or found as planned is there, as long as nobody else was at it. */
  #believe(launch: Launched, doc: ApplyDoc): void {
    const isAlone = [...this.running.values()].every(({ scope }) => scope !== launch.scope);
    // What slept after its last push tells of a world that others have changed since.
    const hasSlept = launch.fate?.kind === 'suspend';
    if (!isAlone || hasSlept || launch.edits !== this.counts.edits || launch.request.destroy) return;
    const { lease, records } = this.host.stateOf(branchOf(launch.scope));
    // One that had nothing to write came before the run that has taken the lease since, even one that is dead by now.
    if (lease?.released === null && lease.run !== doc.runId && lease.run !== launch.holder) return;
    // What an interrupted run had settled is not looked at again by the one that goes on from it, whoever was at it between the two.
    const isUntouched = this.counts.edits === 0;
    const told = new Set(doc.lines.filter(({ verdict }) => made.has(verdict) || (verdict === 'none' && isUntouched)).map(({ id }) => id));
    // In the window that the documentation states an object of a person is taken for ours.
    const claimed = new Set([...records.values()].map(({ objectId }) => objectId));
    for (const line of launch.lines.filter(({ id }) => told.has(id))) {
      const name = nameOf(launch.scope, line);
      const stands =
        line.kind === 'thing'
          ? this.provider.named(line.place, name).some(({ id, by, isKept }) => (by === launch.scope || claimed.has(id)) && !isKept)
          : line.kind === 'entry'
            ? this.provider.boxes.get(line.place)?.entries.includes(name)
            : line.kind !== 'key' || this.provider.keys.has(name);
      if (!stands) this.watch.breach(`${launch.name} says that it made ${name} or found it, and it is not there`);
    }
  }

  /** What a run calls somebody else's is, or a thing that the scope let go. Keys and entries of our names nobody else makes. */
  #mustBeForeign({ name, scope, lines }: Launch, id: string): void {
    const line = lines.find((one) => one.id === id);
    if (!line) return;
    const what = nameOf(scope, line);
    const { provider } = this;
    const isForeign =
      line.kind === 'thing' && (provider.wasMadeByHand(line.place, what) || provider.named(line.place, what).some(({ isKept }) => isKept));
    if (!isForeign) this.watch.breach(`${name} took ${what} of its own scope for somebody else's`);
  }

  #fault(kind: string): void {
    this.note(`fault: ${kind}`);
    this.counts.faults[kind] = (this.counts.faults[kind] ?? 0) + 1;
  }

  #effect(process: Process): void {
    const count = (this.#sent.get(process) ?? 0) + 1;
    this.#sent.set(process, count);
    this.#onEffect.get(process)?.(count);
  }

  #meet(process: Process, fate: Fate | null): void {
    if (!fate) return;
    const strike = (): void => this.#strike(process, fate);
    if (fate.effect === null) this.time.in(fate.at, strike);
    else {
      this.#onEffect.set(process, (count) => {
        if (count !== fate.effect) return;
        this.time.in(fate.at, strike);
      });
    }
  }

  #strike(process: Process, fate: Fate): void {
    if (!this.running.has(process)) return;
    this.note(`${process.name} meets its fate: ${fate.kind}`);
    if (fate.kind === 'kill') {
      this.counts.kills += 1;
      process.kill();
      this.running.delete(process);
    } else if (fate.kind === 'terminate') {
      this.counts.signals += 1;
      process.terminate();
    } else {
      this.counts.suspensions += 1;
      process.suspend();
      this.time.in(fate.lasts, () => {
        this.note(`${process.name} wakes`);
        process.resume(fate.slept);
      });
    }
  }

  #ended(process: Process, doc: ApplyDoc | PlanDoc | null, errors: readonly ErrorData[]): void {
    if (process.isDead) return;
    const launch = this.running.get(process);
    this.running.delete(process);
    if (launch && doc && 'status' in doc && doc.status === 'complete') this.#believe(launch, doc);
    this.outcomes.push({ process, doc, errors });
    const lines = doc?.lines.map(({ id, verdict, error }) => `${id} ${verdict}${error ? ` ${error.code}` : ''}`) ?? [];
    this.note(
      `${process.name} ends: ${doc && 'status' in doc ? doc.status : ''} ${lines.join(', ')} ${errors.map(({ code, detail }) => `${code} ${detail}`).join(' | ')}`,
    );
    for (const line of doc?.lines ?? []) {
      if (line.verdict === 'claim') this.counts.claimed += 1;
      if (line.verdict === 'replace') this.counts.replaced += 1;
    }
    if (launch) for (const line of doc?.lines ?? []) if (line.error?.code === 'RESOURCE_FOREIGN') this.#mustBeForeign(launch, line.id);
    const all = [...errors, ...(doc?.lines.flatMap((line) => (line.error ? [line.error] : [])) ?? [])];
    for (const error of all) if (error.code === 'INTERNAL') this.watch.breach(`${process.name} ended with INTERNAL: ${error.detail}`);
    if (JSON.stringify([doc, errors]).includes('secret-of-')) this.watch.breach(`${process.name} showed a secret`);
  }
}

const made: ReadonlySet<string> = new Set(['create', 'update', 'claim', 'replace']);

function factsOf(change: ReadonlyMap<string, string | null>): string {
  return [...change]
    .map(([path, text]) => {
      const [folder, , file = ''] = path.split('/');
      if (text === null) return `- ${folder} ${file.slice(0, 6)}`;
      const value = JSON.parse(path.endsWith('jsonl') ? '{}' : text) as { [name: string]: unknown };
      if (folder === 'lease.json' || folder === 'lock.json')
        return `${value.released ? `release ${JSON.stringify(value.released)}` : 'lease'} of ${String(value.run)}`;
      return `+ ${folder} ${String(value.line ?? '')} ${String(value.objectId ?? '')}${Array.isArray(value.not) && value.not.length > 0 ? ` not ${value.not.join()}` : ''}`;
    })
    .join('; ');
}

const dataOf = (thrown: unknown): readonly ErrorData[] =>
  thrown instanceof Failures ? thrown.failures.map((failure) => failure.toData()) : [toErrorData(thrown)];

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
