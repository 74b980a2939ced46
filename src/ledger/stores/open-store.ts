import path from 'node:path';
import type { Dispatcher } from 'undici';
import { saysCi } from '../../core/ci.ts';
import { type Clock, systemClock } from '../../core/clock.ts';
import { Failure } from '../../core/errors.ts';
import { type PlannedReceipts, type ReceiptsPlace, receiptsPlace } from '../../core/receipts-place.ts';
import type { Redactor } from '../../core/redact.ts';
import type { Sealed } from '../../core/sealed.ts';
import type { RepositoryFacts } from '../../platform/checkout.ts';
import type { GitAnswer } from '../../platform/git-system.ts';
import { openLocalStore } from './local/local-store.ts';
import { LedgerPlace } from './place/ledger-place.ts';
import { placedStore } from './place/placed-store.ts';
import { postgresAddress } from './postgres/postgres-address.ts';
import { s3Location } from './s3/s3-address.ts';
import type { Store } from './store.ts';

/** Makes the store of a plugin: `receipts: plugin:<name>`. */
export type StorePlugin = (options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly clock?: Clock }) => Promise<Store>;

export interface OpenStoreOptions {
  /** The choice of the plan, `null` for the default: git where there is a remote, this machine otherwise. */
  readonly receipts: PlannedReceipts;
  /** `null` outside a repository. */
  readonly facts: RepositoryFacts | null;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly dispatcher?: Dispatcher;
  readonly clock?: Clock;
  /** Learns every credential before it is used, and masks the words of the remote. */
  readonly redactor?: Redactor;
  readonly plugins?: ReadonlyMap<string, StorePlugin>;
  /** The header that git's configuration has for the repository's remote, where it was asked for before. */
  readonly extraHeader?: Promise<GitAnswer>;
  /** The run writes afterwards to the branches that it reads. */
  readonly isForWriting?: boolean;
  /** How long trouble of the remote is waited out, and the signal that ends the wait. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal;
}

/** Opens the store that a plan asks for. A repository with a remote is held to the place that the remote names. */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { facts, env, clock = systemClock } = options;
  const receipts = chosen(options.receipts, env);
  const isGit = receipts === null || receipts === 'git-branch';
  if (!facts?.remote || (receipts === 'local' && !saysCi(env))) return await openPlace(receipts, options);
  const isForWriting = isGit && options.isForWriting === true;
  const git = await openRemote(facts.remote, { ...options, isForWriting });
  const store = isGit ? git : await openPlace(receipts, options);
  const place = new LedgerPlace(git, { place: isGit ? 'git-branch' : shownPlace(receipts), isNamed: receipts !== null }, clock);
  return placedStore(store, { place, git, isToldByReads: isForWriting });
}

/** Opens the store of a place without a look at what the git remote names. */
export async function openPlace(receipts: ReceiptsPlace | null, options: OpenStoreOptions): Promise<Store> {
  const { facts, cwd, env, clock, plugins, ...rest } = options;
  if (receipts?.startsWith('plugin:')) {
    const name = receipts.slice('plugin:'.length);
    const plugin = plugins?.get(name);
    if (plugin === undefined) throw unknownPlugin(name, [...(plugins?.keys() ?? [])]);
    return plugin({ cwd, env, ...(clock && { clock }) });
  }
  if (receipts?.startsWith('postgres:')) {
    const { openPostgresStore } = await import('./postgres/postgres-store.ts');
    return openPostgresStore({ url: receipts, cwd, env, repository: facts?.slug ?? null, ...(clock && { clock }), ...rest });
  }
  if (receipts?.startsWith('s3:')) {
    const { openS3Store } = await import('./s3/s3-store.ts');
    return openS3Store({ url: receipts, cwd, env, repository: facts?.slug ?? null, ...(clock && { clock }), ...rest });
  }
  if (receipts !== 'local' && facts?.remote) return await openRemote(facts.remote, options);
  if (receipts === 'git-branch') {
    throw new Failure('LEDGER_REFUSED', {
      detail: `The plan says \`receipts: git-branch\`, but ${facts === null ? `${cwd} is in no git repository` : 'the repository has no remote `origin`, and not exactly one other remote'}.`,
      fix: 'Add a remote, or write `receipts: local` into the plan.',
    });
  }
  const ground = facts?.top ?? cwd;
  return openLocalStore({ folder: path.join(ground, '.pilotfish', 'ledger'), ground });
}

async function openRemote(remote: Sealed, { facts, receipts: _, plugins: __, ...rest }: OpenStoreOptions): Promise<Store> {
  // isomorphic-git alone takes 90 ms to load; a local ledger does without it.
  const { openGitStore } = await import('./git/git-store.ts');
  return openGitStore({ url: remote.reveal(), ...(facts && { top: facts.top, format: facts.objectFormat }), ...rest });
}

/**
 * `PILOTFISH_RECEIPTS` says where the ledger is when a plan does not, or is not there, and holds the password that a plan must not. It
 * overrules no plan: what the one ledger has recorded would be unknown in the other. Nor is an empty one passed over: a job whose secret is
 * missing would begin a ledger elsewhere.
 */
function chosen(planned: PlannedReceipts, env: NodeJS.ProcessEnv): ReceiptsPlace | null {
  const told = env.PILOTFISH_RECEIPTS === undefined ? null : named(env.PILOTFISH_RECEIPTS);
  if (planned === null || told === null) {
    if (planned !== 'unreadable') return told ?? planned;
    throw new Failure('LEDGER_REFUSED', {
      detail:
        'The plan says in `receipts:` where its ledger is, and that cannot be read. Any other ledger would know nothing of what was made.',
      fix: 'Correct `receipts:`, or say the place in PILOTFISH_RECEIPTS.',
    });
  }
  if (planned === 'unreadable' || shownPlace(planned) === shownPlace(told)) return told;
  throw new Failure('LEDGER_REFUSED', {
    detail: `The plan says \`receipts: ${shownPlace(planned)}\`, and PILOTFISH_RECEIPTS says ${shownPlace(told)}. One of them is not where this scope's ledger is.`,
    fix: 'Let both name the same place, or leave one of them out.',
  });
}

function named(text: string): ReceiptsPlace {
  const place = receiptsPlace(text);
  if (place !== null) return place;
  throw new Failure('LEDGER_REFUSED', {
    detail: `PILOTFISH_RECEIPTS ${text === '' ? 'is empty' : 'names no place for a ledger'}, so it is not known where the ledger is.`,
    fix: 'Set it to git-branch, local, plugin:<name>, postgres://<user>:<password>@<host>/<database> or s3://<bucket>/<prefix>, or unset it.',
  });
}

/** A place as it may be told. */
export function shownPlace(place: ReceiptsPlace): string {
  if (place.startsWith('postgres:')) return postgresAddress(place).location;
  return place.startsWith('s3:') ? s3Location(place) : place;
}

function unknownPlugin(name: string, known: readonly string[]): Failure {
  const there = known.length === 0 ? 'no plugin has a store' : `the plugins bring ${known.join(', ')}`;
  return new Failure('PLUGIN_FAILED', {
    detail: `The plan says \`receipts: plugin:${name}\`, but ${there}.`,
    fix: `Name the module with the store ${name} in PILOTFISH_PLUGINS.`,
  });
}
