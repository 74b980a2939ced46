import { Failure } from '../../src/core/errors.ts';
import type { ApplyDoc, ApplyLineDoc, RunEvent, RunStatus, Verdict } from '../../src/engine/document.ts';

/** A made run: what each of its lines is, where it stands in the middle, and how it ends. */
export interface Made {
  readonly lines: readonly MadeLine[];
}

export interface MadeLine {
  readonly id: string;
  readonly kind: { readonly adapter: string; readonly op: string; readonly recipe?: string };
  readonly after: readonly string[];
  readonly verdict: Verdict;
  /** The state in the middle of the run. */
  readonly middle: string;
  readonly wait?: string;
  /** It ends badly. */
  readonly error?: Failure;
  /** The failed line that keeps it from its turn. */
  readonly because?: string;
  readonly end: string;
}

const kinds = [
  { name: 'database', kind: { adapter: 'neon', op: 'branch' }, wait: 'the branch is init' },
  { name: 'preview', kind: { adapter: 'vercel', op: 'deployment' }, wait: 'the deployment is BUILDING; it is looked at again in 10 s' },
  { name: 'env-database-url', kind: { adapter: 'vercel', op: 'env' }, wait: 'the project is being changed' },
  { name: 'callback', kind: { adapter: 'http', op: 'list_item', recipe: 'auth0.callback_url' }, wait: 'for the lock on clients/abc' },
  { name: 'webhook', kind: { adapter: 'http', op: 'resource', recipe: 'stripe.webhook' }, wait: 'the endpoint is disabled' },
] as const;

const verdicts: readonly Verdict[] = ['none', 'create', 'none', 'update', 'none'];
const work = ['creating', 'awaiting', 'recordingIntent', 'observing', 'updating'];

/** `count` lines in groups of five. In the middle three fifths are done, one in 20 has failed if `fails`, and the last fifth waits. */
export function made(count: number, { fails = false }: { readonly fails?: boolean } = {}): Made {
  const ids = new Map<string, number>();
  const nameOf = (i: number): string => `${kinds[i % 5]?.name}${count > 5 ? `-${Math.floor(i / 5) + 1}` : ''}`;
  const broken = (i: number): boolean => fails && (count > 5 ? i % 20 === 5 : i === 2);
  const lines = Array.from({ length: count }, (_, i): MadeLine => {
    const first = i - (i % 5);
    const after = i % 5 < 2 ? [] : [nameOf(first), nameOf(first + 1)].filter((_, j) => j === 0 || i % 5 > 2);
    const { kind, wait } = kinds[i % 5] ?? kinds[0];
    const verdict = verdicts[i % verdicts.length] ?? 'none';
    const isBad = broken(i);
    const before = after.map((id) => ids.get(id) ?? -1).some(broken);
    const middle = isBad
      ? 'failed'
      : before
        ? 'skipped'
        : i < count * 0.6
          ? 'settled'
          : i < count * 0.8
            ? (work[i % 5] ?? 'creating')
            : 'waiting';
    ids.set(nameOf(i), i);
    return {
      id: nameOf(i),
      kind,
      after,
      verdict: isBad ? 'failed' : before ? 'pending' : verdict,
      middle,
      ...(middle === 'awaiting' && { wait }),
      ...(isBad && {
        error: new Failure('PROVIDER_QUOTA', { detail: `${nameOf(i)}: the project has 10 branches, and its plan allows 10.` }),
      }),
      ...(before && { because: after.find((id) => broken(ids.get(id) ?? -1)) ?? '' }),
      end: isBad ? 'failed' : before ? 'skipped' : 'settled',
    };
  });
  return { lines };
}

/** Up to the middle of the run. */
export function firstHalf({ lines }: Made): RunEvent[] {
  const at = 0;
  const began: RunEvent[] = [
    { type: 'run', state: 'begun', lines: lines.length, at },
    { type: 'lines', lines: lines.map(({ id, after, kind }) => ({ id, after, ...kind })), at },
  ];
  return [...began, ...lines.flatMap((line) => steps(line, line.middle))];
}

/** From there to the end. */
export const secondHalf = ({ lines }: Made): RunEvent[] =>
  lines.filter(({ middle, end }) => middle !== end).flatMap((line) => steps(line, line.end));

function steps({ id, verdict, wait, error, because }: MadeLine, to: string): RunEvent[] {
  const at = 0;
  if (to === 'waiting') return [];
  const moved = (from: string, state: string, more: { because?: string } = {}): RunEvent => ({
    type: 'line',
    line: id,
    from,
    to: state,
    event: 'e',
    ...more,
    at,
  });
  if (to === 'observing') return [moved('waiting', to)];
  if (because !== undefined && to === 'skipped') return [moved('waiting', to, { because })];
  return [
    moved('waiting', 'observing'),
    { type: 'verdict', line: id, verdict, why: '', drift: 'none', changes: [], lock: null, at },
    ...(error ? [{ type: 'failure', line: id, error: error.toData(), at } as const] : []),
    moved('observing', to),
    ...(wait && to === 'awaiting' ? [{ type: 'wait', line: id, detail: wait, at } as const] : []),
  ];
}

/** The document at the end, or of a run that was interrupted in the middle. */
export function documentOf({ lines }: Made, status: RunStatus): ApplyDoc {
  const stateOf = (line: MadeLine): string =>
    status !== 'interrupted' || ['settled', 'failed', 'skipped'].includes(line.middle) ? line.end : 'interrupted';
  const docs = lines.map(
    (line, i): ApplyLineDoc => ({
      id: line.id,
      ...line.kind,
      state: stateOf(line),
      verdict: stateOf(line) === 'interrupted' ? 'pending' : line.verdict,
      after: line.after,
      drift: 'none',
      changes: [],
      ms: 300 + i * 10,
      requests: 1 + (i % 3),
      ...(line.error && { error: line.error.toData() }),
      ...(line.because !== undefined && stateOf(line) === 'skipped' && { code: 'DEPENDENCY_FAILED', because: [line.because] }),
    }),
  );
  const [bad] = docs.flatMap(({ error }) => (error ? [error] : []));
  return {
    schema: 1,
    ok: status === 'complete',
    command: 'apply',
    status,
    environment: 'preview',
    scope: 'pr-12',
    runId: 'r-20261121-203301',
    digest: 'd41d8cd98f00',
    lines: docs,
    outputs: { preview: { url: 'https://shop-pr-12.vercel.app' } },
    receipt: { branch: 'pilotfish-receipts/preview/pr-12', commit: '0123456789abcdef' },
    stats: { requests: lines.length * 2, writes: lines.length, fetches: 1, pushes: 3, lockPushes: 0, ms: 47_300 },
    warnings: [],
    orphans: [],
    ...(bad && { error: bad }),
  };
}
