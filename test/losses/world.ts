import { setImmediate as turn } from 'node:timers/promises';
import { runAction } from '../../src/action/action.ts';
import { Sealed } from '../../src/core/sealed.ts';
import { redactorOf } from '../../src/engine/prepare/secret-variables.ts';
import { Random } from '../crash/simulate/random.ts';
import { Timeline } from '../crash/simulate/timeline.ts';
import { virtualFiles, virtualFolder } from '../crash/simulate/virtual-files.ts';
import { nextOf } from './cron.ts';
import type { Fate, History, Who } from './history.ts';
import { type HostEvent, scheduleEvent } from './host-event.ts';
import { Job } from './job.ts';
import { jobEnv, jobToken } from './job-env.ts';
import { judgeTaken } from './judge-taken.ts';
import { type Machine, machines } from './machine/machine.ts';
import { Network } from './network.ts';
import { shops } from './plan.ts';
import { Repository } from './repository.ts';
import { Services } from './services.ts';
import { jobsFor, schedulesOf, type Workflow } from './workflow.ts';

export const minutes = 60_000;

/** A moment of the schedule: its job, or `null` where the host started none. */
export interface Tick {
  readonly repository: Repository;
  readonly at: number;
  readonly job: Job | null;
}

export interface Counts {
  histories: number;
  runs: number;
  lost: number;
  killed: number;
  sweeps: number;
}

/** One history's world: a code host with two repositories, the services of one account, and jobs that come and go. */
export class World {
  readonly time = new Timeline();
  readonly random: Random;
  readonly services: Services;
  readonly network: Network;
  readonly workflow: Workflow;
  readonly repositories: readonly [Repository, Repository];
  readonly jobs: Job[] = [];
  readonly running = new Set<Job>();
  readonly ticks: Tick[] = [];
  /** What happened, a line each. */
  readonly log: string[] = [];
  readonly breaches: string[] = [];
  readonly counts: Counts = { histories: 1, runs: 0, lost: 0, killed: 0, sweeps: 0 };
  /** Events on their way. */
  pending = 0;
  /** Until then the host starts no scheduled job of a repository. */
  readonly noScheduleUntil = new Map<Repository, number>();
  readonly who: Who;
  readonly idleHours: number | null;
  /** The credential of every plan. */
  readonly token: string;
  readonly sweepFate = new Map<Repository, Fate>();

