import { bounds, inMb, valueBytes } from '../../src/core/bounds.ts';
import { generatedNote, markdownTable, page } from './markdown.ts';

const minutes = (ms: number): string => (ms % 60_000 === 0 ? `${ms / 60_000} minutes` : `${ms / 1000} seconds`);
const many = (count: number): string => count.toLocaleString('en-US');

type Row = readonly [what: string, most: string, then: string];

const corrupt = '`LEDGER_CORRUPT`; nothing of it is read';
const response = '`PROVIDER_RESPONSE` of the line';

/** Every bound is in one row, so a new one without a row does not compile. */
const rows: { readonly [name in keyof typeof bounds]: Row } = {
  lease: [
    'The lease of another run, the lock of a shared list, and the quiet moment after either, without a sign of life of its holder',
    minutes(bounds.lease),
    'it counts for no longer, whatever it asks for; a larger `PILOTFISH_LEASE_MS` is `USAGE`',
  ],
  deadline: [
    'One request, and the time in which a request of a run that died may still land',
    minutes(bounds.deadline),
    'it counts for no longer; a larger `PILOTFISH_REQUEST_DEADLINE_MS` is `USAGE`',
  ],
  signIn: [
    'The time in which the database of a ledger lets a run in',
    minutes(bounds.signIn),
    'the connection is ended and the attempt counts as one without an answer',
  ],
  statement: ['One statement of a ledger in a database, and a lock that it waits for there', minutes(bounds.statement), 'the same'],
  file: ['One file of a ledger', inMb(bounds.file), corrupt],
  ledger: ['All files of one commit of a ledger', inMb(bounds.ledger), corrupt],
  files: ['Files of one commit of a ledger', many(bounds.files), corrupt],
  listing: ['The list that git gives of those files', inMb(bounds.listing), corrupt],
  commit: ['A commit of a ledger without its files', inMb(bounds.commit), corrupt],
  pack: ['One answer of a git host, as it is sent', inMb(bounds.pack), corrupt],
  unpacked: ['What one such answer unpacks to', inMb(bounds.unpacked), corrupt],
  localFile: ['The file of a branch in a local ledger', inMb(bounds.localFile), corrupt],
  localOlder: ['Older commits in that file', inMb(bounds.localOlder), 'fewer than 32 of them are kept'],
  history: ['The history of a scope', inMb(bounds.history), 'its older half is left out of the next commit'],
  answer: ['One answer of a provider or a code host, as it is sent and as it unpacks', inMb(bounds.answer), response],
  pages: ['Pages of one list', many(bounds.pages), response],
  list: [`All pages of one list, with ${valueBytes} bytes more for each value in them`, inMb(bounds.list), response],
};

/** `docs/limits.md`: the bounds on everything that is read, from the constants that hold them. */
export function limitsPage(): string {
  return page(
    '# Limits',
    generatedNote('src/core/bounds.ts and scripts/docs/limits.ts'),
    'Whoever can push to a branch of the ledger, or answers a request, chooses how much there is to read and how long to wait. So everything that is read has a bound. The error names it, and says what to do.',
    markdownTable(['What', 'At most', 'Beyond it'], Object.values(rows)),
    'Sizes are known before anything is unpacked: git tells those of files, a pack those of its objects. A change that would make a ledger larger than that is `LEDGER_REFUSED` before what it announces is sent. A plan of 10,000 lines stays far below it.',
    'A run waits for another one for `--lease-timeout` in all, however often the scope or the list changes hands meanwhile; then it ends with `LEASE_HELD`. The default is longer than any lease counts, so one that was left behind, or that somebody planted, runs out within one run.',
    'No moment that is stored is believed before its host has come to it: a record, an announcement or a line of history that tells of the future stops nobody.',
  );
}
