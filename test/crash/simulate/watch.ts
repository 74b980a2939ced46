import type { Change, Files } from '../../../src/ledger/stores/store.ts';
import type { GitHost } from './git-host.ts';
import type { Flight, Network } from './network.ts';
import type { Process } from './process.ts';
import { type Provider, person, type Thing } from './provider.ts';

export const branchOf = (scope: string): string => `pilotfish-receipts/preview/${scope}`;

/** What must hold at every moment of every run. A breach is a sentence; the first one ends the seed. */
export class Watch {
  readonly breaches: string[] = [];
  readonly #provider: Provider;
  readonly #host: () => GitHost;
  readonly #network: () => Network;
  readonly #isRunning: (process: Process) => boolean;
  /** The run id that a process signs its lease with. */
  readonly #runs = new Map<Process, string>();
  #isDirty = false;

  constructor(o: { provider: Provider; host: () => GitHost; network: () => Network; isRunning: (process: Process) => boolean }) {
    this.#isRunning = o.isRunning;
    this.#provider = o.provider;
    this.#host = o.host;
    this.#network = o.network;
  }

  breach(sentence: string): void {
    this.breaches.push(sentence);
  }

  touched(): void {
    this.#isDirty = true;
  }

  /** A write leaves a process: it must hold the lease, and nothing of an earlier holder may still be on its way. */
  onWrite({ process, by, method, path }: Flight): void {
    const what = `${process.name} sent ${method} ${path}`;
    const lease = this.#host().stateOf(branchOf(by)).lease;
    if (!lease || lease.released || lease.run !== this.#runs.get(process)) this.breach(`${what} without holding the lease of ${by}`);
    for (const other of this.#network().flying) {
      if (other.process === process) continue;
      const isSameBox = path.startsWith('/boxes/') && other.path === path;
      if (other.by === by || isSameBox)
        this.breach(`${what} while ${other.method} ${other.path} of ${other.process.name} could still land`);
    }
    if (path.startsWith('/boxes/') && !this.#holdsLock(process, path)) this.breach(`${what} without holding the lock of the box`);
  }

  onStored(push: { process: Process; branch: string; before: Files; change: Change }): void {
    const { process, branch, before, change } = push;
    for (const [path, text] of change) {
      if (text?.includes('secret-of-')) this.breach(`${process.name} stored a secret in ${path} on ${branch}`);
      const lease = path === 'lease.json' && text !== null ? (JSON.parse(text) as { run: string }) : null;
      if (lease) this.#noteLease(process, branch, lease.run, before);
      if (text === null && path.startsWith('records/')) this.#letGo(before.get(path) ?? '');
      if (text !== null && path.startsWith('records/')) this.#takeBack(text, branch);
      if (text === null && path.startsWith('intents/') && typeof change.get(path.replace('intents/', 'records/')) !== 'string')
        this.#letGo(before.get(path) ?? '', branch);
    }
    this.#mustBeEmpty({ process, branch, files: before, change });
    this.#isDirty = true;
  }

  /** Whether a process that died signed with this run id. */
  isOfDead(run: string): boolean {
    for (const [process, id] of this.#runs) if (id === run) return process.isDead;
    return true;
  }

  /** Everything that a run made is known to its ledger, and is there once. */
  check(): void {
    for (const wrong of this.#provider.wrongs.splice(0)) this.breach(wrong);
    if (!this.#isDirty) return;
    this.#isDirty = false;
    const unrecorded = new Map<string, string>();
    for (const thing of this.#provider.things) {
      if (thing.by === person || thing.isKept) continue;
      const how = this.#knowing(thing);
      if (how === null) this.breach(`${thing.name} (${thing.id}) of ${thing.by} is in no record and no intent`);
      if (how !== 'intent') continue;
      const other = unrecorded.get(`${thing.collection} ${thing.name}`);
      if (other !== undefined) this.breach(`${thing.name} was made twice (${other}, ${thing.id})`);
      unrecorded.set(`${thing.collection} ${thing.name}`, thing.id);
    }
    for (const [name, key] of this.#provider.keys)
      if (!key.isKept && !this.#isKnown(key.by, `/keys/${name}`)) this.breach(`the key ${name} is in no record and no intent`);
    for (const [name, box] of this.#provider.boxes) {
      for (const entry of box.entries) {
        const by = this.#provider.entryBy.get(this.#provider.entryKey(name, entry)) ?? person;
        if (by !== person && !this.#isKnown(by, `/boxes/${name}#entries=${entry}`))
          this.breach(`${entry} in ${name} is in no record and no intent`);
      }
    }
  }

  /** A destroy that says it is complete leaves nothing in its ledger, whatever another run wrote since it first looked. */
  #mustBeEmpty({ process, branch, files, change }: { process: Process; branch: string; files: Files; change: Change }): void {
    const receipt = JSON.parse(change.get('receipt.json') ?? '{}') as { command?: string; status?: string };
    if (receipt.command !== 'destroy' || receipt.status !== 'complete') return;
    const left = [...new Map([...files, ...change])].flatMap(([path, text]) =>
      /^(records|intents)\//.test(path) && text !== null ? [path] : [],
    );
    if (left.length > 0) this.breach(`${process.name} says that it destroyed all of ${branch}, and left ${left.join(', ')}`);
  }

  #noteLease(process: Process, branch: string, run: string, before: Files): void {
    const held = before.get('lease.json');
    const earlier = held === undefined ? null : (JSON.parse(held) as { run: string; released: unknown });
    const known = this.#runs.get(process);
    if (known !== undefined && known !== run) this.breach(`${process.name} signed ${branch} with two run ids`);
    if (earlier && earlier.run !== run && !earlier.released && this.#isAliveAndUnexpired(earlier.run))
      this.breach(`${process.name} took the lease of ${branch} while another run held it`);
    this.#runs.set(process, run);
  }

  /** A holder that runs renews in time, so nobody may take its lease. */
  #isAliveAndUnexpired(run: string): boolean {
    for (const [process, id] of this.#runs) if (id === run) return this.#isRunning(process) && !process.wasSuspended;
    return false;
  }

  #holdsLock(process: Process, path: string): boolean {
    const host = this.#host();
    for (const [branch, { files }] of host.branches) {
      if (!branch.includes('locks')) continue;
      const text = files.get('lock.json') ?? '';
      if (!text.includes(path)) continue;
      const lock = JSON.parse(text) as { run: string; released: unknown };
      return !lock.released && lock.run === this.#runs.get(process);
    }
    return false;
  }

  /** A scope that comes back has what it let go, once a record says so; nobody else has. */
  #takeBack(text: string, branch: string): void {
    const { objectId } = JSON.parse(text) as { objectId: string };
    for (const thing of this.#provider.things) {
      if (!thing.isKept || thing.id !== objectId) continue;
      if (branch !== branchOf(thing.by)) this.breach(`${branch} took ${thing.name} of ${thing.by}, which let it go`);
      thing.isKept = false;
    }
  }

  /** A record that was forgotten with `destroy: keep` leaves its object to people; an intent does, but for what it is not for. */
  #letGo(text: string, branch = ''): void {
    const fact = JSON.parse(text) as { destroy: string; objectId?: string; key: string; not?: readonly string[] };
    if (fact.destroy !== 'keep') return;
    for (const thing of this.#provider.things) {
      const isNamed = fact.key === `/things/${thing.collection}[name=${thing.name}]` && fact.not?.includes(thing.id) !== true;
      const isAnnounced = branch === branchOf(thing.by) && isNamed;
      if (thing.id === fact.objectId || isAnnounced) thing.isKept = true;
    }
  }

  #knowing(thing: Thing): 'record' | 'intent' | null {
    const { records, intents } = this.#host().stateOf(branchOf(thing.by));
    for (const record of records.values()) {
      if (record.objectId === thing.id || record.superseded.some(({ objectId }) => objectId === thing.id)) return 'record';
    }
    const key = `/things/${thing.collection}[name=${thing.name}]`;
    for (const intent of intents.values()) if (intent.key === key && !intent.not.includes(thing.id)) return 'intent';
    return null;
  }

  #isKnown(scope: string, key: string): boolean {
    const { records, intents } = this.#host().stateOf(branchOf(scope));
    for (const facts of [records, intents]) for (const fact of facts.values()) if (fact.key === key) return true;
    return false;
  }
}
