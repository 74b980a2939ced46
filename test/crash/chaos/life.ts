import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LedgerState } from '../../../src/ledger/model/facts.ts';
import { emptyState } from '../../../src/ledger/model/state.ts';
import { branchOf } from '../../demo/measure.ts';
import type { Team } from '../../demo/team.ts';
import { ledgerOf } from '../../e2e/scene.ts';
import { leaks } from '../../leaks/places.ts';
import { foreignOf, madeSecretsOf, objectsOf } from './census.ts';
import { type Fate, type Habit, randomFate } from './fate.ts';
import { type Ended, runJob } from './job.ts';
import { changedWish, randomWish, type Wish, yamlOf } from './plans.ts';
import { flawsAfterApply, flawsAfterDestroy, unknownObjects } from './promises.ts';
import type { Random } from './random.ts';
import type { Weather } from './weather.ts';

/** What all lives share: the team, what they may still do to it, and what came of it. */
export interface Shared {
  readonly team: Team;
  readonly scopes: readonly string[];
  readonly folder: string;
  readonly weather: Weather;
  /** What others made, as it was at the start. */
  readonly foreign: readonly string[];
  readonly secrets: Set<string>;
  readonly count: Count;
  /** Signals that are still to be sent. */
  left(): number;
}

export interface Count {
  runs: number;
  readonly signals: Map<string, number>;
  claimed: number;
  recreated: number;
  leaseLost: number;
  duplicates: number;
  orphans: number;
}

/** A promise that was broken, with the run that showed it. */
export class Broken extends Error {}

/** Runs that may fail, in bad weather or because another run was in the way, before one must succeed. */
const mostAttempts = 8;
/** From this attempt on the weather is calm: what fails now fails by itself. */
const calmFrom = 4;

/** The life of one scope: applied, changed, destroyed, and cut again and again, with the next run after each cut. */
export class Life {
  readonly #shared: Shared;
  readonly #random: Random;
  readonly #scope: string;
  #wish: Wish;
  #plans = 0;
  #file = '';
  #habit: Habit = { ms: 2_500, requests: 25 };

  constructor(shared: Shared, random: Random, scope: string) {
    this.#shared = shared;
    this.#random = random;
    this.#scope = scope;
    this.#wish = randomWish(random, scope);
  }

  /** Goes on until no signal is left to be sent, and ends with a destroy. */
  async live(): Promise<void> {
    await this.#writePlan();
    while (this.#shared.left() > 0) {
      const isDestroy = this.#random.isTrue(0.2);
      if (!isDestroy && this.#random.isTrue(0.6)) await this.#change();
      await this.#cut(isDestroy);
      await this.#settle(isDestroy && this.#random.isTrue(0.7));
    }
    const goOn = this.#shared.weather.calm();
    await this.#settle(true);
    goOn();
  }

  async #change(): Promise<void> {
    this.#wish = changedWish(this.#random, this.#wish);
    await this.#writePlan();
  }

  /** Every run has a file of its own: a plan that is changed does not change under one that reads it. */
  async #writePlan(): Promise<void> {
    this.#plans += 1;
    this.#file = join('plans', `${this.#scope}-${this.#plans}.yaml`);
    const path = join(this.#shared.team.checkout, this.#file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, yamlOf(this.#wish));
  }

