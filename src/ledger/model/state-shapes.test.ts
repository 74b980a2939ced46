import { describe, expect, it } from 'vitest';
import { branch, endingOf, identity, intent, position, record } from '../../../test/support/writer-scope.ts';
import { leaseFact } from '../writer/lease.ts';
import { changeOf } from './change.ts';
import type { LedgerRecord } from './facts.ts';
import { toText } from './file-text.ts';
import { emptyState, parseLease, parseState, paths } from './state.ts';

const lease = leaseFact({ holder: 'h', run: 'a', durationMs: 3, deadlineMs: 1 }, 1, 0, 0);
const whole = changeOf({
  files: new Map(),
  facts: [record(1, 'a'), intent(2, 'a')],
  lease,
  snapshot: position,
  ending: endingOf('a', { snapshot: position }),
});
const { record: fact } = record(1, 'a');
const { intent: announced } = intent(2, 'a');

type Shape = { readonly [member: string]: unknown };
/** A ledger in which one file holds something else, with a checksum that fits. */
function withFile(path: string, value: unknown): ReadonlyMap<string, string> {
  const files = new Map([...whole].flatMap(([name, text]) => (text === null ? [] : [[name, text] as const])));
  return files.set(path, path === paths.history ? `${JSON.stringify(value)}\n` : textOf(value as Shape));
}
/** As the writer writes it: facts through a change, everything else as text. The types do not allow a wrong fact. */
function textOf(value: Shape): string {
  const { identity: id } = value;
  if (typeof id !== 'string') return toText(value);
  const record: LedgerRecord = JSON.parse(JSON.stringify(value));
  const change = changeOf({ files: new Map(), facts: [{ kind: 'record', record }], lease: null, snapshot: null, ending: null });
  return change.get(paths.record(id)) ?? '';
}
const parse = (path: string, value: unknown) => parseState(withFile(path, value), branch);
const damage = (where: string) =>
  expect.objectContaining({ code: 'LEDGER_CORRUPT', detail: expect.stringContaining(`${where} on ${branch} cannot be used`) });

describe('every member that is relied on', () => {
  const r = paths.record(identity(1));
  const i = paths.intent(identity(2));
  const { receipt, history } = endingOf('a');
  const item = { kind: 'item', parent: { path: '/a', method: 'PATCH', list_path: '/b', shape: 'array' }, item: 'x' };

  it.each<[string, string, Shape]>([
    ['the find of a reach', r, { ...fact, reach: { kind: 'object', find: {}, remove: null } }],
    ['the delete of a reach', r, { ...fact, reach: { kind: 'object', find: null, remove: {} } }],
    ['the parent of an item', r, { ...fact, reach: { ...item, parent: {} } }],
    ['the list of an item', r, { ...fact, reach: { ...item, parent: { path: '/a' } } }],
    ['the version in an item', r, { ...fact, reach: { ...item, parent: { ...item.parent, version: { body: '/v' } } } }],
    ['what an item asks of its parent', r, { ...fact, reach: { ...item, parent: { ...item.parent, require: { match: [] } } } }],
    ['the name of an item', r, { ...fact, reach: { kind: 'item', parent: item.parent } }],
    ['the address of the provider', r, { ...fact, provider: {} }],
    ['the name of the provider', r, { ...fact, provider: { base_url: 'https://a.example', auth: null } }],
    ['the policy of destroy', r, { ...fact, destroy: '' }],
    ['the kind', r, { ...fact, kind: '' }],
    ['the lines that it comes after', r, { ...fact, after: [1] }],
    ['a whole generation', r, { ...fact, generation: 1.5 }],
    ['the producer of an edge', r, { ...fact, edges: [{}] }],
    ['the object that was superseded', r, { ...fact, superseded: [{}] }],
    ['the reach of what was superseded', r, { ...fact, superseded: [{ recordId: 'a', objectId: 'b', reach: {} }] }],
    ['texts as hashes of fields', r, { ...fact, fields: { a: 1 } }],
    ['texts as fingerprints', r, { ...fact, fingerprints: { a: 1 } }],
    ['whether it is ours', r, { ...fact, owned: 'yes' }],
    ['when it was announced', i, { ...announced, at: 1 }],
    ['the ids that it is not', i, { ...announced, not: [1] }],
    ['its idempotency key', i, { ...announced, idempotencyKey: 1 }],
    ['its fixed fields', i, { ...announced, fixed: { source: 1 } }],
    ['how long writes may land', paths.lease, { ...lease, released: {} }],
    ['never less than no time', paths.lease, { ...lease, released: { quietForMs: -1 } }],
    ['the deadline of a lease', paths.lease, { ...lease, deadlineMs: 0 }],
    ['the holder of a lease', paths.lease, { ...lease, holder: null }],
    ['the state of a line', paths.snapshot, { ...position, lines: [{ id: 'a' }] }],
    ['the id of a line', paths.snapshot, { ...position, lines: [{ state: 'a' }] }],
    ['the status of a receipt', paths.receipt, { ...receipt, status: null }],
    ['the lines of a receipt', paths.receipt, { ...receipt, lines: [{}] }],
    ['the outcome in history', paths.history, { ...history, outcome: 1 }],
    ['the run in history', paths.history, { at: 'x', outcome: 'complete' }],
  ])('is checked: %s', (_, path, value) => {
    expect(() => parse(path, value)).toThrow(damage(path));
  });

  it.each(['object', 'item', 'action', 'wait'])('a record may be of the kind %s', (kind) => {
    expect(parse(r, { ...fact, kind }).records.get(identity(1))?.kind).toBe(kind);
  });

  it.each(['delete', 'keep', 'never'])('destroy may say %s', (destroy) => {
    expect(parse(r, { ...fact, destroy }).records.get(identity(1))?.destroy).toBe(destroy);
  });

  it.each([item, { kind: 'none' }, { kind: 'object', find: null, remove: null }])('a reach may be %j', (reach) => {
    expect(parse(r, { ...fact, reach }).records.get(identity(1))?.reach).toEqual(reach);
  });

  it.each(['https://', 'ftp://a.example', 'https://a.example:99999', 'https://1.2.3.4.5', 'a.example', ''])(
    'no provider has the address %j',
    (base_url) => {
      const reach = { kind: 'object', find: null, remove: null };
      expect(() => parse(r, { ...fact, reach, provider: { ...fact.provider, base_url } })).toThrow(damage(r));
    },
  );

  it.each([identity(1).slice(1), `0${identity(1)}`, identity(1).replace(/^0/, 'G'), `${identity(1)}\n`])(
    'an identity is 64 hex digits and not %j',
    (id) => {
      expect(() => parse(r, { ...fact, identity: id })).toThrow(damage(r));
    },
  );

  it.each(['null', '"text"', '17', '[]'])('a file that holds %s is damage, whatever its version may be', (text) => {
    const files = new Map([...withFile(paths.lease, lease), [paths.receipt, text]]);
    expect(() => parseState(files, branch)).toThrow(damage(paths.receipt));
  });

  it('a version that is no number is damage and not a newer ledger', () => {
    expect(() => parse(paths.lease, { ...lease, v: '2' })).toThrow(damage(paths.lease));
  });
});

