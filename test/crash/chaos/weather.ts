import { setTimeout as pause } from 'node:timers/promises';
import type { Armed, Match } from 'pilotfish-sandbox/kit/index';
import type { Team } from '../../demo/team.ts';
import type { Random } from './random.ts';

/** Bad weather at the providers and at the git host, for as long as nobody asks for calm. */
export interface Weather {
  /** Until the returned function is called, no new fault is armed and the waiting ones are gone. */
  calm(): () => void;
  /** Faults that a request met. */
  readonly faults: number;
  stop(): Promise<void>;
}

/** Faults that wait for a request at once, at most. */
const mostWaiting = 5;

export function startWeather(team: Team, random: Random): Weather {
  const { neon, vercel, stripe, github, cloudflare, unleash, auth0 } = team.world;
  const providers = [neon, vercel, stripe, github, cloudflare, unleash, auth0] as const;
  const ending = new AbortController();
  const armed: Armed[] = [];
  let calms = 0;
  let gitFaults = 0;

  const blow = (): void => {
    const { faults } = random.pick(providers);
    const write: Match = ({ method }) => method !== 'GET';
    const any: Match = () => true;
    const kinds: readonly [() => Armed, ...(() => Armed)[]] = [
      () => faults.loseAnswer(write),
      () => faults.loseAnswer(any),
      () => faults.cutAnswer(write),
      () => faults.loseRequest(any),
      () => faults.once(any, 429, { message: 'slow down' }, { 'retry-after': '1' }),
      () => faults.once(any, 503, { message: 'unavailable' }),
      () => faults.once(write, 500, { message: 'something broke' }),
      () => faults.hang(write),
      () => faults.slow(any, random.int(100, 700), 3),
    ];
    armed.push(random.pick(kinds)());
  };
  const blowAtGitHost = (): void => {
    gitFaults += 1;
    if (random.isTrue(0.5)) team.remote.cutNextPushAnswer();
    else team.remote.answerNextPush(random.pick([429, 503] as const), { 'retry-after': '1' });
  };
  const loop = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await pause(random.int(150, 600), undefined, { signal: ending.signal });
      if (calms > 0 || armed.filter(({ left }) => left > 0).length >= mostWaiting) continue;
      if (random.isTrue(0.12)) blowAtGitHost();
      else blow();
    }
  };
  const blowing = loop().catch((thrown: unknown) => {
    if (!ending.signal.aborted) throw thrown;
  });

  return {
    calm: () => {
      calms += 1;
      for (const one of armed) one.disarm();
      return () => {
        calms -= 1;
      };
    },
    get faults() {
      return gitFaults + armed.reduce((sum, { hits }) => sum + hits, 0);
    },
    stop: async () => {
      ending.abort();
      await blowing;
    },
  };
}