  /** One run, or two at once, and what meets them. */
  async #cut(isDestroy: boolean): Promise<void> {
    const first = this.#run(this.#args(isDestroy), randomFate(this.#random, this.#habit));
    const others: Promise<Ended>[] = [];
    if (this.#random.isTrue(0.35)) {
      const isOtherDestroy = this.#random.isTrue(0.25);
      if (!isOtherDestroy && this.#random.isTrue(0.5)) await this.#change();
      others.push(this.#run(this.#args(isOtherDestroy), this.#random.isTrue(0.4) ? randomFate(this.#random, this.#habit) : null));
    }
    for (const ended of await Promise.all([first, ...others])) await this.#examine(ended);
    const ledger = await this.#ledger();
    const unknown = unknownObjects(this.#shared.team, this.#scope, ledger);
    this.#shared.count.orphans += unknown.length;
    if (unknown.length > 0) throw this.#broken('after a cut', unknown);
  }

  /** The next runs, until one ends well; then everything must be as it would have been without the cut. */
  async #settle(isDestroy: boolean): Promise<void> {
    let args = this.#args(isDestroy);
    let goOn: (() => void) | null = null;
    try {
      for (let attempt = 1; ; attempt += 1) {
        if (attempt === calmFrom) goOn = this.#shared.weather.calm();
        const ended = await this.#run(args, null);
        await this.#examine(ended);
        if (ended.code === 0 || (isDestroy && foundNothing(ended))) break;
        if (attempt === mostAttempts) throw this.#broken(`${attempt} runs failed`, [ended.output.slice(-2_000)]);
        args = this.#repair(ended) ?? this.#args(isDestroy);
      }
    } finally {
      goOn?.();
    }
    const { team, count } = this.#shared;
    const ledger = await this.#ledger();
    const flaws = isDestroy ? flawsAfterDestroy(team, this.#scope, ledger) : flawsAfterApply(team, this.#wish, ledger, count);
    const unknown = unknownObjects(team, this.#scope, ledger);
    count.orphans += unknown.length;
    if (flaws.length + unknown.length > 0) throw this.#broken(isDestroy ? 'after a destroy' : 'after an apply', [...flaws, ...unknown]);
    if (!isDestroy && this.#random.isTrue(0.25)) await this.#again();
  }

  /** A once-only secret died with its run: what the error tells a person to type. */
  #repair({ document }: Ended): readonly string[] | null {
    const lost = document?.lines.find(({ error }) => error?.code === 'OUTPUT_UNAVAILABLE');
    const [, command] = /`pilotfish ([^`]+)`/.exec(lost?.error?.fix ?? '') ?? [];
    if (command === undefined) return null;
    this.#shared.count.recreated += 1;
    return command.split(' ');
  }

  /** Unchanged and in good weather: nothing is written. */
  async #again(): Promise<void> {
    const goOn = this.#shared.weather.calm();
    const ended = await this.#run(this.#args(false), null);
    goOn();
    await this.#examine(ended);
    const writes = ended.document?.stats.writes;
    if (ended.code !== 0 || writes !== 0)
      throw this.#broken('an unchanged apply', [`exit ${ended.code}, ${writes} writes, see ${ended.log}`]);
  }

  #args(isDestroy: boolean): readonly string[] {
    return ['apply', '--scope', this.#scope, '--plan', this.#file, ...(isDestroy ? ['--destroy'] : [])];
  }

  async #run(args: readonly string[], fate: Fate | null): Promise<Ended> {
    const { team, folder, count } = this.#shared;
    const ended = await runJob(team, { args, folder, fate, name: this.#scope });
    count.runs += 1;
    if (ended.met) count.signals.set(ended.met.signal, (count.signals.get(ended.met.signal) ?? 0) + 1);
    else if (ended.code === 0) {
      const blend = (old: number, now: number): number => old * 0.7 + now * 0.3;
      this.#habit = { ms: blend(this.#habit.ms, Math.min(ended.ms, 8_000)), requests: blend(this.#habit.requests, ended.requests) };
    }
    return ended;
  }

  /** What no run may do, however it ended. */
  async #examine(ended: Ended): Promise<void> {
    const { code, document, output, log } = ended;
    const { team, scopes, foreign, secrets, count } = this.#shared;
    for (const secret of madeSecretsOf(team)) secrets.add(secret);
    if (![0, 1, 3, 130, 143, -1].includes(code) && !foundNothing(ended)) throw this.#broken(`it ended with ${code}`, [log]);
    if (/"INTERNAL"|\n\s+at \S+ \(/.test(output)) throw this.#broken('it told of a defect of its own', [log]);
    const told = leaks(new Map([[log, Buffer.from(output, 'utf8').toString('latin1')]]), [...secrets]);
    if (told.length > 0) throw this.#broken('it told a secret', told);
    const now = foreignOf(team, scopes);
    const changed = foreign.flatMap((was, i) => (now[i] === was ? [] : [`was ${was}`, `is  ${now[i]}`]));
    if (changed.length > 0) throw this.#broken('what others made has changed', [log, ...changed]);
    if (code === 3) count.leaseLost += 1;
    for (const line of document?.lines ?? []) if (line.verdict === 'claim' && line.state === 'settled') count.claimed += 1;
  }

  /** What the git host holds; it must always parse. */
  async #ledger(): Promise<LedgerState> {
    const { remote } = this.#shared.team;
    const branch = branchOf(this.#scope);
    const isThere = (await remote.git('for-each-ref', `refs/heads/${branch}`)) !== '';
    return isThere ? await ledgerOf(remote, branch) : emptyState;
  }

  #broken(what: string, details: readonly string[]): Broken {
    const standing = objectsOf(this.#shared.team, this.#scope).map(({ line, id }) => `${line} ${id}`);
    return new Broken(`${this.#scope}: ${what}\n  ${details.join('\n  ')}\n  stands: ${standing.join(', ')}`);
  }
}

/** A destroy of a scope whose only run died before its first push. */
const foundNothing = ({ code, output }: Ended): boolean => code === 2 && /No run ever had the scope/.test(output);
