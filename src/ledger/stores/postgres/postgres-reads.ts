import { bounds, inMb } from '../../../core/bounds.ts';
import { Failure } from '../../../core/errors.ts';
import type { FileThen, Tree } from '../store.ts';
import { tooLarge } from '../too-large.ts';
import type { Answer, Link } from './postgres-link.ts';
import { quoted } from './postgres-schema.ts';

/** A commit with its number in the branch. */
export interface Read extends Tree {
  readonly number: number;
  /** Whether the branch still has the known commit. */
  readonly hasKnown: boolean;
}

const fix = 'Remove the large rows from the table `files` of the ledger, or restore the database to a moment before them.';

/**
 * Reads one commit with its files by one query: the newest commit, or the one whose head begins with `start`. `known`: a head to look for in
 * the history of the branch. The server measures the sizes, and sends no text that is too large.
 */
export async function readCommit(
  link: Link,
  schema: string,
  o: { readonly ref: string; readonly start?: string; readonly known?: string | null },
): Promise<Read | null> {
  const s = quoted(schema);
  const { rows } = await link.query(
    `with one as (
       select c.* from ${s}.commits c join ${s}.branches b on b.id = c.branch
       where b.ref = $1 and (case when $2::text is null then c.head = b.head else starts_with(c.head, $2) end)
       order by c.number desc limit 1
     ), f as (
       select f.path, f.content, octet_length(f.content) as size from ${s}.files f join one on f.branch = one.branch
       where f.since <= one.number and (f.until is null or f.until > one.number)
     ), m as (
       select count(*) as files, coalesce(sum(size), 0) as total, coalesce(max(size), 0) as largest from f
     )
     select null as path, null::bytea as content, one.head, one.number, one.parent, m.files, m.total, m.largest,
       octet_length(one.message) as length, case when octet_length(one.message) <= $6 then one.message end as message,
       exists (select 1 from ${s}.commits k where k.branch = one.branch and k.head = $7) as known
     from one, m
     union all
     select f.path, f.content, null, null, null, null, null, null, null, null, null
     from f, m where m.files <= $3 and m.total <= $4 and m.largest <= $5`,
    [o.ref, o.start ?? null, bounds.files, bounds.ledger, bounds.file, bounds.commit, o.known ?? null],
  );
  const first = rows.find(({ path }) => path === null);
  if (!first) return null;
  mustBeReadable(first);
  const files = rows.flatMap(({ path, content }) => (path === null ? [] : [[String(path), textOf(String(path), content)] as const]));
  return {
    head: String(first.head),
    number: Number(first.number),
    parent: nullOr(first.parent),
    message: String(first.message),
    files: new Map(files.sort(([a], [b]) => (a < b ? -1 : 1))),
    hasKnown: first.known === true,
  };
}

type Row = Answer['rows'][number];

/** Throws for a ledger with more than a run reads, by what the server measured. */
export function mustBeReadable({ files, total, largest, length }: Row): void {
  const beyond = (why: string, most: string): Failure => tooLarge(why, most, fix);
  if (Number(files) > bounds.files) throw beyond(`it has ${files} files`, `${bounds.files} files`);
  if (Number(largest) > bounds.file) throw beyond(`one of its files has ${inMb(Number(largest))}`, `${inMb(bounds.file)} for a file`);
  if (Number(total) > bounds.ledger) {
    throw beyond(`its ${files} files have ${inMb(Number(total))}`, `${inMb(bounds.ledger)} for all files together`);
  }
  if (Number(length) > bounds.commit) throw beyond(`the message of a commit has ${inMb(Number(length))}`, inMb(bounds.commit));
}

/** Gives the heads of the last commits of a branch, the newest first. */
export async function lastHeads(link: Link, schema: string, ref: string, most: number): Promise<readonly string[]> {
  const s = quoted(schema);
  const { rows } = await link.query(
    `select c.head from ${s}.commits c join ${s}.branches b on b.id = c.branch where b.ref = $1 order by c.number desc limit $2`,
    [ref, most],
  );
  return rows.map(({ head }) => String(head));
}

/**
 * Reads one file of the last commits. The server sends a text that stood through many commits once. The history ends where all texts together
 * exceed the limit of a ledger.
 */
export async function fileBack(
  link: Link,
  schema: string,
  { ref, path, most }: { readonly ref: string; readonly path: string; readonly most: number },
): Promise<{ readonly commits: readonly FileThen[]; readonly isAll: boolean }> {
  const s = quoted(schema);
  const { rows } = await link.query(
    `with last as (
       select c.head, c.parent, c.message, c.number, f.since, f.content,
         f.since is not null and row_number() over (partition by f.since order by c.number desc) = 1 as is_first
       from ${s}.commits c join ${s}.branches b on b.id = c.branch
       left join ${s}.files f on f.branch = c.branch and f.path = $2 and f.since <= c.number and (f.until is null or f.until > c.number)
       where b.ref = $1 order by c.number desc limit $3
     ), sized as (
       select last.*, sum(octet_length(message) + case when is_first then octet_length(content) else 0 end)
         over (order by number desc) as total
       from last
     )
     select head, parent, message, number, since, case when is_first then content end as content
     from sized where total <= $4 order by number desc`,
    [ref, path, most, bounds.ledger],
  );
  const texts = new Map(rows.flatMap(({ since, content }) => (content === null ? [] : [[since, textOf(path, content)] as const])));
  const commits = rows.map(({ head, parent, message, since }) => ({
    head: String(head),
    parent: nullOr(parent),
    message: String(message),
    text: texts.get(since),
  }));
  return { commits, isAll: Number(rows.at(-1)?.number ?? 1) === 1 };
}

const nullOr = (value: unknown): string | null => (value === null ? null : String(value));

/** The text of a file. Throws `LEDGER_CORRUPT` for bytes that are none. */
export function textOf(path: string, content: unknown): string {
  try {
    if (!(content instanceof Uint8Array)) throw new TypeError('no bytes');
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw new Failure('LEDGER_CORRUPT', {
      detail: `The file ${path} of the ledger cannot be used: it is not UTF-8 text. Nothing was written.`,
    });
  }
}
