import { seed } from 'pilotfish-sandbox/all';
import { errorTable } from '../../src/core/error-table.ts';
import { quotations } from '../leaks/spellings.ts';
import type { Outcome } from './kind.ts';
import { type Ended, plantedSecret, type World } from './world.ts';

interface ToldError {
  readonly code: string;
  readonly detail: string;
  readonly fix: string;
  readonly place?: string;
}

/** Longer than every timeout of a run together: whoever waits this long waits for ever. */
const maxWaitMs = 60 * 60_000;

export interface Expectation {
  /** The command line asked for JSON. */
  readonly json: boolean;
  /** What is wrong with an error that does not say where it stands; `null` when it does. */
  readonly placeless?: (error: ToldError) => boolean;
}

/** Whether one invocation kept every promise that holds whatever it was given. */
export function judge(ended: Ended, world: World, expected: Expectation): Outcome {
  const text = ended.stdout + ended.stderr;
  const errors = expected.json ? errorsOf(ended.stdout) : [];
  const codes = errors?.map(({ code }) => code) ?? [];
  const finding =
    problemOf(ended, text) ??
    (errors === null ? `stdout is not one JSON document: ${firstWords(ended.stdout)}` : null) ??
    (expected.json ? documentProblem(ended) : null) ??
    leakOf(text, world) ??
    errors?.map((error) => errorProblem(error, expected)).find((problem) => problem !== null) ??
    null;
  return { codes, finding };
}

function problemOf(ended: Ended, text: string): string | null {
  if (ended.thrown !== null) return `main threw ${shown(ended.thrown)}`;
  const internal = /INTERNAL[\s\S]{0,400}/.exec(text);
  if (internal) return `INTERNAL: ${detailAfter(internal[0])}`;
  const stack = /^\s+at .*:\d+:\d+\)?$/m.exec(text);
  if (stack) return `a stack trace: ${stack[0].trim()}`;
  if (![0, 1, 2, 3].includes(ended.exit)) return `exit code ${ended.exit}`;
  if (ended.waitedMs > maxWaitMs) return `a run that takes ${duration(ended.waitedMs)}`;
  return null;
}

/** Orders of magnitude, so that equal defects have equal sentences. */
const duration = (ms: number): string => (ms > 1e12 ? 'for ever' : ms > 86_400_000 ? 'days' : 'hours');

const detailAfter = (text: string): string => {
  const detail = /"detail": "((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text.split('\n').slice(0, 3).join(' ');
  return detail.slice(0, 160);
};

export function shown(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}`.slice(0, 200) : String(thrown).slice(0, 200);
}

/** `null` when stdout is not exactly one document. */
function errorsOf(stdout: string): readonly ToldError[] | null {
  const document = parsed(stdout);
  if (document === null) return null;
  const { error, errors, lines } = document;
  const own = Array.isArray(errors) ? errors : error === undefined || error === null ? [] : [error];
  const ofLines = Array.isArray(lines) ? lines.flatMap((line: { error?: unknown }) => line.error ?? []) : [];
  return [...own, ...ofLines];
}

function parsed(stdout: string): { ok?: unknown; error?: unknown; errors?: unknown; lines?: unknown } | null {
  try {
    const document: unknown = JSON.parse(stdout);
    return typeof document === 'object' && document !== null && !Array.isArray(document) ? document : null;
  } catch {
    return null;
  }
}

function documentProblem({ stdout, exit }: Ended): string | null {
  const document = parsed(stdout);
  return document?.ok === (exit === 0) ? null : `ok is ${String(document?.ok)} and the exit code is ${exit}`;
}

/** Secrets of the environment: the planted one and every credential. */
function leakOf(text: string, world: World): string | null {
  const { AUTH0_CLIENT_ID: _public, AUTH0_API_URL: _address, ...secret } = world.env;
  for (const [name, value] of Object.entries({ ...secret, PREVIEW_WEBHOOK_SECRET: plantedSecret })) {
    if (quotations(value).some((quotation) => text.includes(quotation))) return `the value of ${name} was told`;
  }
  return null;
}

function errorProblem(error: ToldError, { placeless }: Expectation): string | null {
  if (!Object.hasOwn(errorTable, error.code)) return `an error without a known code: ${JSON.stringify(error).slice(0, 120)}`;
  if (typeof error.detail !== 'string' || error.detail.trim() === '') return `${error.code} says nothing`;
  if (typeof error.fix !== 'string' || error.fix.trim() === '') return `${error.code} has no fix`;
  if (/(?<!received |")\b(undefined|NaN|\[object Object\])\b/.test(error.detail))
    return `${error.code} tells of undefined: ${error.detail.slice(0, 120)}`;
  if (placeless?.(error)) return `${error.code} does not name its place: ${error.detail.slice(0, 160)}`;
  return null;
}

/** A plan writes nothing anywhere. */
export function writtenByPlan(world: World): string | null {
  const [first] = world.writes().filter((one) => !one.endsWith('/oauth/token'));
  if (first !== undefined) return `plan wrote at a provider: ${first.split(' ').slice(0, 2).join(' ')}`;
  return world.remote.commits.length > 0 ? 'plan wrote to the ledger' : null;
}

/** Two objects where plans want one. */
export function duplicateProblem(world: World): string | null {
  const { cloudflare, github, stripe, auth0 } = world.company;
  const callbacks = auth0.world.client(seed.auth0Client).callbacks;
  const names = [
    ...cloudflare.world.records(seed.zone.id).map(({ type, name }) => `DNS record ${type} ${name}`),
    ...github.world.hooks(seed.repository).map(({ config }) => `repository hook ${config.url}`),
    ...stripe.world.endpoints().map(({ url }) => `endpoint ${url}`),
    ...(Array.isArray(callbacks) ? callbacks.map((one) => `callback ${String(one)}`) : []),
  ];
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return twice === undefined ? null : `a second object: ${twice.split(' ').slice(0, -1).join(' ')}`;
}

const firstWords = (text: string): string => (text === '' ? 'it is empty' : JSON.stringify(text.slice(0, 60)));
