import type { Printer } from '../../core/fingerprint.ts';
import type { LedgerRecord } from '../../ledger/model/facts.ts';
import { isMask, isOtherForm } from '../../remote/forms.ts';
import type { LiveValue } from '../../remote/live-object.ts';
import type { Value } from '../../remote/value.ts';
import { referenceOf, secretText, shownText, type Unseen } from './compare.ts';
import { isEmpty } from './not-kept.ts';

interface Shown {
  readonly field: string;
  readonly want: Value;
  readonly live: Exclude<LiveValue, Unseen>;
  readonly record: LedgerRecord | null;
  readonly printer: Printer;
  /** The write's own answer, which may leave out what a read shows. */
  readonly isAnswer: boolean;
  /** Another text stood there before the write. */
  readonly isNew: boolean;
  /** The secret was written twice, so the text there is the form in which the provider shows it. */
  readonly isSure: boolean;
}

/**
 * Judges the text in the place of a secret that the provider does not show as sent: nothing, a mask, a digest, a cipher text. Gives the
 * fingerprint of that text; `null` when it may be another secret, or is not yet known.
 */
export async function shownSecret(o: Shown): Promise<string | null> {
  const text = shownText(o.live);
  const isAccepted =
    isOtherForm(secretText(o.want), text, { isLoose: true }) ||
    (o.isAnswer && o.isNew && !isEmpty(o.live)) ||
    isMask(o.live) ||
    (isEmpty(o.live) && !(o.isAnswer && o.live === undefined)) ||
    (await isConstant(o, text)) ||
    (o.isSure && !(await isPrinted(o, text)));
  return isAccepted ? await o.printer.print(text, referenceOf(o.want)) : null;
}

interface Printed {
  readonly field: string;
  readonly record: LedgerRecord | null;
  readonly printer: Printer;
}

/** Whether an earlier run sent this secret of the plan. Callers ask when something else stood there at the look. */
export async function isSentBefore(o: Printed, want: Value): Promise<boolean> {
  return await isPrinted(o, secretText(want));
}

/** Whether the provider shows one text in place of any secret: the text stood there for the last secret, and was not that secret. */
async function isConstant(o: Printed, text: string): Promise<boolean> {
  const kept = o.record?.kept?.[o.field];
  return kept !== undefined && (await o.printer.matches(kept, text)) && !(await isPrinted(o, text));
}

async function isPrinted({ record, field, printer }: Printed, text: string): Promise<boolean> {
  const print = record?.fingerprints[field];
  return print !== undefined && (await printer.matches(print, text));
}
