import { systemClock } from '../core/clock.ts';
import { type ErrorData, Failure, toErrorData } from '../core/errors.ts';
import { plannedPlace, type ReceiptsPlace, receiptsPlace } from '../core/receipts-place.ts';
import { withoutSecrets } from '../core/redact-error.ts';
import { scopeOf } from '../ledger/model/names.ts';
import { type CopiedBranch, copyLedger } from '../ledger/moving/copy-ledger.ts';
import { type OpenStoreOptions, openPlace, shownPlace } from '../ledger/stores/open-store.ts';
import type { Store } from '../ledger/stores/store.ts';
import { type RepositoryFacts, repositoryFacts } from '../platform/checkout.ts';
import type { LedgerCopyDoc, MovedBranchDoc } from './ledger-document.ts';
import { maskRemote, redactorOf } from './prepare/secret-variables.ts';
import { documentShape } from './shapes.ts';
import type { RunWorld } from './types.ts';

export interface MoveRequest {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Places as a plan writes them. */
  readonly from: string;
  readonly to: string;
  readonly isDryRun: boolean;
  readonly leaseTimeoutMs: number;
}

/** Is told of each branch when its turn ends. */
export type MoveListener = (branch: string, end: string) => void;

/**
 * Moves the ledger of a repository to another place. Throws `USAGE` for places that cannot be, `LEDGER_REFUSED` where another ledger stands in
 * the way. A branch that could not be copied is told in the document, and the next call goes on from there.
 */
export async function moveLedger(request: MoveRequest, world: RunWorld & { readonly tell?: MoveListener } = {}): Promise<LedgerCopyDoc> {
  const { cwd, env } = request;
  const redactor = redactorOf(env, world);
  return await withoutSecrets(redactor, async () => {
    const facts = world.repository === undefined ? await repositoryFacts(cwd, env) : world.repository;
    maskRemote(redactor, facts);
    const [from, to] = [placeOf('from', request.from, env), placeOf('to', request.to, env)];
    mustDiffer(shownPlace(from), shownPlace(to));
    mustHaveRemote([from, to], facts, cwd);
    const opened: Store[] = [];
    const open = async (place: ReceiptsPlace): Promise<Store> => {
      const store = await openPlace(place, { ...common, receipts: place });
      opened.push(store);
      return store;
    };
    const clock = world.clock ?? systemClock;
    const common: OpenStoreOptions = {
      ...{ receipts: null, facts, cwd, env, clock, redactor, patienceMs: request.leaseTimeoutMs, isForWriting: !request.isDryRun },
      ...(world.signal && { signal: world.signal }),
      ...(world.dispatcher && { dispatcher: world.dispatcher }),
    };
    try {
      const stores = { from: await open(from), to: await open(to) };
      const own = from === 'git-branch' ? stores.from : to === 'git-branch' ? stores.to : null;
      const moved = await copyLedger({
        from: { store: stores.from, place: shownPlace(from) },
        to: { store: stores.to, place: shownPlace(to) },
        git: own ?? (facts?.remote ? await open('git-branch') : null),
        clock,
        signal: world.signal ?? new AbortController().signal,
        patienceMs: request.leaseTimeoutMs,
        isDryRun: request.isDryRun,
        tell: (branch, end) => world.tell?.(redactor.text(branch), end),
      });
      const branches = moved.branches.map(documentOf);
      const error = request.isDryRun ? null : errorOf(branches, request);
      const places = { from: shownPlace(from), to: shownPlace(to), isDryRun: request.isDryRun, ledger: moved.place };
      const document = { schema: 1, ok: error === null, command: 'ledger', ...places, branches, ...(error && { error }) } as const;
      return redactor.document(document, documentShape);
    } finally {
      for (const store of opened) await store.close();
    }
  });
}

/** A word of the command line. Others see it in the list of processes, so it holds no password: PILOTFISH_RECEIPTS may hold that of one place. */
function placeOf(name: 'from' | 'to', text: string, env: NodeJS.ProcessEnv): ReceiptsPlace {
  const place = plannedPlace.test(text) ? receiptsPlace(text) : null;
  if (place === null) {
    throw new Failure('USAGE', {
      detail: `<${name}> names no place of a ledger, or holds a password.`,
      fix: 'Write git-branch, local, plugin:<name>, postgres://<user>@<host>/<database> or s3://<bucket>/<prefix>. A password belongs in PILOTFISH_RECEIPTS, which names the same place.',
    });
  }
  const told = receiptsPlace(env.PILOTFISH_RECEIPTS ?? '');
  return told !== null && shownPlace(told) === shownPlace(place) ? told : place;
}

function mustDiffer(from: string, to: string): void {
  if (from !== to) return;
  throw new Failure('USAGE', {
    detail: `Both places are ${from}.`,
    fix: 'Name the place where the ledger is, then the one where it shall be.',
  });
}

function mustHaveRemote(places: readonly ReceiptsPlace[], facts: RepositoryFacts | null, cwd: string): void {
  if (!places.includes('git-branch') || facts?.remote) return;
  throw new Failure('USAGE', {
    detail: `A ledger on git branches needs a git remote, and ${cwd} has none.`,
    fix: 'Run the command in a checkout of the repository.',
  });
}

function documentOf({ branch, end, files, bytes, error }: CopiedBranch): MovedBranchDoc {
  const name = scopeOf(branch);
  return { branch, ...name, state: end, files, bytes, ...(error && { error: toErrorData(error) }) };
}

/** Why the ledger is not moved yet. */
function errorOf(branches: readonly MovedBranchDoc[], { from, to }: MoveRequest): ErrorData | null {
  const [broken] = branches.filter(({ state }) => state === 'failed');
  const busy = branches.filter(({ state }) => state === 'busy');
  if (broken?.error === undefined && busy.length === 0) return null;
  const again = `Run \`pilotfish ledger copy ${from} ${to}\` again: it goes on from there.`;
  if (broken?.error) return { ...broken.error, fix: `${broken.error.fix} Then: ${again}` };
  const held = `Runs hold ${busy.map(({ branch }) => branch).join(', ')}, and their facts may still change.`;
  return toErrorData(new Failure('LEASE_HELD', { detail: held, fix: `Wait for them. ${again}` }));
}
