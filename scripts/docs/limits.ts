import { bounds, inMb, valueBytes } from '../../src/core/bounds.ts';
import { generatedNote, markdownTable, page } from './markdown.ts';

const minutes = (ms: number): string => (ms % 60_000 === 0 ? `${ms / 60_000} minutes` : `${ms / 1000} seconds`);
const many = (count: number): string => count.toLocaleString('en-US');

type Row = readonly [what: string, most: string, then: string];

const corrupt = '`LEDGER_CORRUPT`, and the run reads nothing of it';
const response = '`PROVIDER_RESPONSE` of the line';

/** Every bound has one row. A new bound without a row does not compile. */
const rows: { readonly [name in keyof typeof bounds]: Row } = {
  lease: [
    'The lease of another run, the lock of a shared list, and the quiet moment after either, without a sign of life of its holder',
    minutes(bounds.lease),
    'it counts no longer, whatever it asks for. A larger `PILOTFISH_LEASE_MS` is `USAGE`',
  ],
  deadline: [
    'One request, and the time in which a request of a run that died may still land',
    minutes(bounds.deadline),
    'it counts no longer. A larger `PILOTFISH_REQUEST_DEADLINE_MS` is `USAGE`',
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
  packOfBranch: [
    'What each branch adds to that where one answer brings many',
    `${bounds.packOfBranch / 1024} KB`,
    'the host is asked again for half of the branches',
  ],
  unpacked: ['One such answer after unpacking', inMb(bounds.unpacked), corrupt],
  localFile: ['The file of a branch in a local ledger', inMb(bounds.localFile), corrupt],
  localOlder: ['Older commits in that file', inMb(bounds.localOlder), 'fewer than 32 of them are kept'],
  history: ['The history of a scope', inMb(bounds.history), 'the next commit leaves out its older half'],
  families: ['Files of recipe families that a plan names', many(bounds.families), '`PLAN_INVALID`, before any request'],
  family: ['One such file', inMb(bounds.family), '`RECIPE_INVALID`, before any request'],
  looked: ['Files and folders that are looked at for one pattern of `recipes`', many(bounds.looked), '`PLAN_INVALID`, before any request'],
  answer: ['One answer of a provider or a code host, as it is sent and as it unpacks', inMb(bounds.answer), response],
  pages: ['Pages of one list', many(bounds.pages), response],
  list: [`All pages of one list, with ${valueBytes} bytes more for each value in them`, inMb(bounds.list), response],
};

/** `docs/limits.md`: the bounds on everything that a run reads, from their constants. */
export function limitsPage(): string {
  return page(
    '# Limits',
    generatedNote('src/core/bounds.ts and scripts/docs/limits.ts'),
    'A person who can push to a branch of the ledger, or a server that answers a request, decides how much a run must read and how long it must wait. So everything that a run reads has a bound. The error names the bound and says what to do.',
    markdownTable(['What', 'At most', 'Beyond it'], Object.values(rows)),
    'pilotfish knows sizes before it unpacks anything: git gives the sizes of files, and a pack gives the sizes of its objects. A change that would make a ledger too large is `LEDGER_REFUSED`, before the announced writes are sent. A plan of 10,000 lines stays far below the bound.',
    'A run waits for other runs for `--lease-timeout` in total, even if the scope or the list changes hands meanwhile. Then it ends with `LEASE_HELD`. The default is longer than any lease counts, so a lease that a dead run left, or that somebody planted, expires within one run.',
    'A run ignores a stored time that is still in the future for its host: a record, an announcement or a line of history from the future stops nobody.',
  );
}
