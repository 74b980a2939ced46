import { AsyncLocalStorage } from 'node:async_hooks';
import { seed } from 'pilotfish-sandbox/all';
import type { Simulation } from 'pilotfish-sandbox/kit/types';
import { runApply } from '../../../src/engine/run.ts';
import { type Change, HeadMoved, type Store } from '../../../src/ledger/stores/store.ts';
import { branch, lines, openShop, planOf } from '../../lifecycle/shop.ts';
import { Machine } from '../../support/machine.ts';

/** Something that was seen from outside: in a commit, at a provider, or done by the test. */
export interface Event {
  readonly at: number;
  /** Which sentences of the model it may be. */
  readonly means: RegExp;
  /** A read may also be one that the model has no need of. */
  readonly mayBeNothing: boolean;
}

/** What a test does when a computer has stored something. */
type OnCommit = (meaning: string) => void;

export type Watched = Awaited<ReturnType<typeof openWatched>>;

/** Longer than the spread of a back-off, so that every run of a test is the same in these units. */
const unitMs = 300;
/** What one request may take is two units; a lease is three times that. */
export const watchedTerms = { deadline: 2, lease: 6, skew: 0, sends: 4 } as const;
const path = /dns_records(\/|$)/;
const named = { type: 'CNAME', name: `pr-12.${seed.zone.name}`, content: 'theirs.example' };

/**
 * The engine itself, with one line, on computers called by the model's names; every effect of theirs becomes an event. Nothing is
 * asked of the engine: only what leaves it is seen.
 */
export async function openWatched() {
  const shop = await openShop(planOf(lines.dns));
  const [dns] = shop.world.simulations.filter(({ name }) => name === 'cloudflare');
  if (!dns) throw new Error('there is no simulation of the provider');
  const events: Event[] = [];
  const start: { now: 'nothing' | 'applied' } = { now: 'nothing' };
  /** The objects that have the name. */
  const standing = () => shop.records().filter(({ name }) => name === named.name);
  const sender = new AsyncLocalStorage<string>();
  const pushes: Pushes = { head: null, underWay: new Set() };
  const tell = (means: string, mayBeNothing = false): void => {
    events.push({ at: Math.floor(shop.clock.mono() / unitMs), means: new RegExp(`^${means}`), mayBeNothing });
  };
  dns.watch(({ phase, method }) => {
    const who = sender.getStore() ?? 'nobody';
    if (phase === 'after' && method === 'GET')
      tell(`${who} finds ${standing().length === 0 ? 'nothing' : '(what|it|several|only|nothing beside)'}`, true);
    // Updates make no object and are left out of the model.
    if (phase !== 'after' || (method !== 'POST' && method !== 'DELETE')) return;
    const what = method === 'POST' ? 'create' : 'delete';
    const status = dns.log.at(-1)?.status ?? 500;
    const isThere = status === 400 && standing().length > 0;
    if (status < 300 || (what === 'delete' && status === 404)) tell(`(${who}'s ${what} lands|The late ${what} lands)`);
    else if (isThere) tell(`(${who}'s create is answered "it exists|The late create is refused)`);
    else if (what === 'create') tell(`The provider refuses ${who}'s create`);
  });

  const computer = (who: string) => {
    const tagged: Simulation[] = shop.world.simulations.map((one) => ({
      ...one,
      handle: (request) => sender.run(who, () => one.handle(request)),
    }));
    const machine = new Machine(shop.clock, tagged);
    const stop = new AbortController();
    const onCommit: { act: OnCommit } = { act: () => undefined };
    const onSend = (method: string, what: string): void =>
      machine.at('sent', method, path, () => {
        tell(`${who} sends its ${what}`);
        onSend(method, what);
      });
    onSend('POST', 'create');
    onSend('DELETE', 'delete');
    const run = (destroy: boolean) => {
      const store = machine.store(
        watchedStore(shop.remote.open(), { who, tell, pushes, purpose: destroy ? 'destroy' : 'apply', onCommit }),
      );
      const env = { PILOTFISH_REQUEST_DEADLINE_MS: String(2 * unitMs), PILOTFISH_LEASE_MS: String(6 * unitMs) };
      const request = shop.request({ destroy, leaseTimeoutMs: 600_000, waitTimeoutMs: 900_000, env });
      return runApply(request, { clock: machine, dispatcher: machine.dispatcher(), store, signal: stop.signal, repository: null });
    };
    return {
      machine,
      apply: () => run(false),
      destroy: () => run(true),
      afterCommit: (pattern: RegExp, act: () => void) => {
        onCommit.act = (meaning) => {
          if (!pattern.test(meaning)) return;
          onCommit.act = () => undefined;
          act();
        };
      },
      interrupt: () => {
        tell(`${who} is told to stop`);
        stop.abort(new Error('SIGINT'));
      },
      kill: () => {
        tell(`${who} dies`);
        machine.kill();
      },
    };
  };
  return {
    /** What was seen since the beginning, or since the scope stood as applied. */
    seen: () => ({ start: start.now, events }),
    /** From here on: one object, recorded by an earlier run. */
    applied: async () => {
      await computer('An earlier run').apply();
      events.splice(0);
      start.now = 'applied';
    },
    computer,
    faults: dns.faults,
    pass: (units: number) => shop.clock.sleep(units * unitMs),
    person: () => {
      tell('A person makes');
      shop.world.cloudflare.world.addRecord(seed.zone.id, named);
    },
    /** An object that is older than anybody's announcement; the answer gives it the name. */
    older: async () => {
      shop.world.cloudflare.world.addRecord(seed.zone.id, { ...named, name: `old.${seed.zone.name}` });
      await shop.clock.sleep(600_000);
      return () => {
        tell('A person gives the name');
        for (const record of shop.records()) Object.assign(record, { name: named.name });
      };
    },
    close: async () => {
      shop.verify();
      await shop.close();
    },
  };
}

