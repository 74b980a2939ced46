import { Writable } from 'node:stream';
import { Process } from '../crash/simulate/process.ts';
import type { Timeline } from '../crash/simulate/timeline.ts';
import type { Fate } from './history.ts';
import type { HostEvent } from './host-event.ts';
import { type Machine, machines } from './machine/machine.ts';
import type { Repository } from './repository.ts';
import type { ReadyStep } from './workflow.ts';

export interface JobFacts {
  readonly name: string;
  /** The name of the job in its workflow. */
  readonly role: string;
  readonly repository: Repository;
  readonly event: HostEvent;
  readonly step: ReadyStep;
  readonly fate: Fate | null;
  /** When the event came. */
  readonly queuedAt: number;
}

/** One job: its process, what it said, and how it ended. */
export class Job extends Process {
  readonly facts: JobFacts;
  /** `lost`: its machine or a person ended it before its time. */
  end: { readonly at: number; readonly code: number | null; readonly how: 'ended' | 'lost' } | null = null;
  /** When its step began; `null` while it waits for a runner. */
  begunAt: number | null = null;
  /** Requests and pushes that it sent. */
  effects = 0;
  /** Its machine or a person ended it before its time. */
  isCut = false;
  /** Requests and pushes of it that the network or a server spoilt. */
  faults = 0;
  /** The output `status` of its step. */
  status = '';
  log = '';
  machine: Machine | null = null;
  readonly #signals = new Map<string, Set<() => void>>();
  readonly #time: Timeline;

  constructor(facts: JobFacts, time: Timeline) {
    super(facts.name, time);
    this.facts = facts;
    this.#time = time;
  }

  /** The pull request of its event. */
  get pull(): number | null {
    return this.facts.event.pull?.number ?? null;
  }

  /** The world kept it from its work. A job that got over its faults had no trouble. */
  get hadTrouble(): boolean {
    return this.isCut || this.end?.how === 'lost' || (this.faults > 0 && this.end !== null && this.end.code !== 0);
  }

  /** It removes what a pull request has. */
  get isDestroy(): boolean {
    const { step, event } = this.facts;
    return step.inputs.command === 'destroy' || (step.inputs.command === '' && event.action === 'closed');
  }

  /** It looks at all scopes. */
  get isSweep(): boolean {
    return this.facts.step.inputs.closed === 'true';
  }

  /** What the action takes for its process. */
  asProcess(env: NodeJS.ProcessEnv, cwd: string): NodeJS.Process {
    const own = {
      env,
      cwd: () => cwd,
      stdout: new Writable({
        decodeStrings: false,
        write: (chunk: string | Buffer, _encoding, done) => {
          this.say(String(chunk));
          done();
        },
      }),
      on: (name: string, act: () => void) => {
        const known = this.#signals.get(name) ?? new Set();
        this.#signals.set(name, known.add(act));
      },
      off: (name: string, act: () => void) => this.#signals.get(name)?.delete(act),
    };
    return own as unknown as NodeJS.Process;
  }

  say(text: string): void {
    if (!this.isDead) this.log += text;
  }

  /** A person cancels the job: SIGINT, 7.5 seconds later SIGTERM, 2.5 seconds later everything of it is killed. */
  cancel(onKill: () => void): void {
    this.isCut = true;
    this.#signal('SIGINT');
    this.#time.in(7_500, () => this.#signal('SIGTERM'));
    this.#time.in(10_000, () => {
      if (this.end === null) onKill();
    });
  }

  #signal(name: string): void {
    this.deliver(() => {
      for (const act of [...(this.#signals.get(name) ?? [])]) act();
    });
  }

  /** What reaches a job runs on its machine. */
  override deliver(what: () => void): void {
    const { machine } = this;
    super.deliver(machine === null ? what : () => machines.run(machine, what));
  }
}
