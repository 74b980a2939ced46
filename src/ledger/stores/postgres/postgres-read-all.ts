import { bounds } from '../../../core/bounds.ts';
import { Failure } from '../../../core/errors.ts';
import type { ReadBranch, Tree } from '../store.ts';
import type { Link } from './postgres-link.ts';
import { mustBeReadable, textOf } from './postgres-reads.ts';
import { quoted } from './postgres-schema.ts';

/** Branches of one question. */
const pageSize = 200;
/** Bytes of texts that one answer brings; a larger ledger comes alone. */
const atOnce = 8 * 1024 * 1024;

/** Asks the server a question, as often as its trouble may pass; `none` for a database without a ledger. */
type Ask = <T>(work: (link: Link, schema: string) => Promise<T>, none: T) => Promise<T>;

interface Measured {
  readonly ref: string;
  readonly total: number;
  readonly error: Failure | null;
}

/** All branches that start with `prefix` (a full ref), page after page. The server measures each ledger before it sends a text of it. */
export async function* readPages(ask: Ask, prefix: string, nameOf: (ref: string) => string): AsyncGenerator<ReadBranch> {
  for (let after = ''; ; ) {
    const from = after;
    const page = await ask((link, schema) => measured(link, schema, { prefix, after: from }), []);
    for (let at = 0; at < page.length; ) {
      const part: Measured[] = [];
      for (let room = atOnce; at < page.length; at += 1) {
        const one = page[at];
        if (!one || (part.length > 0 && one.total > room)) break;
        room -= one.total;
        part.push(one);
      }
      const refs = part.filter(({ error }) => error === null).map(({ ref }) => ref);
      const trees =
        refs.length === 0 ? new Map<string, Tree | Failure>() : await ask((link, schema) => treesOf(link, schema, refs), new Map());
      for (const { ref, error } of part) {
        const found = error ?? trees.get(ref);
        if (found === undefined) continue;
        yield found instanceof Failure ? { branch: nameOf(ref), error: found } : { branch: nameOf(ref), tree: found };
      }
    }
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.ref;
  }
}

async function measured(
  link: Link,
  schema: string,
  { prefix, after }: { readonly prefix: string; readonly after: string },
): Promise<readonly Measured[]> {
  const s = quoted(schema);
  const { rows } = await link.query(
    `with page as (
       select b.id, b.ref, b.head from ${s}.branches b
       where starts_with(b.ref, $1) and b.ref collate "C" > $2 order by b.ref collate "C" limit $3
     )
     select p.ref, octet_length(c.message) as length, count(f.path) as files,
       coalesce(sum(octet_length(f.content)), 0) as total, coalesce(max(octet_length(f.content)), 0) as largest
     from page p join ${s}.commits c on c.branch = p.id and c.head = p.head
     left join ${s}.files f on f.branch = p.id and f.until is null
     group by p.ref, c.message order by p.ref collate "C"`,
    [prefix, after, pageSize],
  );
  return rows.map((row) => {
    const error = failureOf(() => mustBeReadable(row));
    return { ref: String(row.ref), total: error ? 0 : Number(row.total), error };
  });
}

/** A branch may grow between the two questions, so this one has the same bounds. */
async function treesOf(link: Link, schema: string, refs: readonly string[]): Promise<ReadonlyMap<string, Tree | Failure>> {
  const s = quoted(schema);
  const { rows } = await link.query(
    `select b.ref, c.head, c.parent, case when octet_length(c.message) <= $2 then c.message end as message, f.path,
       case when octet_length(f.content) <= $3 then f.content end as content
     from ${s}.branches b join ${s}.commits c on c.branch = b.id and c.head = b.head
     left join ${s}.files f on f.branch = b.id and f.until is null
     where b.ref = any($1) order by b.ref collate "C", f.path collate "C"`,
    [refs, bounds.commit, bounds.file],
  );
  const found = new Map<string, Tree | Failure>();
  for (const { ref, head, parent, message, path, content } of rows) {
    const name = String(ref);
    const tree = found.get(name) ?? {
      head: String(head),
      parent: parent === null ? null : String(parent),
      message: String(message),
      files: new Map(),
    };
    if (tree instanceof Failure) continue;
    const text = path === null ? null : failureOf(() => textOf(String(path), content));
    if (text) found.set(name, text);
    else
      found.set(
        name,
        path === null ? tree : { ...tree, files: (tree.files as Map<string, string>).set(String(path), textOf(String(path), content)) },
      );
  }
  return found;
}

function failureOf(work: () => unknown): Failure | null {
  try {
    work();
    return null;
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
}