/**
 * Those of all computers. A commit stands, for whoever reads or pushes, a moment before the one that pushed it knows; it is told of when
 * that knows. So what rests on a commit is told after it.
 */
interface Pushes {
  /** Of the last commit that was told of. */
  head: string | null;
  readonly underWay: Set<Promise<string>>;
}

function watchedStore(
  store: Store,
  o: {
    readonly who: string;
    readonly tell: (means: string, mayBeNothing?: boolean) => void;
    readonly pushes: Pushes;
    readonly purpose: string;
    readonly onCommit: { readonly act: OnCommit };
  },
): Store {
  const { who, tell, pushes, purpose } = o;
  const areTold = () => Promise.allSettled(pushes.underWay);
  let reads = 0;
  return {
    ...store,
    read: async (name) => {
      const tree = await store.read(name);
      if (name !== branch) return tree;
      if (tree && tree.head !== pushes.head) await areTold();
      reads += 1;
      if (reads === 1) tell(`${who} begins \\(${purpose}\\)`);
      else tell(`${who} reads again`, true);
      return tree;
    },
    append: async (name, change, ...rest) => {
      const pushing = store.append(name, change, ...rest);
      if (name !== branch) return await pushing;
      pushes.underWay.add(pushing);
      try {
        const head = await pushing;
        pushes.head = head;
        tell(`${who} ${meaningOf(change)}`);
        o.onCommit.act(meaningOf(change));
        return head;
      } catch (error) {
        if (error instanceof HeadMoved) {
          pushes.underWay.delete(pushing);
          await areTold();
          tell(`${who}'s push is refused`);
        }
        throw error;
      } finally {
        pushes.underWay.delete(pushing);
      }
    },
  };
}

/** A commit in the words of the model. */
function meaningOf(change: Change): string {
  const paths = [...change];
  const sets = (folder: string): boolean => paths.some(([file, text]) => file.startsWith(folder) && text !== null);
  const removes = (folder: string): boolean => paths.some(([file, text]) => file.startsWith(folder) && text === null);
  const lease = change.get('lease.json');
  const released = typeof lease === 'string' ? (JSON.parse(lease) as { released: null | { quietForMs: number } }).released : null;
  if (sets('intents/')) return 'stores its intent under its lease';
  if (change.has('receipt.json')) {
    const said = sets('records/') ? ' its record and' : removes('records/') ? ' that it is forgotten and' : '';
    const void_ = said === '' && removes('intents/') ? '( that its intent is void and| that it is forgotten and)' : said;
    const units = released ? ` and releases the lease \\(quiet for ${Math.ceil(released.quietForMs / unitMs)}\\)` : '\\.$';
    return `stores${void_} its receipt${units}`;
  }
  if (sets('records/') || removes('intents/')) return 'renews its lease, and its facts';
  return '(takes the lease|takes over the lease|renews its lease\\.)';
}
