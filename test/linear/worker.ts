/** A process of its own that uses one branch after the other of a ledger, and tells its parent what it saw when. */
import { HeadMoved, type Store } from '../../src/ledger/stores/store.ts';
import { randomOf } from '../crash/chaos/random.ts';
import type { Operation } from './history.ts';
import { planted } from './planted.ts';

/** The parent's word to use a branch; the answer is what this process saw of it. */
export interface Turn {
  readonly branch: string;
  readonly seed: number;
  readonly operations: number;
}

const [place = '', home = '', number = '0', fault = ''] = process.argv.slice(2);
const common = { cwd: home, env: { ...process.env, HOME: home }, cacheDir: home };
const [kind, address = ''] = [place.slice(0, place.indexOf(':')), place.slice(place.indexOf(':') + 1)];

/** Loads the one store that is asked for: eight processes start at once. */
async function open(): Promise<Store> {
  if (kind === 'postgres') {
    const { openPostgresStore } = await import('../../src/ledger/stores/postgres/postgres-store.ts');
    return openPostgresStore({ ...common, url: place, repository: 'acme/web' });
  }
  if (kind === 's3') {
    const { openS3Store } = await import('../../src/ledger/stores/s3/s3-store.ts');
    return openS3Store({ ...common, url: place, repository: 'acme/web', isForWriting: true });
  }
  if (kind === 'git') {
    const { openGitStore } = await import('../../src/ledger/stores/git/git-store.ts');
    return openGitStore({ ...common, url: address });
  }
  const { openLocalStore } = await import('../../src/ledger/stores/local/local-store.ts');
  return openLocalStore({ folder: address });
}

const store = planted(fault, await open());
const now = (): number => Number(process.hrtime.bigint());
let written = 0;

/** Reads, or writes on what it read last: then another process may have been faster. */
async function use({ branch, seed, operations }: Turn): Promise<readonly Operation[]> {
  const random = randomOf(seed * 16 + Number(number));
  const seen: Operation[] = [];
  let last: { readonly head: string | null; readonly value: string | null } | null = null;
  while (seen.length < operations) {
    const called = now();
    if (last === null || random.isTrue(0.4)) {
      const tree = await store.read(branch);
      last = { head: tree?.head ?? null, value: tree?.files.get('value') ?? null };
      seen.push({ process: Number(number), called, ended: now(), what: { kind: 'read', saw: last.value } });
      continue;
    }
    written += 1;
    const expect: string | null = last.value;
    const to = `${number}.${written}`;
    const told = (answer: 'done' | 'moved' | 'unknown'): void => {
      const ended = answer === 'unknown' ? Number.POSITIVE_INFINITY : now();
      seen.push({ process: Number(number), called, ended, what: { kind: 'append', expect, to, answer } });
    };
    try {
      last = { head: await store.append(branch, new Map([['value', to]]), last.head, to), value: to };
      told('done');
    } catch (error) {
      told(error instanceof HeadMoved ? 'moved' : 'unknown');
      last = null;
    }
  }
  return seen;
}

process.on('message', (turn: Turn | 'end') => {
  if (turn === 'end') void store.close().then(() => process.disconnect());
  else
    void use(turn).then(
      // JSON has no infinity.
      (seen) => process.send?.(seen.map((one) => ({ ...one, ended: one.ended === Number.POSITIVE_INFINITY ? null : one.ended }))),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
});
process.send?.('ready');
