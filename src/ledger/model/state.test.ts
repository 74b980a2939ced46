import { describe, expect, it } from 'vitest';
import { endingOf } from '../../../test/support/writer-scope.ts';
import type { Lease } from './facts.ts';
import { factText, toText } from './file-text.ts';
import { applyChange, parseState, paths } from './state.ts';

const branch = 'pilotfish-receipts/preview/pr-12';
const identity = 'ab'.repeat(32);
const record = {
  v: 1,
  identity,
  adapter: 'http',
  op: 'hook',
  recipe: null,
  key: '/hooks[1]',
  provider: { api: 'acme', base_url: 'https://api.acme.example', auth: null },
  line: 'hook',
  plan: null,
  reach: { kind: 'object', find: null, remove: { method: 'DELETE', path: '/hooks/{id}' } },
  lock: null,
  destroy: 'delete',
  kind: 'object',
  after: [],
  generation: 1,
  run: 'a',
  template: 't',
  recordId: 'DELETE /hooks/1',
  objectId: '1',
  owned: true,
  hash: 'h',
  fields: {},
  unready: false,
  fingerprints: {},
  outputs: {},
  edges: [],
  superseded: [],
  credential: 'block',
  writtenAt: '2026-11-21T00:00:00.000Z',
};
const { hash: _hash, objectId: _objectId, ...rest } = record;
const intent = { ...rest, idempotencyKey: null, not: [], at: '2026-11-21T00:00:00.000Z' };
const lease: Lease = { v: 1, holder: 'h', run: 'a', durationMs: 1, deadlineMs: 1, renewal: 1, released: null, at: '' };
const textOf = (path: string, value: unknown): string => {
  if (typeof value === 'string') return value;
  return /^(records|intents)/.test(path) && typeof value === 'object' && value !== null ? factText(value) : toText(value);
};
const parse = (files: { readonly [path: string]: unknown }) =>
  parseState(new Map(Object.entries(files).map(([path, value]) => [path, textOf(path, value)])), branch);
const refusal = (code: string, detail: RegExp) => expect.objectContaining({ code, detail: expect.stringMatching(detail) });

const lineOf = (run: string): string => `${JSON.stringify(endingOf(run).history)}\n`;

