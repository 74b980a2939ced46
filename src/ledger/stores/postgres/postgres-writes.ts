import { createHash, randomBytes } from 'node:crypto';
import { bounds } from '../../../core/bounds.ts';
import type { Change } from '../store.ts';
import { mustStayReadable } from '../too-large.ts';
import type { Link } from './postgres-link.ts';
import { begin, commit, quoted } from './postgres-schema.ts';

/** A commit before its write. Its head is known before anything is sent, so a look for the head settles a lost answer. */
export interface NewCommit {
  readonly ref: string;
  readonly head: string;
  readonly change: Change;
  readonly expect: string | null;
  readonly message: string;
  /** Head of the commit whose files the change is made on, in place of those of `expect`. */
  readonly base: string | undefined;
}

/**
 * The head is a hash of all changes and of the head before, so equal heads hold equal files. The nonce gives two machines that write the same
 * change at once two commits: only one of them may believe that it was first.
 */
export function newCommit(o: Omit<NewCommit, 'head'>): NewCommit {
  const hash = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
  const files = [...o.change]
    .map(([path, text]) => [path, text === null ? null : hash(text)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const nonce = randomBytes(16).toString('hex');
  return { ...o, head: hash(JSON.stringify([o.ref, o.expect, o.base ?? null, o.message, files, nonce])).slice(0, 40) };
}

export interface Writing {
  readonly link: Link;
  readonly schema: string;
  /** Called before the last statement. From then on the commit may stand although no answer comes. */
  readonly committing: () => void;
}

/**
 * Makes the commit in one transaction, and gives its number in the branch; `null` if the head is not the expected one. Finds the commit of an
 * earlier attempt: while that attempt is under way, it locks the row of its branch, and this one waits.
 */
export async function append({ link, schema, committing }: Writing, made: NewCommit, branch: string): Promise<number | null> {
  const s = quoted(schema);
  await begin(link);
  const moved = await moveHead(link, s, made);
  if (moved === null) {
    const { rows } = await link.query(
      `select c.number from ${s}.commits c join ${s}.branches b on b.id = c.branch where b.ref = $1 and c.head = $2`,
      [made.ref, made.head],
    );
    await link.query('rollback');
    return rows.length === 0 ? null : Number(rows[0]?.number);
  }
  const { id, number } = moved;
  const from = made.base === undefined ? null : await numberOf(link, s, id, made.base);
  if (from === undefined) {
    await link.query('rollback');
    return null;
  }
  await link.query(`insert into ${s}.commits (branch, number, head, parent, message) values ($1, $2, $3, $4, $5)`, [
    id,
    number,
    made.head,
    made.expect,
    made.message,
  ]);
  await writeFiles(link, s, { id, number, from }, made.change);
  await measure(link, s, id, branch);
  committing();
  await commit(link);
  return number;
}

/** Removes the branch with all its commits while its head is `expect`; `false` if the head is another one. */
export async function remove(
  { link, schema, committing }: Writing,
  { ref, expect }: { readonly ref: string; readonly expect: string },
): Promise<boolean> {
  const s = quoted(schema);
  await begin(link);
  const { rows } = await link.query(`select id from ${s}.branches where ref = $1 and head = $2 for update`, [ref, expect]);
  const [{ id } = {}] = rows;
  if (id === undefined) {
    await link.query('rollback');
    return false;
  }
  for (const table of ['files', 'commits']) await link.query(`delete from ${s}.${table} where branch = $1`, [id]);
  await link.query(`delete from ${s}.branches where id = $1`, [id]);
  committing();
  await commit(link);
  return true;
}

type Moved = { readonly id: unknown; readonly number: number };

/** The compare-and-swap. It waits for another transaction that moves the same branch, and then finds the head of that one. */
async function moveHead(link: Link, s: string, { ref, head, expect }: NewCommit): Promise<Moved | null> {
  const { rows } =
    expect === null
      ? await link.query(
          `insert into ${s}.branches (ref, head, number) values ($1, $2, 1) on conflict (ref) do nothing returning id, number`,
          [ref, head],
        )
      : await link.query(`update ${s}.branches set head = $2, number = number + 1 where ref = $1 and head = $3 returning id, number`, [
          ref,
          head,
          expect,
        ]);
  const [moved] = rows;
  return moved === undefined ? null : { id: moved.id, number: Number(moved.number) };
}

async function numberOf(link: Link, s: string, id: unknown, head: string): Promise<number | undefined> {
  const { rows } = await link.query(`select number from ${s}.commits where branch = $1 and head = $2`, [id, head]);
  return rows.length === 0 ? undefined : Number(rows[0]?.number);
}

/** `from`: the number of the commit whose files the change is made on; `null` for the current files. */
async function writeFiles(
  link: Link,
  s: string,
  { id, number, from }: Moved & { readonly from: number | null },
  change: Change,
): Promise<void> {
  const paths = [...change.keys()];
  if (paths.length === 0 && from === null) return;
  await link.query(`update ${s}.files set until = $2 where branch = $1 and until is null and (path = any($3) or $4)`, [
    id,
    number,
    paths,
    from !== null,
  ]);
  if (from !== null) {
    await link.query(
      `insert into ${s}.files (branch, path, since, content) select branch, path, $2::bigint, content from ${s}.files
       where branch = $1 and since <= $3 and (until is null or until > $3) and path <> all($4)`,
      [id, number, from, paths],
    );
  }
  const texts = [...change].flatMap(([path, text]) => (text === null ? [] : [[path, Buffer.from(text, 'utf8')] as const]));
  if (texts.length === 0) return;
  await link.query(
    `insert into ${s}.files (branch, path, since, content) select $1::bigint, one.path, $2::bigint, one.content from unnest($3::text[], $4::bytea[]) as one (path, content)`,
    [id, number, texts.map(([path]) => path), texts.map(([, content]) => content)],
  );
}

/** Refuses files that no later run could read, before the commit. */
async function measure(link: Link, s: string, id: unknown, branch: string): Promise<void> {
  const sizes = `from ${s}.files where branch = $1 and until is null`;
  const { rows } = await link.query(
    `select count(*) as files, coalesce(sum(octet_length(content)), 0) as total, coalesce(max(octet_length(content)), 0) as largest ${sizes}`,
    [id],
  );
  const [{ files, total, largest } = {}] = rows;
  if (Number(files) <= bounds.files && Number(total) <= bounds.ledger && Number(largest) <= bounds.file) return;
  const all = await link.query(`select path, octet_length(content) as length ${sizes}`, [id]);
  mustStayReadable(branch, new Map(all.rows.map(({ path, length }) => [String(path), { length: Number(length) }])));
}
