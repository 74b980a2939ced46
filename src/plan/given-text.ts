import { isCommitId } from '../core/commit-id.ts';
import { door } from '../core/door.ts';
import { Failure } from '../core/errors.ts';
import { whyNotText } from '../core/plain-text.ts';
import { isCredential } from './secret-names.ts';

/** The longest text of each flag that a person, a workflow or an agent gives a run. */
export const longestText = {
  plan: 4_096,
  env: 100,
  scope: 255,
  branch: 500,
  sha: 64,
  only: 200,
  recreate: 200,
  'approved-by': 100,
  trace: 4_096,
  expect: 64,
  'plan-from': 64,
  'restore-ledger': 200,
  'trust-ledger': 64,
  run: 100,
  html: 4_096,
  add: 200,
  adopt: 200,
  'send-to': 255,
  'if-from': 200,
  with: 10_000,
  line: 4_096,
  folder: 4_096,
  report: 4_096,
  server: 200,
  state: 4_096,
} as const;

export type TextName = keyof typeof longestText;

/**
 * The mistake in a text that was given under a name, as `USAGE`; `null` where there is none. A run would take a blank text for another
 * text, or for none. The error does not repeat the text, because the text may hold anything.
 */
export function textFailure(name: TextName, text: string): Failure | null {
  const why = whyNotText(text, longestText[name]) ?? whyNoSuch[name]?.(text) ?? null;
  if (why === null) return null;
  return new Failure('USAGE', {
    detail: `${door.named(name)} ${why}.`,
    fix: `Give ${door.named(name)} a value of visible characters, or leave it out.`,
  });
}

/** Further rules for the text of one flag. */
const whyNoSuch: { readonly [name in TextName]?: (text: string) => string | null } = {
  'approved-by': (text) => whyNoApprover(text),
  // Anybody who may push a branch or a tag may move it.
  'plan-from': (text) => (isCommitId(text) ? null : 'is not the whole id of a commit'),
};

/** The receipt keeps the name for good and people read it. So it must hold no secret, and no character that turns or hides its neighbours. */
function whyNoApprover(text: string): string | null {
  if (/\p{Cf}/u.test(text)) return 'holds a character that does not show';
  return isCredential(text) ? 'holds what looks like a credential, and the receipt would keep it' : null;
}

/** The name of an approver as the receipt keeps it; `null` where the text cannot be a name. */
export function approverIn(text: string): string | null {
  const name = text.trim();
  return textFailure('approved-by', name) === null ? name : null;
}

interface GivenTexts {
  readonly plan: string | null;
  readonly environment: string;
  readonly scope: string | null;
  readonly branch: string | null;
  readonly sha: string | null;
  readonly only: readonly string[];
  readonly recreate: readonly string[];
  readonly expect: string | null;
  readonly planFrom?: string | null;
  readonly restoreLedger?: string | null;
  readonly trustLedger?: string | null;
  readonly approvedBy: string | null;
}

/** Every mistake in the texts of a request. */
export function textFailures(given: GivenTexts): readonly Failure[] {
  const texts: readonly (readonly [TextName, string | null | undefined])[] = [
    ['plan', given.plan],
    ['env', given.environment],
    ['scope', given.scope],
    ['branch', given.branch],
    ['sha', given.sha],
    ...given.only.map((id) => ['only', id] as const),
    ...given.recreate.map((id) => ['recreate', id] as const),
    ['expect', given.expect],
    ['plan-from', given.planFrom],
    ['restore-ledger', given.restoreLedger],
    ['trust-ledger', given.trustLedger],
    ['approved-by', given.approvedBy],
  ];
  return texts.flatMap(([name, text]) => (typeof text === 'string' ? (textFailure(name, text) ?? []) : []));
}
