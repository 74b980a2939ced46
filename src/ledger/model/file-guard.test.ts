import { expect, it } from 'vitest';
import { branch, endingOf, position } from '../../../test/support/writer-scope.ts';
import { leaseFact } from '../writer/lease.ts';
import { isPlainFile } from './file-guard.ts';
import { parseState, paths } from './state.ts';

const line = { id: 'a', state: 'settled', verdict: 'none', identity: null, generation: 1 };
const { receipt, history } = endingOf('a');
const released = leaseFact({ holder: 'h', run: 'a', durationMs: 3, deadlineMs: 1 }, 1, 0, 5);

/** The files beside records and intents, with values as the writer makes them. */
const files = [
  ['lease', released],
  ['lease', { ...released, released: null }],
  ['snapshot', { ...position, lines: [line, { ...line, identity: 'x' }] }],
  ['receipt', { ...receipt, lines: [{ id: 'a', verdict: 'none', state: 'settled', ms: 1, requests: 0 }] }],
  ['history', history],
] as const;

it.each(files)('a %s as it is written needs no schema', (kind, value) => {
  expect(isPlainFile[kind](value)).toBe(true);
});

/** As a ledger is read: what the guard is not sure of is judged by the schema. */
const isTaken = (kind: keyof typeof isPlainFile, value: unknown): boolean => {
  try {
    parseState(new Map([[paths[kind], `${JSON.stringify(value)}\n`]]), branch);
    return true;
  } catch {
    return false;
  }
};

it.each(files)('a %s with a member that is missing, or is something else, is refused where it is relied on', (kind, value) => {
  const relied = {
    lease: ['v', 'holder', 'run', 'durationMs', 'deadlineMs', 'renewal', 'released'],
    snapshot: ['v', 'run', 'digest', 'machine', 'lines'],
    receipt: ['v', 'run', 'status', 'lines'],
    history: ['run', 'at', 'outcome'],
  }[kind];
  for (const member of relied) {
    const rest = Object.fromEntries(Object.entries(value).filter(([name]) => name !== member));
    for (const changed of [rest, { ...value, [member]: {} }, { ...value, [member]: [1] }]) {
      expect(isPlainFile[kind](changed), `${member} of ${JSON.stringify(changed)}`).toBe(false);
      expect(isTaken(kind, changed)).toBe(false);
    }
  }
});

it('moments and positions that nobody can wait for or stand at are not taken', () => {
  for (const bad of [-1, 0, 86_400_001, Number.POSITIVE_INFINITY, '3']) {
    expect(isPlainFile.lease({ ...released, durationMs: bad })).toBe(false);
    expect(isPlainFile.lease({ ...released, deadlineMs: bad })).toBe(false);
  }
  for (const bad of [-1, 86_400_001, null]) expect(isPlainFile.lease({ ...released, released: { quietForMs: bad } })).toBe(false);
  for (const bad of [
    { ...line, id: 1 },
    { ...line, state: 1 },
    { ...line, verdict: 1 },
    { ...line, identity: 1 },
    { ...line, generation: '1' },
    null,
  ])
    expect(isPlainFile.snapshot({ ...position, lines: [line, bad] })).toBe(false);
  for (const bad of [{}, null, { id: 1 }]) expect(isPlainFile.receipt({ ...receipt, lines: [{ id: 'a' }, bad] })).toBe(false);
});
