import { createHash } from 'node:crypto';
import { Failure } from '../../core/errors.ts';

/** Longest encoded scope (with its plan name) that stands in a branch name as it is. */
const longest = 180;
/** Every receipts branch starts with this prefix. */
export const receiptsPrefix = 'pilotfish-receipts/';

/**
 * The branch that holds the ledger of one scope: `pilotfish-receipts/<env>/<scope>`, or `…/<name>_<scope>` for a named plan.
 *
 * The mapping is one-to-one, also on file systems that fold case: what is outside `[a-z0-9.-]` is percent-encoded with
 * lower-case hex, and so are names that git or Windows refuse. Git allows no `~` in a ref, so `_` parts plan name and scope;
 * encoded text never contains one. Too long a name becomes a prefix, `__` and a hash.
 */
export function receiptsBranch(environment: string, scope: string, planName: string | null = null): string {
  const own = planName === null ? encodeName(scope) : `${encodeName(planName)}_${encodeName(scope)}`;
  return `${receiptsPrefix}${shortened(encodeName(environment))}/${shortened(own)}`;
}

/** This branch keeps the last lines of removed scopes. No scope encodes to its name. */
export function historyBranch(environment: string): string {
  return `${receiptsPrefix}${shortened(encodeName(environment))}/_history`;
}

/** This branch of the git remote names the place of the repository's ledger. No environment encodes to its name. */
export const placeBranch = `${receiptsPrefix}_place`;

/** Every receipts branch of an environment starts with this prefix; for `Store.list`. */
export function receiptsOf(environment: string): string {
  return `${receiptsPrefix}${shortened(encodeName(environment))}/`;
}

export interface ScopeName {
  readonly environment: string;
  readonly plan: string | null;
  readonly scope: string;
}

/** Reads the scope from the name of a receipts branch; `null` for `_history`, a hashed name, and every other branch. */
export function scopeOf(branch: string): ScopeName | null {
  const short = branch.replace(/^refs\/heads\//, '');
  if (!short.startsWith(receiptsPrefix)) return null;
  const parts = short.slice(receiptsPrefix.length).split('/');
  const [env, own] = parts;
  if (parts.length !== 2 || env === undefined || own === undefined || `${env}${own}`.includes('__')) return null;
  const names = own.split('_');
  const decoded = [env, ...names].map(decodeName);
  const [environment, first, second] = decoded;
  if (environment == null || first == null || names.length > 2) return null;
  if (names.length === 1) return { environment, plan: null, scope: first };
  return second == null ? null : { environment, plan: first, scope: second };
}

/** Whether a branch serves a lock and not a ledger: its pushes are counted apart. */
export function isLockBranch(branch: string): boolean {
  return /^refs\/(heads\/pilotfish-locks|pilotfish\/locks)\//.test(fullRef(branch));
}

/**
 * The ref of a lock on a shared parent. It is kept out of `refs/heads`, where people and hosts look; `branch` is for a remote
 * that refuses such refs.
 */
export function lockBranch(lockName: string, place: 'hidden' | 'branch' = 'hidden'): string {
  const hash = createHash('sha256').update(lockName, 'utf8').digest('hex').slice(0, 16);
  return place === 'hidden' ? `refs/pilotfish/locks/${hash}` : `refs/heads/pilotfish-locks/${hash}`;
}

/** Stands where the remote keeps its locks below `refs/heads`. No lock has this name. */
export const lockPlace = 'refs/heads/pilotfish-locks/_place';

/** Whether a branch holds neither a ledger nor a history: its reads and pushes are counted apart. */
export const isBesideLedgers = (branch: string): boolean => isLockBranch(branch) || fullRef(branch) === fullRef(placeBranch);

/** A store's branch name as a full ref: short names live below `refs/heads/`. */
export function fullRef(branch: string): string {
  return branch.startsWith('refs/') ? branch : `refs/heads/${branch}`;
}

/** One name as one part of a ref and of a file path. */
export function encodeName(name: string): string {
  if (name === '' || !name.isWellFormed()) {
    throw new Failure('USAGE', { detail: 'A scope, environment or plan name is empty or is not valid Unicode text.' });
  }
  const plain = [...Buffer.from(name, 'utf8')].map((byte) => (isPlain(byte) ? String.fromCharCode(byte) : hex(byte))).join('');
  return plain
    .replace(/^[.-]/, encodeFirst)
    .replace(/\.(?=\.|$|lock$)/g, '%2e')
    .replace(/^(con|prn|aux|nul|com[0-9]|lpt[0-9])(?=\.|$)/, encodeFirst);
}

/** The name back; `null` for text that `encodeName` never gives. */
function decodeName(encoded: string): string | null {
  try {
    const name = decodeURIComponent(encoded);
    return encodeName(name) === encoded ? name : null;
  } catch {
    return null;
  }
}

function shortened(encoded: string): string {
  if (encoded.length <= longest) return encoded;
  const hash = createHash('sha256').update(encoded, 'utf8').digest('hex').slice(0, 40);
  // Cut before an escape that would be torn.
  return `${encoded.slice(0, longest - 60).replace(/%[0-9a-f]?$/, '')}__${hash}`;
}

const isPlain = (byte: number): boolean =>
  (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x2e || byte === 0x2d;

const hex = (byte: number): string => `%${byte.toString(16).padStart(2, '0')}`;

const encodeFirst = (text: string): string => hex(text.charCodeAt(0)) + text.slice(1);
