import { bounds } from '../../../core/bounds.ts';
import { Failure } from '../../../core/errors.ts';
import type { Link } from './postgres-link.ts';
import { isServerWord } from './postgres-refusal.ts';

/**
 * The steps from an empty schema to the newest form of a ledger, each a list of statements. A released step never changes: a new form is a
 * further step.
 *
 * `branches`: the head of each branch. `commits`: the parent and message of each commit. `files`: a text from the commit that wrote it
 * (`since`) to the commit that replaced or removed it (`until`). So one query reads any commit, and an append writes only its changes.
 */
const steps: readonly ((schema: string) => readonly string[])[] = [
  (s) => [
    `create table ${s}.ledger (version integer not null, repository text)`,
    `insert into ${s}.ledger (version) values (0)`,
    `create table ${s}.branches (
      id bigint generated always as identity primary key,
      ref text not null unique,
      head text not null,
      number bigint not null
    )`,
    `create table ${s}.commits (
      branch bigint not null references ${s}.branches,
      number bigint not null,
      head text not null unique,
      parent text,
      message text not null,
      made_at timestamptz not null default now(),
      primary key (branch, number)
    )`,
    `create table ${s}.files (
      branch bigint not null references ${s}.branches,
      path text not null,
      since bigint not null,
      until bigint,
      content bytea not null,
      primary key (branch, path, since)
    )`,
    `create unique index files_now on ${s}.files (branch, path) where until is null`,
  ],
];

/** Tells the error of the later of two runs that make the same thing at once. */
const isRace = (thrown: unknown): boolean => isServerWord(thrown) && ['23505', '42P06', '42P07', '40001', '40P01'].includes(thrown.code);

/** Quotes a name for a statement, because the name may be a word of SQL. */
export const quoted = (schema: string): string => `"${schema}"`;

const isAbsent = (thrown: unknown): boolean => isServerWord(thrown) && ['42P01', '3F000'].includes(thrown.code);

export interface Place {
  readonly location: string;
  /** The schema's name, which needs no escapes. */
  readonly schema: string;
  /** `owner/repo` of the checkout; `null` if it has none. */
  readonly repository: string | null;
}

/**
 * Looks for the tables before the first use, and makes or moves them for a write. `false` if a read finds none: a read leaves no trace.
 */
export async function openSchema(link: Link, place: Place, isForWriting: boolean): Promise<boolean> {
  for (let look = 1; ; look += 1) {
    const found = await lookFor(link, place.schema);
    if (found === null && !isForWriting) return false;
    const version = found?.version ?? 0;
    if (version > steps.length) {
      throw new Failure('LEDGER_VERSION', {
        detail: `The tables of ${place.location} are of version ${version}; this pilotfish knows versions up to ${steps.length}.`,
      });
    }
    if (found !== null && version === steps.length) {
      await mustBeOurs(link, place, found.repository, isForWriting);
      return true;
    }
    try {
      await move(link, place.schema, version);
    } catch (thrown) {
      if (!isRace(thrown) || look >= 5) throw thrown;
      await link.query('rollback');
    }
  }
}

/**
 * Begins a transaction with settings of its own, whatever the server or the role has. A dead run keeps its lock only as long as one statement
 * may take, and a commit is on the disk when it is answered.
 */
export async function begin(link: Link): Promise<void> {
  const limits = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'].map(
    (name) => `set local ${name} = ${bounds.statement}`,
  );
  await link.query(['begin isolation level read committed read write', ...limits, 'set local synchronous_commit = on'].join('; '));
}

/** Commits. The server answers the commit of a failed transaction too, with ROLLBACK. */
export async function commit(link: Link): Promise<void> {
  const { command } = await link.query('commit');
  if (command !== 'COMMIT') throw new Error(`a commit was answered with ${command}`);
}

interface Found {
  readonly version: number;
  readonly repository: string | null;
}

async function lookFor(link: Link, schema: string): Promise<Found | null> {
  try {
    const { rows } = await link.query(`select version, repository from ${quoted(schema)}.ledger`);
    const [{ version, repository } = {}] = rows;
    return { version: Number(version ?? 0), repository: typeof repository === 'string' ? repository : null };
  } catch (thrown) {
    if (isAbsent(thrown)) return null;
    throw thrown;
  }
}

/** Takes all steps in one transaction, so another run finds the old form or the new one. */
async function move(link: Link, schema: string, from: number): Promise<void> {
  await begin(link);
  if (from === 0) {
    const { rows } = await link.query('select 1 from pg_namespace where nspname = $1', [schema]);
    // A role that cannot make schemas may own an existing one.
    if (rows.length === 0) await link.query(`create schema ${quoted(schema)}`);
  } else {
    const { rows } = await link.query(`select version from ${quoted(schema)}.ledger for update`);
    if (Number(rows[0]?.version) !== from) return void (await link.query('rollback'));
  }
  for (const step of steps.slice(from)) for (const statement of step(quoted(schema))) await link.query(statement);
  await link.query(`update ${quoted(schema)}.ledger set version = ${steps.length}`);
  await commit(link);
}

/** Refuses the schema of another repository, whose pull request 12 is not ours. */
async function mustBeOurs(link: Link, place: Place, found: string | null, isForWriting: boolean): Promise<void> {
  const { location, schema, repository } = place;
  if (repository === null || found === repository) return;
  const owner = found ?? (isForWriting ? await claim(link, schema, repository) : repository);
  if (owner === repository) return;
  throw new Failure('LEDGER_REFUSED', {
    detail: `The ledger in ${location} is that of ${owner}, and this checkout is of ${repository}. Scopes of two repositories have the same names, so one would remove what the other made. Nothing was written.`,
    fix: `Add \`schema=<name>\` to the address, a name for each repository. Where ${owner} was renamed, run \`update ${schema}.ledger set repository = '${repository.replaceAll("'", "''")}'\`.`,
  });
}

/** Claims the schema. Of two runs that claim at once, the later one learns of the first. */
async function claim(link: Link, schema: string, repository: string): Promise<string> {
  const { rows } = await link.query(`update ${quoted(schema)}.ledger set repository = coalesce(repository, $1) returning repository`, [
    repository,
  ]);
  return String(rows[0]?.repository);
}
