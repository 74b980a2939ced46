import { factText } from '../../src/ledger/model/file-text.ts';
import { isWhole } from '../support/whole.ts';
import { type Fact, factsIn, put, type Tree } from './forger.ts';
import { type Kind, kinds } from './standing.ts';

/** What a forger has at hand. */
export interface Loot {
  /** The line whose facts are forged, and the id of a person's object of the same kind. */
  readonly line: Kind;
  readonly theirs: string;
  /** A command that the ledger names would make this file. */
  readonly marker: string;
  readonly otherScope: ReadonlyMap<string, string> | undefined;
  readonly otherEnvironment: ReadonlyMap<string, string> | undefined;
}

export const thief = 'https://thief.example';

/** What a forgery changes of a fact, beside what it wants. */
interface Aim {
  readonly changes: 'address' | 'object' | 'request' | 'form';
  readonly change: (fact: Fact, loot: Loot) => void;
}

const provider = (fact: Fact): Fact => fact.provider as Fact;
const to =
  (change: (loot: Loot) => Fact): Aim['change'] =>
  (fact, loot) =>
    void Object.assign(provider(fact), { base_url: thief, base_url_env: undefined }, change(loot));
const isItem = ({ reach }: Fact): boolean => (reach as Fact).kind === 'item';
/** A request of a fact under another method or path; the parent of an entry is written by its own. */
const removing =
  (request: (theirs: string, path: string) => Fact): Aim['change'] =>
  (fact, { theirs }) => {
    const reach = fact.reach as { [name: string]: unknown; parent?: Fact; remove?: { path: string } };
    if (isItem(fact)) Object.assign(reach.parent ?? {}, { list_path: 'allowed_logout_urls' });
    else reach.remove = request(theirs, reach.remove?.path ?? '') as never;
  };
