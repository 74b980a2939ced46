import { createHash, randomBytes } from 'node:crypto';
import type { Failure } from '../../../core/errors.ts';
import { isMap } from '../../../core/json.ts';
import { readXml } from '../../../http/encodings/xml-read.ts';
import { isLedgerDamage } from '../../model/state.ts';
import { type Branch, branchIn, contentFor, corrupt, type Edit, editBetween, edited, storedIn, type Texts } from '../local/local-file.ts';
import { type Patience, persist, type RemoteTrouble } from '../patience.ts';
import type { Answered, Asked, S3Link } from './s3-link.ts';
import { leftOpen, unconditional, unreachable } from './s3-refusal.ts';

/** The texts of a large branch, in an object that never changes. */
interface Snapshot {
  readonly id: string;
  readonly files: Texts;
}

/** The object of a branch as it stands. All members are `null` where there is none. */
export interface Look {
  readonly etag: string | null;
  /** `null` also where the object only tells that the branch was removed, and by which removal. */
  readonly head: string | null;
  readonly branch: Branch | null;
  readonly removal: string | null;
  readonly snapshot: Snapshot | null;
  /** Why the branch cannot be read. */
  readonly damage: Failure | null;
}

export const nothing: Look = { etag: null, head: null, branch: null, removal: null, snapshot: null, damage: null };

/** Bytes of the mark of a removed branch, at most. The object of a branch is larger. */
const markSize = 64;
/** Bytes of texts that stand in the object of a branch itself. */
const inlineMost = 256 * 1024;
/** Bytes of the older commits in it. The two before the newest stay in any case. */
const olderMost = 512 * 1024;

/** The objects of a ledger: one for each branch, one more for the texts of a large branch. */
export class S3Objects {
  readonly link: S3Link;
  /** Whether the store compares ETags without their quotes, as the probe found. */
  hasBareTags = false;
  readonly #patience: Patience;

  constructor(link: S3Link, patience: Patience) {
    this.link = link;
    this.#patience = patience;
  }

  /** Repeats a request while trouble may pass. A condition that does not hold on a later attempt may be the work of an earlier one. */
  ask(asked: Asked, mayHaveLanded = false): Promise<Answered> {
    return this.repeated(() => this.link.ask(asked), mayHaveLanded);
  }

