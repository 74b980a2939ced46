import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createWorld } from 'pilotfish-sandbox/all';
import { githubCi } from 'pilotfish-sandbox/github-ci/index';
import type { Clock } from '../../src/core/clock.ts';
import type { RunRequest } from '../../src/engine/types.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { MemoryRemote } from '../support/memory-store.ts';
import { openStage } from '../support/stage.ts';

export const [shaA, shaB, shaC] = ['a', 'b', 'c'].map((letter) => letter.repeat(40)) as [string, string, string];
export const branch = 'pilotfish-receipts/preview/pr-12';

export interface PullsOptions {
  readonly store?: () => Store;
  /** How far the clocks of the machines that run pilotfish go before that of the code host, in milliseconds. */
  readonly runnersAhead?: number;
  readonly providersAhead?: number;
}

/** The same clock with another time of day. */
const ahead = (clock: LeapingClock, ms = 0): Clock => ({
  now: () => clock.now() + ms,
  mono: () => clock.mono(),
  sleep: (time, signal) => clock.sleep(time, signal),
});

/** A shop whose previews belong to pull requests of `acme/shop`: jobs of its code host, and people at their terminals. */
export async function openPulls(plan: string, o: PullsOptions = {}) {
  const clock = new LeapingClock();
  const world = createWorld({ clock: ahead(clock, o.providersAhead) });
  const machine = ahead(clock, o.runnersAhead);
  const pulls = githubCi({ clock, repository: 'acme/shop' });
  const simulations = [...world.simulations.filter(({ name }) => name !== 'github'), pulls];
  const remote = new MemoryRemote();
  const env = { ...world.credentials, AUTH0_API_URL: 'https://acme.eu.auth0.com/api/v2', GITHUB_TOKEN: pulls.tokens.full };
  const stage = await openStage({ simulations, env, plan, clock: machine, store: o.store ?? (() => remote.open()) });
  let files = 0;
  /** The variables of a job that this event started. */
  const job = async (name: string, payload: unknown, more: NodeJS.ProcessEnv = {}): Promise<NodeJS.ProcessEnv> => {
    const file = path.join(stage.folder, `event-${++files}.json`);
    await writeFile(file, JSON.stringify(payload));
    return {
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_EVENT_NAME: name,
      GITHUB_EVENT_PATH: file,
      ...more,
    };
  };
  const asked = (jobEnv: NodeJS.ProcessEnv, change: Partial<RunRequest> = {}): Partial<RunRequest> => ({
    scope: null,
    pr: 12,
    sha: null,
    branch: null,
    ...change,
    env: { ...jobEnv, ...change.env },
  });
  const pullEvent = async (action: string, more: NodeJS.ProcessEnv = {}, number = 12) => {
    const { head, branch: ref, state, updated_at } = pulls.world.pull(number);
    return await job('pull_request', { action, pull_request: { number, state, updated_at, head: { sha: head, ref } } }, more);
  };
  return {
    ...stage,
    world,
    pulls,
    clock,
    /** The clock of the machines that run pilotfish. */
    machine,
    remote,
    simulations,
    /** A minute goes by, so that the host's times differ. */
    later: () => clock.sleep(60_000),
    job,
    asked,
    /** The job of a pull request's event, as the pull request is now. */
    pullEvent,
    /** The job of a deployment that is ready. */
    deploymentEvent: (sha: string, more: NodeJS.ProcessEnv = {}) =>
      job('deployment_status', { deployment: { sha, ref: sha }, deployment_status: { state: 'success' } }, more),
    onPull: async (action: string, change: Partial<RunRequest> = {}) => stage.apply(asked(await pullEvent(action), change)),
    onClosed: async (change: Partial<RunRequest> = {}) => stage.apply(asked(await pullEvent('closed'), { destroy: true, ...change })),
    onDeployment: async (sha: string, change: Partial<RunRequest> = {}, more: NodeJS.ProcessEnv = {}) =>
      stage.apply(
        asked(await job('deployment_status', { deployment: { sha, ref: sha }, deployment_status: { state: 'success' } }, more), change),
      ),
    /** Requests to providers, the code host apart. */
    providersSince: () => {
      const seen = stage.watch();
      return () => seen.all().filter(({ path: asks }) => !asks.startsWith('/repos/acme/shop/'));
    },
    records: () => world.cloudflare.world.records('5f0c1d2e3b4a59687786a5b4c3d2e1f0'),
  };
}

export type Pulls = Awaited<ReturnType<typeof openPulls>>;

/** Nobody can be asked: the job has no token. */
export const noToken: NodeJS.ProcessEnv = { GITHUB_TOKEN: '' };
