import type { ProviderBlock } from '../../http/types.ts';
import type { Intent, LedgerRecord } from '../../ledger/model/facts.ts';

/**
 * Facts as a digest holds them. Each table names every member, and says of each whether it decides what is sent, to whom, or in which order.
 * A new member does not compile until somebody has decided that.
 */
type Table<T> = { readonly [Name in keyof Required<T>]: boolean };

const recordTable: Table<LedgerRecord> = {
  v: false,
  identity: true,
  adapter: true,
  op: true,
  recipe: true,
  key: true,
  // Information, never identity. An older pilotfish stores none.
  subject: false,
  provider: true,
  // Information, never identity.
  line: false,
  plan: false,
  // The template is that of the line as written then. It decides what becomes of a moved key, and stands beside the record where that is open.
  template: false,
  recordId: true,
  objectId: true,
  // It decides whether a delete is sent.
  birth: true,
  reach: true,
  lock: true,
  destroy: true,
  owned: true,
  kind: true,
  // Hashes of values, even of secret ones. They decide a verdict and its changes, and a digest holds those.
  hash: false,
  fields: false,
  kept: false,
  unkept: false,
  stood: false,
  fingerprints: false,
  around: false,
  unready: false,
  removing: true,
  // A run stores the second before a delete, and sends neither.
  reportsDrift: false,
  mayBeGone: true,
  needs: false,
  outputs: false,
  edges: false,
  after: true,
  generation: false,
  superseded: true,
  credential: true,
  revision: false,
  writtenAt: false,
  writtenAtHosts: false,
  run: false,
};

const intentTable: Table<Intent> = {
  v: false,
  identity: true,
  adapter: true,
  op: true,
  recipe: true,
  key: true,
  subject: false,
  provider: true,
  line: false,
  plan: false,
  reach: true,
  lock: true,
  destroy: true,
  kind: true,
  after: true,
  credential: true,
  generation: true,
  idempotencyKey: true,
  not: true,
  fixed: true,
  at: true,
  atHost: true,
  run: false,
  // It tells whose the scope is, and nothing of the object.
  pull: false,
};

const blockTable: Table<ProviderBlock> = {
  api: true,
  base_url: true,
  base_url_env: true,
  auth: true,
  region: true,
  session_token_env: true,
  headers: true,
  encoding: true,
  form_arrays: true,
  media_type: true,
  refuse_credential: true,
  // The number of requests under way at once changes none of them.
  concurrency: false,
  settings: true,
};

const factOf = <T extends object>(fact: T, table: Table<T>): unknown =>
  Object.fromEntries(Object.entries(fact).filter(([name]) => table[name as keyof T]));

export const recordPart = (record: LedgerRecord): unknown => factOf(record, recordTable);
export const intentPart = (intent: Intent): unknown => factOf(intent, intentTable);
export const blockFacts = (block: ProviderBlock): unknown => factOf(block, blockTable);
