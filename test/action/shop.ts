import { createWorld, type World } from 'pilotfish-sandbox/all';
import { type CiWorld, githubCi } from 'pilotfish-sandbox/github-ci/index';
import { type Simulation, serve, verifyHandled } from 'pilotfish-sandbox/kit/index';
import type { TestContext } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { LedgerState } from '../../src/ledger/model/facts.ts';
import { branchOf } from '../demo/measure.ts';
import { madeSecrets, standing, whatOthersMade } from '../demo/standing.ts';
import { ledgerOf, locksLeft } from '../e2e/scene.ts';
import { type GitRemoteServer, startGitRemote } from '../support/git-remote.ts';
import { type Author, openAuthor } from './author.ts';
import { checkout } from './checkout.ts';
import {
  type DeploymentThen,
  deploymentStatus,
  type Event,
  issueComment,
  type Place,
  type PullAction,
  pullRequest,
  push,
  schedule,
  workflowDispatch,
} from './events.ts';
import { type Front, openFront } from './front.ts';
import type { Step } from './job-env.ts';
import { type Outcome, type Running, startStep } from './runner.ts';

export type Standing = ReturnType<typeof standing>;

/** What a job may have beside its event. */
export interface JobOptions extends Partial<Pick<Step, 'inputs' | 'attempt' | 'triggeredBy' | 'run' | 'token'>> {
  /** `env:` of the job. Without it, every credential of the team. */
  readonly env?: Readonly<Record<string, string>>;
  /** More of it, beside what stands there. */
  readonly also?: Readonly<Record<string, string>>;
  /** The checkout of an earlier attempt. */
  readonly workspace?: string;
}

/** A team on a code host: its repository, its pull requests, its accounts at every provider, and jobs that run as GitHub runs them. */
export interface Shop {
  readonly place: Place;
  readonly token: string;
  /** Fetches and reads; whatever it writes is refused, by git and by the API. */
  readonly readOnlyToken: string;
  readonly world: World;
  readonly host: CiWorld;
  readonly codeHost: Simulation<CiWorld>;
  readonly remote: GitRemoteServer;
  readonly front: Front;
  readonly author: Author;
  /** Credentials, as the workflow hands them to the job, and where the providers are. */
  readonly env: Readonly<Record<string, string>>;
  readonly before: Standing;
  /** Pushes a branch with this plan and opens its pull request. Resolves to the commit at its head. */
  open(
    number: number,
    plan: string,
    o?: { readonly from?: string | null; readonly branch?: string; readonly by?: string },
  ): Promise<string>;
  /** Pushes one more commit to the branch of a pull request; with `to`, moves the branch to that commit. */
  push(number: number, o: { readonly plan?: string; readonly to?: string }): Promise<string>;
  close(number: number, how?: 'merged' | 'unmerged'): void;
  reopen(number: number): void;
  pullEvent(number: number, action: PullAction, o?: { readonly sender?: string }): Promise<Event>;
  deploymentEvent(o: Pick<DeploymentThen, 'sha'> & Partial<DeploymentThen>): Event;
  pushEvent(before: string, after: string): Event;
  scheduleEvent(): Event;
  dispatchEvent(): Event;
  commentEvent(pull: number, by: string, body: string): Event;
  /** Builds of this commit come to an end, as the hosting provider sees it. */
  build(sha: string): void;
  start(event: Event, o?: JobOptions): Promise<Running>;
  run(event: Event, o?: JobOptions): Promise<Outcome>;
  /** Names of what stands beside what others made, by place. */
  added(): Standing;
  ledger(scope: string): Promise<LedgerState>;
  /** Whether a run has the scope's lease at this moment. */
  isHeld(scope: string): Promise<boolean>;
  /** The commit at the end of the scope's receipts; `null` where there is no branch. */
  receipts(scope: string): Promise<string | null>;
  locksLeft(): Promise<readonly string[]>;
  /** Requests to providers since a moment. */
  requests(): number;
  /** Every secret that may stand nowhere but in environments and at providers. */
  secrets(): readonly string[];
}

export interface ShopOptions {
  /** Everything of the code host at one address with a port, its API below `/api/v3`. */
  readonly isSelfHosted?: boolean;
}