const lastLetter = (text: string): string => `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;

/** What forgers want of one fact. */
const aims: { readonly [name: string]: Aim } = {
  'another host': { changes: 'address', change: to(() => ({})) },
  'another host and another credential': { changes: 'address', change: to(() => ({ auth: { bearer_env: 'GITHUB_TOKEN' } })) },
  'another host beside the name of another address variable': {
    changes: 'address',
    change: to(() => ({ base_url_env: 'NOBODY_SETS_THIS' })),
  },
  'the name of another address variable alone': {
    changes: 'address',
    change: (fact) => void Object.assign(provider(fact), { base_url_env: 'THIEF_URL' }),
  },
  'another token endpoint': {
    changes: 'address',
    change: (fact) => {
      const auth = { client_id_env: 'GITHUB_TOKEN', client_secret_env: 'STRIPE_SECRET_KEY', token_url: `${thief}/token` };
      Object.assign(provider(fact), { auth: { oauth_client_credentials: auth } });
    },
  },
  'another host and a secret of a source': {
    changes: 'address',
    change: (fact, loot) => {
      to(() => ({}))(fact, loot);
      fact.credential = { secret: 'env://GITHUB_TOKEN' };
    },
  },
  'a command that prints its credential': {
    changes: 'address',
    change: to(({ marker }) => ({ auth: { command: ['touch', marker] } })),
  },
  'an object of a person': {
    changes: 'object',
    change: (fact, { theirs }) => {
      fact.recordId = String(fact.recordId).replace(String(fact.objectId), theirs);
      fact.objectId = theirs;
      if (isItem(fact)) (fact.reach as Fact).item = theirs;
    },
  },
  'one other letter in its id': {
    changes: 'object',
    change: (fact) => {
      const id = lastLetter(String(fact.objectId));
      fact.recordId = String(fact.recordId).replace(String(fact.objectId), id);
      fact.objectId = id;
      if (isItem(fact)) (fact.reach as Fact).item = id;
    },
  },
  'a request that removes something else': {
    changes: 'request',
    change: removing((theirs, path) => ({ method: 'DELETE', path: path.replace('{id}', theirs) })),
  },
  'a request of another method, with a body': {
    changes: 'request',
    change: removing((theirs, path) => ({ method: 'POST', path: path.replace('{id}', theirs), body: { disabled: true, url: thief } })),
  },
  'a look that finds an object of a person': {
    changes: 'request',
    change: (fact, { theirs }) => {
      const reach = fact.reach as { item?: string; find?: Fact };
      if (isItem(fact)) reach.item = theirs;
      else Object.assign(reach.find ?? {}, { match: { '/id': theirs } });
    },
  },
  'one member less': { changes: 'form', change: (fact) => void delete fact.key },
};

type Forge = (files: Tree, loot: Loot) => void;

/** Where a forgery stands, and what a scope is like before it. */
export interface Carrier {
  readonly files: RegExp;
  /** Left out: it holds no fact of an object. A text tells why some aims have no place in it. */
  readonly put?: (files: Tree, forged: Fact, honest: Fact) => void;
  readonly lacks?: { readonly [changes in Aim['changes'] | 'copies' | 'removal']?: string };
  /** A run died before it recorded what it made. */
  readonly isOfDead?: true;
  /** The plan has the line no more. */
  readonly isOrphan?: true;
  /** Of the list that callbacks share. */
  readonly isLock?: true;
}

const namesNothing = 'it names no host, credential, object or request';
const holdsNoFact = { address: namesNothing, object: namesNothing, request: namesNothing } as const;
const announcesNone = 'it is written before its object has an id';

const carriers: { readonly [name: string]: Carrier } = {
  'a record': { files: /^records\//, put: (files, forged) => put(files, 'records', forged) },
  'an object that a record would remove': {
    files: /^records\//,
    put: (files, { objectId, recordId, reach, ...forged }, honest) => {
      const { objectId: ownId, recordId: ownRecordId, reach: ownReach } = honest;
      const own = { ...forged, objectId: ownId, recordId: ownRecordId, reach: ownReach };
      put(files, 'records', { ...own, superseded: [{ objectId, recordId, reach }] });
    },
    lacks: { copies: 'a copy of its record is one of a record', removal: 'it goes with its record' },
  },
  'an announcement': {
    files: /^intents\//,
    isOfDead: true,
    put: (files, forged) => put(files, 'intents', forged),
    lacks: { object: announcesNone },
  },
  'a record whose line left the plan': { files: /^records\//, isOrphan: true, put: (files, forged) => put(files, 'records', forged) },
  'one more record': {
    files: /^records\//,
    put: (files, forged) => put(files, 'records', { ...forged, line: 'extra', identity: 'a'.repeat(64) }),
    lacks: { copies: 'copies of a record are records more', removal: 'there was none' },
  },
  'one more announcement': {
    files: /^intents\//,
    put: (files, { objectId: _o, recordId: _r, owned: _w, ...forged }) => {
      const announced = { idempotencyKey: null, not: [], at: '2020-01-01T00:00:00.000Z', line: 'extra', identity: 'b'.repeat(64) };
      put(files, 'intents', { ...forged, ...announced });
    },
    lacks: { object: announcesNone, removal: 'there was none' },
  },
  'a note of what was left': {
    files: /^left\//,
    put: (files, { identity, key, recordId, objectId }) => {
      files.delete(`records/${String(identity).slice(0, 2)}/${String(identity)}.json`);
      put(files, 'left', { v: 1, identity, key, recordId, objectId, at: '2020-01-01T00:00:00.000Z', run: 'x' });
    },
    lacks: { address: 'it names no host and no credential', request: 'it names no request', removal: 'there was none' },
  },
  'a note of deletes': {
    files: /^deletes\//,
    put: (files, forged) => {
      const note = { v: 1, n: 1, run: 'x', head: 'commit-1', of: String(forged.identity).slice(0, 6), open: true, records: [forged] };
      files.set('deletes/000001.json', factText(note));
    },
    lacks: { copies: 'it holds as many records as one pleases', removal: 'there was none' },
  },
  'a line of the history': { files: /^history/, lacks: holdsNoFact },
  'a lease': { files: /^lease/, lacks: holdsNoFact },
  'a lock': { files: /^lock/, lacks: holdsNoFact, isLock: true },
};

const dayMs = 86_400_000;
const held = {
  v: 1,
  holder: 'x',
  run: 'x',
  durationMs: dayMs,
  deadlineMs: dayMs,
  renewal: 1,
  released: null,
  at: '2020-01-01T00:00:00.000Z',
};
const copies = 40;
const holds = ({ files }: Carrier, ...paths: readonly string[]): string | undefined => paths.find((path) => files.test(path));

/** What forgers do with whole files, or why the carrier has none of it. */
const ofFiles: { readonly [aim: string]: (carrier: Carrier) => Forge | string } = {
  'taken away': ({ files: own, lacks }) =>
    lacks?.removal ??
    ((files) => {
      for (const path of [...files.keys()]) if (own.test(path)) files.delete(path);
    }),
  'as another scope has it': (carrier) => (carrier.isLock ? 'a lock belongs to no scope' : copied(carrier, ({ otherScope }) => otherScope)),
  'as another environment has it': (carrier) =>
    carrier.isLock ? 'a lock belongs to no environment' : copied(carrier, ({ otherEnvironment }) => otherEnvironment),
  'many times over': (carrier) => {
    const { lacks, put: write } = carrier;
    if (lacks?.copies) return lacks.copies;
    if (write) {
      return (files, { line }) => {
        const honest = honestFact(files, line);
        for (let n = 0; n < copies; n += 1) write(files, { ...honest, identity: n.toString(16).padStart(64, '0') }, honest);
      };
    }
    if (!holds(carrier, 'history')) return 'there is one file of it';
    return (files) => void files.set('history.jsonl', (files.get('history.jsonl') ?? '').repeat(1_000));
  },
  'for a day': (carrier) => {
    const path = holds(carrier, 'lease.json', 'lock.json');
    return path === undefined ? 'nobody waits for it' : (files) => void files.set(path, JSON.stringify(held));
  },
};

/** Whole files of another branch, with the seals that are theirs. */
const copied =
  ({ files: own }: Carrier, from: (loot: Loot) => ReadonlyMap<string, string> | undefined): Forge =>
  (files, loot) => {
    for (const [path, text] of from(loot) ?? []) if (own.test(path) || path === 'seals.json') files.set(path, text);
  };

function honestFact(files: ReadonlyMap<string, string>, line: string): Fact {
  const found = ['records', 'intents'].flatMap((folder) => factsIn(files, folder)).find(([, fact]) => fact.line === line)?.[1];
  if (!found) throw new Error(`no fact of ${line}`);
  return found;
}

/** One member of what holds no fact. */
const withoutMember =
  ({ files: own }: Carrier): Forge =>
  (files) => {
    const path = ['history.jsonl', 'lease.json', 'lock.json'].find((one) => own.test(one)) ?? '';
    const text = files.get(path) ?? JSON.stringify(held);
    const last = path === 'history.jsonl' ? text.trim().replace(/^.*\n/s, '') : text;
    const { repository: _r, durationMs: _d, ...rest } = JSON.parse(last) as Fact;
    files.set(path, `${JSON.stringify(rest)}\n`);
  };

const ofFact = (aim: Aim, carrier: Carrier): Forge | string => {
  const { put: write, lacks } = carrier;
  const why = lacks?.[aim.changes];
  if (why !== undefined) return why;
  if (!write) return withoutMember(carrier);
  return (files, loot) => {
    const honest = honestFact(files, loot.line);
    const forged = structuredClone(honest);
    aim.change(forged, loot);
    write(files, forged, honest);
  };
};

export interface Cell {
  readonly name: string;
  readonly carrier: Carrier;
  readonly forge: Forge;
}

const all = Object.entries(carriers).flatMap(([at, carrier]) => [
  ...Object.entries(aims).map(([aim, one]) => ({ name: `${at}: ${aim}`, carrier, forge: ofFact(one, carrier) })),
  ...Object.entries(ofFiles).map(([aim, of]) => ({ name: `${at}: ${aim}`, carrier, forge: of(carrier) })),
]);

/** Every aim in every carrier that has a place for it. */
export const cells: readonly Cell[] = all.flatMap(({ forge, ...rest }) => (typeof forge === 'string' ? [] : [{ ...rest, forge }]));

/** The others, each with why there is no such forgery. */
export const without: readonly string[] = all.flatMap(({ name, forge }) => (typeof forge === 'string' ? [`${name}: ${forge}`] : []));

/** The lines whose facts are forged: the kinds take turns, or each cell has all of them. */
export const kindsOf = ({ carrier }: Cell, n: number): readonly Kind[] => {
  if (carrier.isLock) return ['callback'];
  return isWhole ? kinds : [kinds[n % kinds.length] ?? 'payments'];
};
