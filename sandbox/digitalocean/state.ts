import { hash } from 'node:crypto';
import { Ids } from '../kit/index.ts';

export type Spec = { [member: string]: unknown };

export interface Deployment {
  readonly id: string;
  readonly cause: string;
  readonly created_at: string;
  readonly spec: Spec;
  phase: string;
  updated_at: string;
  /** Looks that still see it on its way. */
  pollsLeft: number;
  polls: number;
}

export interface DoApp {
  readonly id: string;
  readonly created_at: string;
  updated_at: string;
  /** As the provider keeps it: secret values encrypted, routes as rules of the ingress. */
  spec: Spec;
  live_url: string;
}

export interface DigitalOceanState {
  apps: DoApp[];
  /** Of each app by its id, the newest first. */
  readonly deployments: Record<string, Deployment[]>;
  /** What encrypted values stand for. */
  readonly opened: Record<string, string>;
  /** Apps that the account may have. */
  appLimit: number;
  /** How deployments end. */
  ends: 'ACTIVE' | 'ERROR' | 'CANCELED';
  /** Code hosts that the account has given access to. */
  readonly codeHosts: string[];
  /** Whether a deployment goes back to building while it is deployed. */
  flaps: boolean;
  /** Whether the list of deployments begins with the oldest. */
  oldestFirst: boolean;
  /** Whether the token has a scope for apps; one of another account sees an empty list. */
  readonly hasScope: boolean;
}

export const emptyState = (hasScope = true): DigitalOceanState => ({
  apps: [],
  deployments: {},
  opened: {},
  appLimit: 100,
  ends: 'ACTIVE',
  codeHosts: [],
  flaps: false,
  oldestFirst: false,
  hasScope,
});

export const running = ['PENDING_BUILD', 'BUILDING', 'PENDING_DEPLOY', 'DEPLOYING'] as const;
export const isRunning = ({ phase }: Deployment): boolean => running.some((one) => one === phase);

export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** The provider's form of an encrypted value. */
export const encrypted = (text: string): string => `EV[1:${hash('sha1', text).slice(0, 32)}:${hash('sha1', `${text} `).slice(0, 24)}]`;

const hostOf = ({ spec }: DoApp): string =>
  `https://${String(spec.name)}-${hash('sha1', String(spec.name)).slice(0, 5)}.ondigitalocean.app`;

export const deploymentsOf = (state: DigitalOceanState, app: DoApp): Deployment[] => state.deployments[app.id] ?? [];

/** Makes what an account consists of, with ids in the provider's forms. */
export class Maker {
  readonly #ids = new Ids('digitalocean');

  id = (): string => this.#ids.uuid();

  deployment = (spec: Spec, cause: string, polls: number, now: number): Deployment => ({
    id: this.id(),
    cause,
    created_at: isoTime(now),
    spec: structuredClone(spec),
    phase: 'PENDING_BUILD',
    updated_at: isoTime(now),
    pollsLeft: polls,
    polls: 0,
  });
}

/** One look at an app: its deployment goes a step further, and ends with the last one. */
export function poll(state: DigitalOceanState, app: DoApp, now: number): void {
  const all = deploymentsOf(state, app);
  const on = all.find(isRunning);
  if (!on) return;
  on.polls += 1;
  on.updated_at = isoTime(now);
  if (on.pollsLeft > 0) {
    on.pollsLeft -= 1;
    const step = Math.min(on.polls, running.length - 1);
    on.phase = running[state.flaps && on.polls % 2 === 0 ? 1 : step] ?? 'BUILDING';
    return;
  }
  on.phase = state.ends;
  if (on.phase !== 'ACTIVE') return;
  for (const old of all) if (old !== on && old.phase === 'ACTIVE') old.phase = 'SUPERSEDED';
  if (app.live_url === '' && hasAddress(app.spec)) app.live_url = hostOf(app);
}

/** A new deployment takes over from one that is still on its way. */
export function start(state: DigitalOceanState, app: DoApp, deployment: Deployment): Deployment {
  const before = deploymentsOf(state, app);
  for (const old of before) if (isRunning(old)) old.phase = 'SUPERSEDED';
  state.deployments[app.id] = [deployment, ...before];
  return deployment;
}

const hasAddress = (spec: Spec): boolean =>
  ['services', 'static_sites', 'functions'].some((kind) => Array.isArray(spec[kind]) && spec[kind].length > 0);
