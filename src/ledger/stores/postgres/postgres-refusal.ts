import { Failure } from '../../../core/errors.ts';
import type { Redactor } from '../../../core/redact.ts';
import { plainWords } from '../remote-words.ts';

/** The database that a failure names, and the mask for its words. */
export interface Refuser {
  readonly location: string;
  readonly redactor: Redactor;
}

/** An error of the server itself, with its SQL code. */
export interface ServerWord extends Error {
  readonly code: string;
  readonly severity: string;
}

export const isServerWord = (thrown: unknown): thrown is ServerWord =>
  thrown instanceof Error && 'severity' in thrown && 'code' in thrown && typeof thrown.code === 'string';

/** Whether a later attempt may succeed: the server stops, starts, is full of sessions, or is busy with another transaction. */
export const mayPass = (code: string): boolean =>
  /^(08|40)/.test(code) || ['25P03', '53300', '55P03', '57014', '57P01', '57P02', '57P03', '57P05'].includes(code);

/** Milliseconds until the next question to a server that stops, starts or is full of sessions; `null` for other trouble. */
export const pauseFor = (thrown: Error, isComing: boolean): number | null =>
  isComing || (isServerWord(thrown) && /^(57P0[1-3]|53300)/.test(thrown.code)) ? 2_000 : null;

interface Reason {
  readonly codes: RegExp;
  readonly what: string;
  readonly fix: string;
}

const page = 'docs/guide/postgres.md';

const reasons: readonly Reason[] = [
  {
    codes: /^28/,
    what: 'did not accept the credential, or there was none',
    fix: 'Put the address with user and password into PILOTFISH_RECEIPTS: `postgres://<user>:<password>@<host>/<database>`, with `%XX` for special characters.',
  },
  { codes: /^3D000/, what: 'does not exist', fix: 'Correct the name of the database in the address, or create it.' },
  {
    codes: /^42501/,
    what: 'does not give this role the rights that a ledger needs',
    fix: `Give the role the rights that ${page} lists, or let its owner run once.`,
  },
  {
    codes: /^25006/,
    what: 'takes no writes, because it is a copy or read only',
    fix: 'Name the primary server in the address.',
  },
  { codes: /^(53|54)/, what: 'has no room', fix: 'Free space on the server, or raise its limits, then run again.' },
  {
    codes: /^22/,
    what: 'cannot hold the text of a ledger',
    fix: "Use a database with the encoding UTF8: `create database pilotfish encoding 'UTF8' template template0`.",
  },
];

/** The failure for a refusal that a repeat does not change, with the server's own words. */
export function refusal({ location, redactor }: Refuser, word: ServerWord): Failure {
  const { what, fix } = reasons.find(({ codes }) => codes.test(word.code)) ?? {
    what: 'refused a statement of the ledger',
    fix: `Compare the tables with ${page}. Only pilotfish may change them.`,
  };
  return new Failure('LEDGER_REFUSED', {
    detail: `The database ${location} ${what}. It said: ${plainWords(word.message, redactor)} (${word.code})`,
    fix,
  });
}

/** Whether a connection ended because the server did not prove its identity, or speaks no TLS. */
export const isUnproven = (thrown: Error): boolean =>
  /support SSL connections|^SASL/i.test(thrown.message) ||
  ('code' in thrown && /CERT|SELF_SIGNED|^ERR_(TLS|SSL)|UNABLE_TO|EPROTO/.test(String(thrown.code)));

export function unproven({ location, redactor }: Refuser, thrown: Error): Failure {
  return new Failure('LEDGER_REFUSED', {
    detail: `The host of ${location} did not prove its identity, so pilotfish sent nothing of the ledger: ${plainWords(thrown.message, redactor)}`,
    fix: 'Name the host as its certificate does. For a private authority, name the file of its certificate with `sslrootcert=<file>`.',
  });
}

/** The messages of all attempts: a name may lead to several addresses, and the outer error says nothing of them. */
export const wordsOf = (thrown: Error): string =>
  thrown instanceof AggregateError ? thrown.errors.map((one: Error) => one.message).join('; ') : thrown.message;

export function unreachable({ location, redactor }: Refuser, why: string): Failure {
  return new Failure('LEDGER_REFUSED', {
    detail: `The database ${location} could not be reached: ${plainWords(why, redactor)}.`,
    fix: 'Check the network, the address and the server, then run again.',
  });
}

/** The failure after a commit whose answer is lost. */
export function leftOpen({ code, detail, fix, cause }: Failure): Failure {
  const told = `${detail} A commit was under way, and nobody knows whether it landed. The next run reads the tables.`;
  return new Failure(code, { detail: told, fix, cause });
}
