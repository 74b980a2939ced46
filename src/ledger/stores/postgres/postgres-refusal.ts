import { Failure } from '../../../core/errors.ts';
import type { Redactor } from '../../../core/redact.ts';
import { plainWords } from '../remote-words.ts';

/** The database that a failure names, and the mask for its words. */
export interface Refuser {
  readonly location: string;
  readonly redactor: Redactor;
}

/** The server's own word, with the code that SQL has for it. */
export interface ServerWord extends Error {
  readonly code: string;
  readonly severity: string;
}

export const isServerWord = (thrown: unknown): thrown is ServerWord =>
  thrown instanceof Error && 'severity' in thrown && 'code' in thrown && typeof thrown.code === 'string';

/** Codes of a server that is going, coming, full of sessions, or busy with somebody else's transaction: a later attempt may be answered. */
export const mayPass = (code: string): boolean =>
  /^(08|40)/.test(code) || ['25P03', '53300', '55P03', '57014', '57P01', '57P02', '57P03', '57P05'].includes(code);

/** Milliseconds until a server that is going or coming, or has no place for another session, is asked again; `null` for other trouble. */
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
  { codes: /^3D000/, what: 'is not there', fix: 'Correct the name of the database in the address, or create it.' },
  {
    codes: /^42501/,
    what: 'does not give this role the rights that a ledger needs',
    fix: `Give the role the rights that ${page} lists, or let its owner run once.`,
  },
  {
    codes: /^25006/,
    what: 'takes no writes: it is a copy, or was set to read only',
    fix: 'Name the primary server in the address.',
  },
  { codes: /^(53|54)/, what: 'has no room', fix: 'Free space on the server, or raise its limits, then run again.' },
  {
    codes: /^22/,
    what: 'cannot hold the text of a ledger',
    fix: "Use a database with the encoding UTF8: `create database pilotfish encoding 'UTF8' template template0`.",
  },
];

/** A refusal that trying again does not change, with the server's own words. */
export function refusal({ location, redactor }: Refuser, word: ServerWord): Failure {
  const { what, fix } = reasons.find(({ codes }) => codes.test(word.code)) ?? {
    what: 'refused a statement of the ledger',
    fix: `Hold the tables against ${page}; nobody but pilotfish may change them.`,
  };
  return new Failure('LEDGER_REFUSED', {
    detail: `The database ${location} ${what}. It said: ${plainWords(word.message, redactor)} (${word.code})`,
    fix,
  });
}

/** Whether a connection ended because the server did not prove who it is, or speaks no TLS at all. */
export const isUnproven = (thrown: Error): boolean =>
  /support SSL connections|^SASL/i.test(thrown.message) ||
  ('code' in thrown && /CERT|SELF_SIGNED|^ERR_(TLS|SSL)|UNABLE_TO|EPROTO/.test(String(thrown.code)));

export function unproven({ location, redactor }: Refuser, thrown: Error): Failure {
  return new Failure('LEDGER_REFUSED', {
    detail: `The host of ${location} did not prove who it is, so nothing of the ledger was sent: ${plainWords(thrown.message, redactor)}`,
    fix: 'Name the host as its certificate does, and the file of its authority with `sslrootcert=<file>` where that is not a public one.',
  });
}

/** A name may lead to several addresses; of an attempt at each, the error itself says nothing. */
export const wordsOf = (thrown: Error): string =>
  thrown instanceof AggregateError ? thrown.errors.map((one: Error) => one.message).join('; ') : thrown.message;

export function unreachable({ location, redactor }: Refuser, why: string): Failure {
  return new Failure('LEDGER_REFUSED', {
    detail: `The database ${location} could not be reached: ${plainWords(why, redactor)}.`,
    fix: 'Check the network, the address and the server, then run again.',
  });
}

/** A failure before which a commit was sent that nobody has answered. */
export function leftOpen({ code, detail, fix, cause }: Failure): Failure {
  const told = `${detail} A commit was under way: whether it landed is not known; the next run reads what is there.`;
  return new Failure(code, { detail: told, fix, cause });
}
