import type { Http } from '../../http/types.ts';
import type { Collection } from '../../remote/collection.ts';
import { readParent } from '../../remote/parent.ts';
import type { ParentSpec } from '../../remote/parent-spec.ts';
import type { Session } from '../session.ts';

/** Looks again, further and further apart, until `isMissing` says that it is there, or these seconds are over. */
export async function awaitShown(
  { clock }: Pick<Session, 'clock'>,
  { settle, signal }: { readonly settle: number; readonly signal: AbortSignal },
  isMissing: () => Promise<boolean>,
): Promise<void> {
  const began = clock.mono();
  for (let looks = 1; ; looks += 1) {
    const left = settle * 1000 - (clock.mono() - began);
    if (left <= 0) return;
    await clock.sleep(Math.min(left, looks * 1000, 10_000), signal);
    if (!(await isMissing())) return;
  }
}

/** The parent of an entry that an earlier run may have written as its first one, and that reads may show late. */
export async function readShown(session: Session, http: Http, parent: ParentSpec, signal: AbortSignal): Promise<Collection> {
  let read = await readParent(http, parent, { signal, share: false });
  if (!read.missing || parent.settle === undefined) return read;
  await awaitShown(session, { settle: parent.settle, signal }, async () => {
    read = await readParent(http, parent, { signal, share: false });
    return read.missing;
  });
  return read;
}