  constructor({ seed, begin, credential, main, weather, who, idleHours }: History, workflow: Workflow) {
    this.who = who;
    this.idleHours = idleHours;
    this.token = credential === 'lasting' ? 'the-token-of-the-workshop' : `ghs_${'5'.repeat(36)}`;
    this.random = new Random(seed ^ 0x2545f491);
    this.workflow = workflow;
    this.services = new Services(this.random.fork(), () => this.time.now);
    this.network = new Network({
      time: this.time,
      random: this.random.fork(),
      services: this.services,
      token: this.token,
      faultsOfThousand: weather === 'bad' ? 25 : 0,
      onEffect: (job) => this.#effect(job),
      onWrite: (job) => judgeTaken(this, job, this.services.noteAges(this.time.now)),
      onWrong: (what) => this.breach('request', what),
    });
    this.repositories = [new Repository(shops[0], main, idleHours), new Repository(shops[1], main, idleHours)];
    for (const repository of this.repositories) {
      repository.ledger.before = (branch, change) => {
        for (const [path, text] of change)
          if (text !== null && this.#isSecret(text)) this.breach('secret', `${path} of ${branch} holds a secret`);
      };
    }
    this.time.in(begin * minutes, () => {
      for (const repository of this.repositories) for (const cron of schedulesOf(workflow)) this.#schedule(repository, cron);
    });
  }

  breach(kind: string, sentence: string): void {
    this.note(`BREACH ${kind}: ${sentence}`);
    this.breaches.push(`${kind}: ${sentence}`);
  }

  note(what: string): void {
    this.log.push(`${clockOf(this.time.now)} ${what}`);
  }

  /** Lets minutes pass, and stops at the first breach. */
  async pass(ms: number, isOver: () => boolean = () => false): Promise<void> {
    await this.time.run(() => this.breaches.length > 0 || isOver(), this.time.now + ms);
  }

  /** Sends an event after a time. `fate` is that of the first job that it starts. */
  send(repository: Repository, events: readonly HostEvent[], o: { readonly after: number; readonly fate: Fate | null }): void {
    this.pending += 1;
    this.time.in(o.after, () => {
      this.pending -= 1;
      let { fate } = o;
      for (const event of events) {
        // A pull request with a conflict has no merge commit to run on.
        if (event.name === 'pull_request' && event.pull?.isConflicted) continue;
        for (const job of this.#start(repository, event, fate)) if (job.facts.fate !== null) fate = null;
      }
    });
  }

  #start(repository: Repository, event: HostEvent, fate: Fate | null): readonly Job[] {
    const github = {
      event_name: event.name,
      event: event.payload,
      sha: event.sha,
      ref: event.ref,
      head_ref: event.headRef,
      base_ref: event.baseRef,
      actor: event.actor,
      repository: repository.shop.slug,
      token: jobToken,
    };
    const contexts = { github, secrets: { WORKSHOP_TOKEN: this.token, PILOTFISH_LEDGER_KEY: ledgerKey }, vars: {}, env: {}, inputs: {} };
    return jobsFor(this.workflow, event, contexts).map(({ name, step }, nth) => {
      this.counts.runs += 1;
      const facts = {
        name: `job-${this.jobs.length + 1}`,
        role: name,
        repository,
        event,
        step,
        fate: nth === 0 ? fate : null,
        queuedAt: this.time.now,
      };
      const job = new Job(facts, this.time);
      this.jobs.push(job);
      this.running.add(job);
      if (job.isSweep) this.counts.sweeps += 1;
      this.note(
        `${job.name} is queued: ${name} of ${repository.shop.slug} by ${event.name} ${event.action ?? ''} ${event.pull?.number ?? ''}`,
      );
      const wait = this.random.int(3_000, 60_000);
      if (job.facts.fate?.effect === null) this.time.in(wait / 2, () => this.#strike(job));
      this.time.in(wait + this.random.int(4_000, 20_000), () => this.#begin(job));
      return job;
    });
  }

  #begin(job: Job): void {
    if (job.end !== null) return;
    const { repository, event, step } = job.facts;
    job.begunAt = this.time.now;
    const sha = step.ref === '' ? event.sha : step.ref === 'main' ? repository.main : step.ref;
    if (!repository.commits.has(sha)) {
      this.breach('checkout', `${job.name} checks out ${step.ref}, which is no commit`);
      return;
    }
    const cwd = `${virtualFolder}/${job.name}`;
    const env = jobEnv(job, cwd);
    virtualFiles.set(`${cwd}/release.plan.yaml`, repository.planAt(sha));
    const url = `https://github.com/${repository.shop.slug}`;
    const machine: Machine = {
      env,
      write: (text) => job.say(text),
      clock: job,
      dispatcher: this.network.dispatcherOf(job),
      checkout: {
        top: cwd,
        gitDir: `${cwd}/.git`,
        commonDir: `${cwd}/.git`,
        remoteUrl: url,
        remote: new Sealed(url, 'the git remote'),
        sha,
        branch: null,
        shallow: false,
        objectFormat: 'sha1',
        slug: repository.shop.slug,
      },
      openStore: (address) => this.network.storeOf(job, address),
      isAncestor: (older, newer) => repository.isAncestor(older, newer),
    };
    job.machine = machine;
    this.note(`${job.name} begins at ${sha.slice(0, 7)}`);
    machines.run(machine, () => {
      runAction(job.asProcess(env, cwd), redactorOf(env, {})).then(
        (code) => this.#ended(job, code),
        (thrown: unknown) => this.breach('internal', `${job.name} threw ${thrown instanceof Error ? thrown.stack : String(thrown)}`),
      );
    });
  }

  #ended(job: Job, code: number): void {
    if (job.end !== null) return;
    const output = `${virtualFolder}/${job.name}/output`;
    job.status = /^status<<(.*)\n(.*)\n/m.exec(virtualFiles.get(output) ?? '')?.[2] ?? '';
    const told = [job.log.replace(/^::add-mask::.*$/gm, ''), virtualFiles.get(output) ?? ''].join('\n');
    if (this.#isSecret(told)) this.breach('secret', `${job.name} told a secret`);
    if (/INTERNAL/.test(job.log)) this.breach('internal', `${job.name} ended with INTERNAL:\n${job.log}`);
    if (code !== 0) this.note(job.log.replace(/^::.*$\n/gm, ''));
    this.#over(job, { at: this.time.now, code, how: 'ended' });
  }

  #over(job: Job, end: NonNullable<Job['end']>): void {
    job.end = end;
    this.running.delete(job);
    const folder = `${virtualFolder}/${job.name}`;
    for (const path of [...virtualFiles.keys()]) if (path.startsWith(`${folder}/`)) virtualFiles.delete(path);
    this.note(
      `${job.name} ${end.how === 'lost' ? 'is lost' : `ends with ${end.code}, ${job.status}`}, after ${job.effects} requests and pushes`,
    );
  }

  #effect(job: Job): void {
    job.effects += 1;
    if (job.facts.fate?.effect === job.effects) this.time.in(this.random.int(0, 1_500), () => this.#strike(job));
  }

  #strike(job: Job): void {
    const { fate } = job.facts;
    if (job.end !== null || fate === null) return;
    const kill = (): void => {
      job.isCut = true;
      this.counts.killed += 1;
      job.kill();
      this.#over(job, { at: this.time.now, code: null, how: 'lost' });
    };
    this.note(`${job.name} meets its fate: ${fate.kind}`);
    if (fate.kind === 'kill' || job.begunAt === null) kill();
    else job.cancel(kill);
  }

  #isSecret(text: string): boolean {
    return text.includes('secret-of-') || text.includes(this.token) || text.includes(jobToken) || text.includes(ledgerKey);
  }

  #schedule(repository: Repository, cron: string): void {
    const at = nextOf(cron, this.time.now);
    this.time.in(at - this.time.now + this.random.int(0, 60_000), () => {
      const isDropped = (this.noScheduleUntil.get(repository) ?? 0) > this.time.now;
      const fate = this.sweepFate.get(repository) ?? null;
      if (!isDropped) this.sweepFate.delete(repository);
      const [job = null] = isDropped ? [] : this.#start(repository, scheduleEvent(repository, cron), fate);
      if (isDropped) this.note(`the host starts no scheduled job of ${repository.shop.slug}`);
      this.ticks.push({ repository, at: this.time.now, job });
      this.#schedule(repository, cron);
    });
  }
}

/** The secret of `PILOTFISH_LEDGER_KEY`, where the workflow passes it. */
const ledgerKey = 'key-0123456789abcdef0123456789abcdef';

const clockOf = (ms: number): string => {
  const [day, rest] = [Math.floor(ms / 86_400_000), new Date(ms % 86_400_000).toISOString().slice(11, 19)];
  return `${day > 0 ? `day ${day + 1} ` : ''}${rest}`;
};

/** Lets what a history left behind come to rest, before the next one takes the process. */
export const rest = async (): Promise<void> => {
  for (let i = 0; i < 3; i += 1) await turn();
};