describe('the files beside records and intents', () => {
  const line = { id: 'a', state: 'settled', verdict: 'none', identity: null, generation: 1 };
  const { receipt, history } = endingOf('a');
  const released = { ...lease, released: { quietForMs: 5 } };
  const files = [
    ['lease', released, ['v', 'holder', 'run', 'durationMs', 'deadlineMs', 'renewal', 'released']],
    ['snapshot', { ...position, lines: [line, { ...line, identity: 'x' }] }, ['v', 'run', 'digest', 'commit', 'machine', 'lines']],
    ['receipt', { ...receipt, lines: [] }, Object.keys(receipt)],
    ['history', history, Object.keys(history)],
  ] as const;

  it.each(files)('are refused when a member that is relied on is missing or of another kind: a %s', (kind, value, members) => {
    expect(() => parse(paths[kind], value)).not.toThrow();
    for (const member of members) {
      const rest = Object.fromEntries(Object.entries(value).filter(([name]) => name !== member));
      for (const changed of [rest, { ...value, [member]: {} }, { ...value, [member]: [1] }])
        expect(() => parse(paths[kind], changed), JSON.stringify(changed)).toThrow(damage(paths[kind]));
    }
  });

  it.each([-1, 0, Number.POSITIVE_INFINITY, '3'])('a lease lasts no %s milliseconds', (bad) => {
    expect(() => parse(paths.lease, { ...released, durationMs: bad })).toThrow(damage(paths.lease));
    expect(() => parse(paths.lease, { ...released, deadlineMs: bad })).toThrow(damage(paths.lease));
  });

  it.each([-1, Number.POSITIVE_INFINITY, null])('no write lands %s milliseconds after the release of a lease', (quietForMs) => {
    expect(() => parse(paths.lease, { ...released, released: { quietForMs } })).toThrow(damage(paths.lease));
  });

  it.each([600_001, 86_400_000, 3e13, 1e300])('a lease that asks for %s milliseconds has ten minutes, and is quiet for as long', (long) => {
    const asked = { ...released, durationMs: long, deadlineMs: long, released: { quietForMs: long } };
    const honoured = { durationMs: 600_000, deadlineMs: 200_000, released: { quietForMs: 600_000 } };
    expect(parse(paths.lease, asked).lease).toMatchObject(honoured);
    expect(parseLease(JSON.stringify(asked), 'lock.json', branch)).toMatchObject(honoured);
  });

  it.each([{ id: 1 }, { state: 1 }, { verdict: 1 }, { identity: 1 }, { generation: '1' }])('no line stands at %j', (wrong) => {
    expect(() => parse(paths.snapshot, { ...position, lines: [line, { ...line, ...wrong }] })).toThrow(damage(paths.snapshot));
  });
});

describe('a file beside the facts', () => {
  it('is left to people, in no folder of ours or with the name of one', () => {
    const state = parseState(
      new Map([
        ['notes/ab/x.json', 'not ours'],
        ['records', 'a file'],
        ['intents', 'a file'],
      ]),
      branch,
    );
    expect(state).toEqual(emptyState);
    expect(emptyState).toEqual({
      records: new Map(),
      intents: new Map(),
      left: new Map(),
      lease: null,
      snapshot: null,
      history: [],
      receipt: null,
    });
  });
});
