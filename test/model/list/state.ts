/** The rules of the protocol that are about a list which two scopes share. */
export const listRuleTexts = {
  lock: 'A list is written only under the lock of its parent.',
  readUnderLock: 'What is written rests on a read that was made under the lock.',
  lockMargin: 'A write is sent only with more of the lock left than one request may take.',
  lockCheckedAtEachSend: 'The lock is looked at before each send, also before a repeat.',
  lockQuietAfterTakeover: 'After a takeover nothing is read or written for one deadline.',
  lockQuietInRelease: 'A release while a write is unanswered says how long it may still land, and the next holder waits.',
  verify: 'A line settles only when a read after the write shows its entry.',
} as const;

export type ListRuleName = keyof typeof listRuleTexts;
export type ListRules = { readonly [name in ListRuleName]: boolean };
export const listRuleNames = Object.keys(listRuleTexts) as readonly ListRuleName[];
export const listRulesWithout = (...gone: readonly ListRuleName[]): ListRules =>
  Object.fromEntries(listRuleNames.map((name) => [name, !gone.includes(name)])) as ListRules;

export interface ListWorld {
  readonly deadline: number;
  readonly lease: number;
  readonly skew: number;
  /** Sends of one write, and writes of one batch. */
  readonly sends: number;
  readonly writes: number;
  readonly rules: ListRules;
}

/** Entries as bits: what a person put there, and one of each scope. */
export const persons = 1;
export const entryOf = (name: Name): number => (name === 0 ? 2 : 4);

export type Name = 0 | 1;
export const names = ['A', 'B'] as const;

export interface Lock {
  readonly run: Name;
  readonly held: boolean;
  readonly quietFor: number;
  /** The quiet moment at its beginning comes on top of its length. */
  readonly length: number;
}

export interface Run {
  readonly at:
    | 'off'
    | 'looking'
    | 'locking'
    | 'waiting'
    | 'reading'
    | 'writing'
    | 'sent'
    | 'verifying'
    | 'unlocking'
    | 'settled'
    | 'failed';
  readonly known: Lock | null;
  readonly isFresh: boolean;
  readonly held: number;
  readonly length: number;
  readonly seen: number;
  readonly quiet: number;
  readonly unanswered: number;
  readonly age: number;
  /** What the request under way did. */
  readonly outcome: 'none' | 'landed' | 'dropped';
  /** The list as it was read, with our entry: what is written. */
  readonly body: number;
  readonly sends: number;
  readonly writes: number;
}

export interface State {
  readonly list: number;
  readonly lock: Lock | null;
  readonly runs: readonly [Run, Run];
  readonly late: readonly { readonly age: number; readonly body: number }[];
  /** The provider already said "done" once and stored nothing. */
  readonly dropped: boolean;
}

export const offRun: Run = {
  at: 'off',
  known: null,
  isFresh: false,
  held: 0,
  length: 0,
  seen: 0,
  quiet: 0,
  unanswered: 0,
  age: 0,
  outcome: 'none',
  body: 0,
  sends: 0,
  writes: 0,
};

export const over = (at: 'settled' | 'failed'): Run => ({ ...offRun, at });
export const isActive = ({ at }: Run): boolean => at !== 'off' && at !== 'settled' && at !== 'failed';
export const holdsLock = ({ at }: Run): boolean => ['reading', 'writing', 'sent', 'verifying', 'unlocking'].includes(at);

const places = [
  'off',
  'looking',
  'locking',
  'waiting',
  'reading',
  'writing',
  'sent',
  'verifying',
  'unlocking',
  'settled',
  'failed',
] as const;

/** Equal for states that differ only in which of the two scopes is called A. */
export function encode(state: State): string {
  const straight = write(state, false);
  const mirrored = write(state, true);
  return straight < mirrored ? straight : mirrored;
}

function write({ list, lock, runs, late, dropped }: State, isMirrored: boolean): string {
  const entries = (bits: number): number => (isMirrored ? (bits & persons) | ((bits & 2) << 1) | ((bits & 4) >> 1) : bits);
  const name = (run: Name): number => (isMirrored ? 1 - run : run);
  const lockText = (one: Lock | null): number[] =>
    one === null ? [0] : [1 + name(one.run) + (one.held ? 2 : 0), one.quietFor, one.length];
  const out = [entries(list), dropped ? 1 : 0, ...lockText(lock)];
  for (const run of isMirrored ? [runs[1], runs[0]] : runs) {
    out.push(50 + places.indexOf(run.at));
    if (!isActive(run)) continue;
    out.push(run.held, run.length, run.seen, run.quiet, run.unanswered, run.age, run.outcome.charCodeAt(0), entries(run.body));
    out.push(run.sends + 8 * run.writes + (run.isFresh ? 64 : 0));
    if (!run.isFresh) out.push(...lockText(run.known));
  }
  out.push(99, ...late.map(({ age, body }) => age * 8 + entries(body)).sort((a, b) => a - b));
  return String.fromCharCode(...out);
}
