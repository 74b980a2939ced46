const mb = 1024 * 1024;

/**
 * The most of each thing that pilotfish reads or waits for. Anybody who can push to a branch or answers a request chooses how much there is.
 * Without a bound they could take the memory or the time of every run. `docs/limits.md` is made from these bounds.
 */
export const bounds = {
  /** Milliseconds that another run's lease or lock, or its quiet moment, is honoured without a sign of life. */
  lease: 600_000,
  /** Milliseconds of one request: three of them fit into a lease. */
  deadline: 200_000,
  /** Milliseconds until a database has let a run in. */
  signIn: 20_000,
  /** Milliseconds of one statement there. */
  statement: 60_000,
  /** Bytes of one file of a ledger. */
  file: 32 * mb,
  /** Bytes of all files of one commit of a ledger. */
  ledger: 128 * mb,
  /** Files of one commit of a ledger. */
  files: 100_000,
  /** Bytes that git's list of those files may take. */
  listing: 32 * mb,
  /** Bytes of a commit itself: its message, and the names in it. */
  commit: mb,
  /** Bytes that a git host sends in one answer, packed. */
  pack: 64 * mb,
  /** Bytes that each branch adds to `pack`, where one answer brings many branches. */
  packOfBranch: 32 * 1024,
  /** Bytes of one fetch, unpacked: one fetch brings a few commits. */
  unpacked: 512 * mb,
  /** Bytes of the file of a branch in a local ledger, which holds older commits as well. */
  localFile: 256 * mb,
  /** Bytes of the older commits in that file. Larger commits leave room for fewer than 32 of them. */
  localOlder: 64 * mb,
  /** Bytes of a history. A longer history loses its older half. */
  history: 16 * mb,
  /** Files with recipe families that a plan names. */
  families: 100,
  /** Bytes of one of them. */
  family: mb / 4,
  /** Files and folders that are looked at for one pattern of `recipes`. */
  looked: 10_000,
  /** Bytes of one answer of a provider or code host, as sent and unpacked. */
  answer: 20 * mb,
  /** Pages of one list. */
  pages: 2_000,
  /** Bytes of all pages of one list, with those of `valueBytes`. */
  list: 256 * mb,
} as const;

/** Each value of an answer counts this many bytes beside its own, because it takes them in memory. */
export const valueBytes = 16;

/** For people: `32 MB`, `10 minutes`. */
export const inMb = (bytes: number): string => `${bytes < 10 * mb ? Math.ceil((bytes / mb) * 10) / 10 : Math.ceil(bytes / mb)} MB`;