  async repeated<T>(work: () => Promise<T>, isOfWrite = false): Promise<T> {
    let mayHaveLanded = isOfWrite;
    const mayBeSent = ({ wasSent }: RemoteTrouble): boolean => {
      mayHaveLanded ||= wasSent;
      return mayHaveLanded;
    };
    const over = async ({ message }: RemoteTrouble): Promise<Failure> => unreachable(this.link.refuser, message);
    try {
      return await persist(this.#patience, { mayBeSent, over }, work);
    } catch (thrown) {
      throw mayHaveLanded ? leftOpen(thrown) : thrown;
    }
  }

  /** `mayHaveLanded`: the look is for the outcome of a write, which an earlier attempt or a proxy may have landed. */
  async look(ref: string, mayHaveLanded = false): Promise<Look> {
    for (let looks = 1; ; looks += 1) {
      const { status, etag, bytes } = await this.ask({ method: 'GET', key: branchKey(ref) }, mayHaveLanded);
      if (status !== 200) return nothing;
      const content = Buffer.from(bytes);
      if (content.length <= markSize) return { ...nothing, etag: this.#told(etag), removal: content.toString('utf8') };
      const head = headOf(this.#told(etag));
      const place = this.placeOf(branchKey(ref));
      try {
        const { texts, ...stored } = storedIn(content, ref, place);
        const snapshot = texts === undefined ? null : await this.#snapshot(ref, texts, mayHaveLanded);
        // An append that came in between took the texts away, so the object of the branch has changed.
        if (snapshot === null && texts !== undefined && looks < 4) continue;
        if (snapshot === null && texts !== undefined)
          throw corrupt(ref, place, `its texts, the object ${textsKey(ref, texts)}, are missing`);
        const branch = { ...stored, head, id: stored.head, files: edited(snapshot?.files ?? new Map(), stored.files) };
        return { ...nothing, etag, head, branch, snapshot };
      } catch (damage) {
        if (!isLedgerDamage(damage)) throw damage;
        return { ...nothing, etag, head, damage };
      }
    }
  }

  /** The head alone. */
  async head(ref: string): Promise<string | null> {
    const { status, etag, size } = await this.ask({ method: 'HEAD', key: branchKey(ref) });
    return status === 200 && size > markSize ? headOf(this.#told(etag)) : null;
  }

  /** Branches whose refs start with `prefix`, with their heads: a page of a thousand objects at a time, in the order of the refs. */
  async *pages(prefix: string): AsyncGenerator<readonly { readonly ref: string; readonly head: string }[]> {
    const start = `${this.link.refuser.address.prefix}${branchKey('')}`;
    for await (const page of this.#listed(`${start}${prefix}`)) {
      yield page.flatMap(({ key, etag, size }) => (size > markSize ? [{ ref: key.slice(start.length), head: headOf(etag) }] : []));
    }
  }

  /**
   * Puts the next commit of a branch where `look` saw the last one. The texts of a large branch are written first, under a name of their own, so a
   * crash in between leaves an object that nothing names. Gives the new look; `null` when the head is not the one that was seen.
   */
  async put(ref: string, next: Branch, look: Look): Promise<Look | null> {
    const id = next.head;
    const { snapshot, files, isNew } = laidOut(next, look.snapshot, id);
    if (snapshot !== null && isNew) {
      const body = contentFor(ref, { head: id, message: '', number: next.number, files: snapshot.files, older: [] });
      await this.ask({ method: 'PUT', key: textsKey(ref, id), body: Buffer.concat(body) });
    }
    const stored = { ...next, files, older: kept(next.older), ...(snapshot && { texts: snapshot.id }) };
    const body = Buffer.concat(contentFor(ref, stored));
    for (let { etag } = look; ; ) {
      const answer = await this.ask({ method: 'PUT', key: branchKey(ref), body, headers: this.conditionOf(etag) });
      const isDone = answer.status === 200 && answer.etag !== '';
      const branch = { ...next, older: stored.older, id };
      const now = isDone
        ? { ...nothing, etag: answer.etag, head: headOf(answer.etag), snapshot, branch: { ...branch, head: headOf(answer.etag) } }
        : await this.look(ref, true);
      if (now.branch?.id === id) {
        if (look.snapshot !== null && look.snapshot.id !== snapshot?.id) await this.drop(textsKey(ref, look.snapshot.id));
        return now;
      }
      if (now.damage) throw now.damage;
      // Another machine has built on this commit.
      const own = now.branch?.older.find((one) => one.id === id);
      if (own) return { ...nothing, head: own.head };
      // The mark of a removed branch stands where there was nothing, or an earlier mark.
      const isFree = now.branch === null && look.branch === null && now.etag !== etag;
      if (!isFree) {
        if (isNew) await this.drop(textsKey(ref, id));
        return null;
      }
      ({ etag } = now);
    }
  }

  /**
   * Marks a branch as removed where `look` saw its last commit; `false` when the head is another one. The mark stays: few stores delete an
   * object only while it is the expected one.
   */
  async remove(ref: string, { etag }: Look): Promise<boolean> {
    const mark = `removed ${randomBytes(16).toString('hex')}\n`;
    const { status, at: now } = await this.ask({
      method: 'PUT',
      key: branchKey(ref),
      body: Buffer.from(mark),
      headers: this.conditionOf(etag),
    });
    if (status !== 200 && (await this.look(ref, true)).removal !== mark) return false;
    const { prefix } = this.link.refuser.address;
    for await (const page of this.#listed(`${prefix}${textsKey(ref, '')}`)) {
      // The texts of a younger one may belong to the branch that another machine has begun anew.
      for (const { key, at } of page) if (at < now - dayMs) await this.drop(key.slice(prefix.length));
    }
    return true;
  }

  /** Takes away an object that nothing names. One that stays harms nobody. */
  async drop(key: string): Promise<void> {
    await this.link.ask({ method: 'DELETE', key }).catch(() => undefined);
  }

  placeOf(key: string): string {
    const { bucket, prefix } = this.link.refuser.address;
    return `s3://${bucket}/${prefix}${key}`;
  }

  async #snapshot(ref: string, id: string, mayHaveLanded: boolean): Promise<Snapshot | null> {
    const { status, bytes } = await this.ask({ method: 'GET', key: textsKey(ref, id) }, mayHaveLanded);
    return status === 200 ? { id, files: branchIn(Buffer.from(bytes), ref, this.placeOf(textsKey(ref, id))).files } : null;
  }

  async *#listed(prefix: string): AsyncGenerator<readonly { key: string; etag: string; size: number; at: number }[]> {
    for (let token: string | null = null; ; ) {
      const query = { 'list-type': '2', prefix, ...(token !== null && { 'continuation-token': token }) };
      const { bytes } = await this.ask({ method: 'GET', query });
      const read = readXml(Buffer.from(bytes).toString('utf8'));
      const { Contents = [], NextContinuationToken: next } = isMap(read) && isMap(read.ListBucketResult) ? read.ListBucketResult : {};
      yield [Contents]
        .flat()
        .flatMap((one) =>
          isMap(one)
            ? [{ key: String(one.Key), etag: String(one.ETag), size: Number(one.Size), at: Date.parse(String(one.LastModified)) }]
            : [],
        );
      if (typeof next !== 'string' || next === '') return;
      token = next;
    }
  }

  /** The condition of a write: the object with this ETag stands, or none does. */
  conditionOf(etag: string | null): Record<string, string> {
    return etag === null ? { 'if-none-match': '*' } : { 'if-match': this.hasBareTags ? etag.replaceAll('"', '') : etag };
  }

  #told(etag: string): string {
    if (etag === '') throw unconditional(this.link.refuser, 'its answers name no ETag');
    return etag;
  }
}

const dayMs = 24 * 3_600_000;
const branchKey = (ref: string): string => `branches/${ref}`;
const textsKey = (ref: string, id: string): string => `texts/${ref}/${id}`;

/** Each commit has an id of its own in its object, so no two of them have one ETag. */
const headOf = (etag: string): string =>
  createHash('sha256')
    .update(etag.replace(/^W\/|"/g, ''))
    .digest('hex')
    .slice(0, 40);

const sizeOf = (texts: Edit): number => [...texts.values()].reduce((sum, text) => sum + (text?.length ?? 0), 0);

/** Where the texts of a commit stand: in the object of the branch, or there as changes of a snapshot. */
function laidOut({ files }: Branch, last: Snapshot | null, id: string): { snapshot: Snapshot | null; files: Edit; isNew: boolean } {
  if (sizeOf(files) <= inlineMost) return { snapshot: null, files, isNew: false };
  const change = last && editBetween(last.files, files);
  if (change && sizeOf(change) <= inlineMost) return { snapshot: last, files: change, isNew: false };
  return { snapshot: { id, files }, files: new Map(), isNew: true };
}

/** Every append sends the older commits again, so they are kept small. */
function kept(older: Branch['older']): Branch['older'] {
  let size = 0;
  const end = older.findIndex(({ undo }) => {
    size += sizeOf(undo);
    return size > olderMost;
  });
  return end < 0 ? older : older.slice(0, Math.max(end, 2));
}
