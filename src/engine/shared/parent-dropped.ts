import { Failure } from '../../core/errors.ts';
import type { Collection } from '../../remote/collection.ts';
import { namesIn } from '../../remote/spelled-entries.ts';
import type { Ask } from './parent-ask.ts';

const nothing: Collection = { raw: null, entries: [], missing: true };

interface Seen {
  /** The collection as it was read last. */
  readonly collection: Collection | undefined;
  readonly batch: readonly Ask[];
}

/** Whether entries that others of this batch did not touch came or went since the first write. */
export function hasOthers({ before }: Ask, { collection = nothing, batch }: Seen): boolean {
  const names = namesIn(collection);
  const ours = new Set(batch.flatMap((ask) => [ask.item, ask.kept ?? ask.item]));
  return [...names, ...before].some((name) => names.has(name) !== before.has(name) && !ours.has(name));
}

/** The error of an entry that does not stand as wanted after these writes. It names another writer only where the list shows one. */
export function dropped(ask: Ask, seen: Seen): Failure {
  const what = ask.mode === 'remove' ? 'was removed and stands in the list' : 'was written and does not stand in the list';
  const said = `${ask.item} ${what} when it is read again, ${ask.writes === 1 ? 'once' : `${ask.writes} times`}`;
  return new Failure(
    'PROVIDER_RESPONSE',
    hasOthers(ask, seen)
      ? { detail: `${said}: another writer changed it meanwhile.`, fix: 'Run again when the other writer is done.' }
      : {
          detail: `${said}. Nobody else changed the list, so the provider does not do what it answers.`,
          fix: 'Check at the provider whether it takes this value, then change the line, or run again.',
        },
  );
}