export async function openShop(context: Pick<TestContext, 'onTestFinished'>, o: ShopOptions = {}): Promise<Shop> {
  const { onTestFinished } = context;
  const world = createWorld();
  // A minute passes between two things that people do: the host's times have no milliseconds.
  let minutes = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + minutes * 60_000 };
  const codeHost = githubCi({ clock, repository: 'acme/shop' });
  const { full: token, readOnly: readOnlyToken } = codeHost.tokens;
  const host = codeHost.world;
  const served = await serve([...world.simulations, codeHost]);
  onTestFinished(() => served.stop());
  const remote = await startGitRemote({ user: 'x-access-token', password: token, readOnlyPassword: readOnlyToken, repo: 'acme/shop' });
  onTestFinished(() => remote.stop());
  const git = new URL(remote.url).origin;
  const front = await openFront({ git, api: served.base('github-ci'), hooks: served.base('github') });
  onTestFinished(() => front.stop());
  const place: Place = {
    repository: 'acme/shop',
    ...(o.isSelfHosted ? { server: front.origin, api: `${front.origin}/api/v3` } : { server: git, api: front.origin }),
  };
  const author = await openAuthor(context, remote);
  // The token's audience follows the tenant's address, which is a loopback one here.
  world.auth0.world.state.audiences.push(`${served.base('auth0')}/`);
  // A build takes until the test says that it is over.
  world.vercel.faults.readyAfter(1_000_000);
  whatOthersMade(world);
  const before = standing({ world });

  // No job's token may write webhooks, so the workflow maps one that may, under the name by which the recipe asks for it.
  const credentials: Readonly<Record<string, string>> = { ...world.credentials, PREVIEW_WEBHOOK_SECRET: 'preview-webhook-key-4f1d9a' };
  const { GITHUB_API_URL: _api, GITHUB_CI_API_URL: _ci, ...bases } = served.env;
  const env: Readonly<Record<string, string>> = { ...bases, ...credentials };
  const atHost = <T>(act: () => T): T => {
    minutes += 1;
    return act();
  };

  const start: Shop['start'] = async (event, options = {}) => {
    const { also = {}, workspace, env: own = env, ...rest } = options;
    const given = rest.token ?? token;
    const folder = workspace ?? (await checkout(context, { place, event, token: given }));
    const secrets = Object.values(credentials).filter((value) => Object.values(own).includes(value));
    return await startStep({ place, event, token: given, secrets, ...rest, env: { ...own, ...also }, workspace: folder }, context);
  };

  return {
    place,
    token,
    readOnlyToken,
    world,
    host,
    codeHost,
    remote,
    front,
    author,
    env,
    before,
    open: async (number, plan, { from, branch = `feature/${number}`, by } = {}) => {
      const to = from === undefined || from === 'acme/shop' ? branch : `refs/pull/${number}/head`;
      const sha = await author.commit(branch, { 'release.plan.yaml': plan }, to);
      atHost(() => host.open(number, sha, branch, from, by));
      world.vercel.world.push(branch, sha);
      return sha;
    },
    push: async (number, { plan, to }) => {
      const { branch } = host.pull(number);
      const sha =
        to === undefined
          ? await author.commit(branch, plan === undefined ? {} : { 'release.plan.yaml': plan })
          : await author.move(branch, to);
      atHost(() => host.push(number, sha));
      world.vercel.world.push(branch, sha);
      return sha;
    },
    close: (number, how) => void atHost(() => host.close(number, how)),
    reopen: (number) => void atHost(() => host.reopen(number)),
    pullEvent: async (number, action, { sender } = {}) => {
      const pull = host.pull(number);
      const { base, merge } = await author.merge(number, pull.head);
      const { state, head, branch, from, updated_at: updatedAt } = pull;
      const then = { number, state, head, branch, headRepository: from, base, merge, updatedAt };
      const more = { author: pull.author.login, labels: pull.labels, isDraft: pull.draft };
      // The workflow hears of an end by the event of the base.
      const isOfBase = ['closed', 'unlabeled', 'converted_to_draft'].includes(action);
      return pullRequest(place, action, { ...then, ...more, isMerged: pull.merged_at !== null }, { isOfBase, ...(sender && { sender }) });
    },
    deploymentEvent: (deployment) =>
      atHost(() =>
        deploymentStatus(place, {
          ref: deployment.sha,
          environment: 'Preview',
          state: 'success',
          url: 'https://shop-preview.vercel.app',
          at: new Date(clock.now()).toISOString(),
          ...deployment,
        }),
      ),
    scheduleEvent: () => schedule(place, author.main),
    dispatchEvent: () => workflowDispatch(place, author.main),
    commentEvent: (pull, by, body) => issueComment(place, author.main, { pull, author: by, body }),
    pushEvent: (from, to) => push(place, { before: from, after: to }),
    build: (sha) => {
      for (const deployment of world.vercel.world.deployments()) {
        if (deployment.sha === sha && deployment.endedAt === null) world.vercel.world.settle(deployment, 'READY');
      }
    },
    start,
    run: async (event, options) => {
      const outcome = await (await start(event, options)).ended;
      verifyHandled([...world.simulations, codeHost]);
      return outcome;
    },
    added: () => {
      const left = (have: readonly string[], were: readonly string[]): readonly string[] => {
        const rest = [...were];
        return have.filter((name) => {
          const at = rest.indexOf(name);
          if (at >= 0) rest.splice(at, 1);
          return at < 0;
        });
      };
      const now = Object.entries(standing({ world })).map(([where, names]) => [where, left(names, before[where] ?? [])] as const);
      return Object.fromEntries(now.filter(([, names]) => names.length > 0));
    },
    ledger: async (scope) => await ledgerOf(remote, branchOf(scope)),
    isHeld: async (scope) => {
      const text = await remote.git('show', `${branchOf(scope)}:.pilotfish/lease.json`).catch(() => null);
      const lease: { readonly released: unknown } = text === null ? { released: true } : JSON.parse(text);
      return lease.released === null;
    },
    receipts: async (scope) => (await remote.git('for-each-ref', '--format=%(objectname)', `refs/heads/${branchOf(scope)}`)) || null,
    locksLeft: async () => await locksLeft(remote),
    requests: () => world.simulations.reduce((sum, { log, unhandled }) => sum + log.length + unhandled.length, 0),
    // A client id is no secret, and the token endpoint's answer is one.
    secrets: () => [
      token,
      ...Object.entries(credentials).flatMap(([name, value]) => (name === 'AUTH0_CLIENT_ID' ? [] : [value])),
      ...madeSecrets({ world }),
    ],
  };
}
