import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../../core/canonical.ts';
import type { HistoryEntry, Renewal } from '../model/facts.ts';
import type { Place, SealKey } from './lists.ts';

/** A line of history holds at most this many codes. A sweep needs one of them. */
const mostSeals = 16;
const sealSigns = 32;

/** The line of history that a run's last push adds, with a code for its renewal under each key. `on`: the commit that the push is built on. */
export function sealRenewal(entry: HistoryEntry, keys: Iterable<SealKey>, place: Place, on: string | null): HistoryEntry {
  if (!entry.renewed) return entry;
  const { seals: _old, ...renewed } = entry.renewed;
  const codes = [...keys].slice(0, mostSeals).map((key) => [key.id, codeOf({ ...entry, renewed }, key, place, on)]);
  return { ...entry, renewed: codes.length > 0 ? { ...renewed, seals: Object.fromEntries(codes) } : renewed };
}

/**
 * Whether one of these keys sealed the renewal of a line of history, in a commit built on `on`. A commit of somebody else that puts an older
 * line back is built on another one.
 */
export function isRenewalSealed(entry: HistoryEntry, keys: Iterable<SealKey>, place: Place, on: string | null): boolean {
  const seals = entry.renewed?.seals ?? {};
  return [...keys].some((key) => {
    const [is, must] = [Buffer.from(seals[key.id] ?? ''), Buffer.from(codeOf(entry, key, place, on))];
    return is.length === must.length && timingSafeEqual(is, must);
  });
}

function codeOf(
  { run, pr, renewed }: Pick<HistoryEntry, 'run' | 'pr'> & { readonly renewed?: Renewal },
  { bytes }: SealKey,
  { repository, branch }: Place,
  on: string | null,
): string {
  const { at, staysMs, label } = renewed ?? {};
  const text = canonicalJson(['pilotfish renewal', repository, branch, on, run, pr, at ?? null, staysMs ?? null, label ?? null]);
  return createHmac('sha256', bytes).update(text).digest('hex').slice(0, sealSigns);
}