describe('a receipts branch', () => {
  it('is read as facts, one file a record and one line a history entry', () => {
    const state = parse({
      [paths.record(identity)]: record,
      [paths.intent(identity)]: intent,
      [paths.lease]: lease,
      [paths.history]: lineOf('a') + lineOf('b'),
      'README.md': 'for people',
      'vercel.json': '{}',
    });
    expect(state.records.get(identity)?.objectId).toBe('1');
    expect(state.intents.get(identity)?.at).toBe(record.writtenAt);
    expect(state.lease).toEqual(lease);
    expect(state.history.map((entry) => entry.run)).toEqual(['a', 'b']);
    expect(state.snapshot).toBeNull();
  });

  it('may hold members that this version does not know', () => {
    expect(parse({ [paths.record(identity)]: { ...record, later: true } }).records.size).toBe(1);
  });

  it.each([
    ['half a file', { [paths.record(identity)]: '{"v":1,' }, /records\/ab.*is not JSON/],
    ['an empty file', { [paths.lease]: '' }, /lease\.json.*not JSON/],
    ['a record without its id', { [paths.record(identity)]: { ...record, objectId: undefined } }, /\/objectId/],
    ['a record of another name', { [paths.record('cd'.repeat(32))]: record }, /not the one that its name says/],
    ['an intent of another name', { [paths.intent('cd'.repeat(32))]: intent }, /not the one that its name says/],
    ['an identity that is none', { 'records/xy/xy.json': { ...record, identity: 'xy' } }, /\/identity/],
    ['a reach of no known kind', { [paths.record(identity)]: { ...record, reach: { kind: 'magic' } } }, /\/reach/],
    ['a lease that never ends', { [paths.lease]: { ...lease, durationMs: -1 } }, /\/durationMs/],
    [
      'a record that names another object',
      { [paths.record(identity)]: factText(record).replaceAll('/hooks/1', '/hooks/2') },
      /was changed/,
    ],
    ['a record without its checksum', { [paths.record(identity)]: toText(record) }, /was changed/],
    ['an intent that finds other objects', { [paths.intent(identity)]: factText(intent).replace('null', '{"id":"/id"}') }, /was changed/],
    ['half a character', { [paths.record(identity)]: { ...record, objectId: '\ud83d' } }, /half a character/],
    ['a broken line of history', { [paths.history]: `${lineOf('a')}{"run"\n` }, /history\.jsonl/],
    ['a snapshot without lines', { [paths.snapshot]: { v: 1, run: 'a', digest: 'd', commit: null, machine: 1 } }, /\/lines/],
  ])('with %s is LEDGER_CORRUPT', (_, files, detail) => {
    expect(() => parse(files)).toThrow(refusal('LEDGER_CORRUPT', detail));
  });

  it.each([paths.record(identity), paths.intent(identity), paths.lease, paths.snapshot, paths.receipt])(
    'with a newer %s is LEDGER_VERSION, whatever else is in it',
    (path) => {
      expect(() => parse({ [path]: { v: 3, everything: 'is new' } })).toThrow(refusal('LEDGER_VERSION', /of version 3/));
    },
  );

  it('with a file that needs a feature unknown to this version is LEDGER_VERSION, and the error says which version knows it', () => {
    const needs = { kept: '0.2.0', seals: '0.9.0' };
    expect(() => parse({ [paths.record(identity)]: { v: 2, needs } })).toThrow(
      refusal('LEDGER_VERSION', /needs seals, which pilotfish knows from version 0\.9\.0 on/),
    );
    const forged = { '::error::': '\u001b[2J' };
    expect(() => parse({ [paths.record(identity)]: { v: 2, needs: forged } })).toThrow(
      refusal('LEDGER_VERSION', /needs a feature that this pilotfish does not know/),
    );
  });
});

describe('a change', () => {
  it('is read without a look at the files that it leaves alone, however many there are', () => {
    const looks = (size: number): number => {
      const texts = new Map(
        Array.from({ length: size }, (_, i) => {
          const one = { ...record, identity: i.toString(16).padStart(64, '0') };
          return [paths.record(one.identity), textOf(paths.record(one.identity), one)] as const;
        }),
      );
      const before = { files: texts, state: parseState(texts, branch) };
      const changed = { ...record, identity: '0'.repeat(64), generation: 7 };
      const gone = paths.record('1'.padStart(64, '0'));
      const after = new Map(
        applyChange(
          texts,
          new Map([
            [paths.record(changed.identity), textOf(paths.record(changed.identity), changed)],
            [gone, null],
          ]),
        ),
      );
      let count = 0;
      const counted = new Proxy(after, {
        get: (target, name) => {
          count += 1;
          // Iterating would be counted as often as it gives something.
          const member: unknown = Reflect.get(target, name);
          if (name === 'keys' || name === Symbol.iterator) count += target.size;
          return typeof member === 'function' ? member.bind(target) : member;
        },
      });
      const state = parseState(
        counted,
        branch,
        before,
        new Map([
          [paths.record(changed.identity), null],
          [gone, null],
        ]),
      );
      expect(state).toEqual(parseState(after, branch));
      expect(state.records.get(changed.identity)?.generation).toBe(7);
      expect(before.state.records.size).toBe(size);
      return count;
    };
    expect(looks(2_000)).toBe(looks(20));
  });

  it('gives the files after it without touching those before it', () => {
    const before = new Map([
      ['a', '1'],
      ['b', '2'],
    ]);
    const after = applyChange(
      before,
      new Map([
        ['a', null],
        ['c', '3'],
      ] as const),
    );
    expect([...after]).toEqual([
      ['b', '2'],
      ['c', '3'],
    ]);
    expect(before.size).toBe(2);
  });
});
