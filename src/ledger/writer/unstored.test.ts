import { describe, expect, it } from 'vitest';
import { endingOf, intent, later, now, outcome, record, scope } from '../../../test/support/writer-scope.ts';
import { Failure } from '../../core/errors.ts';
import { factText } from '../model/file-text.ts';

const refused = new Failure('LEDGER_REFUSED', { detail: 'The remote refused the push.' });
const refuse = (): never => {
  throw refused;
};
/** A run that announced and did its create, and whose record no push takes. */
async function withoutItsRecord() {
  const world = scope();
  const { writer } = await world.begun('a');
  await writer.submit([intent(1, 'a')], now);
  world.remote.before = refuse;
  expect(await outcome(writer.submit([record(1, 'a')], now))).toBe(refused);
  return { ...world, writer };
}

describe('after a push of a record is refused', () => {
  it('no write is sent any more, and nothing new is announced', async () => {
    const { writer, remote } = await withoutItsRecord();
    remote.before = () => undefined;
    expect(() => writer.checkLease()).toThrow(refused);
    expect(await outcome(writer.ensureLease())).toBe(refused);
    expect(await outcome(writer.submit([intent(2, 'a')], now))).toBe(refused);
  });

  it('the object is still announced by its intent', async () => {
    const { state } = await withoutItsRecord();
    expect([state().intents.size, state().records.size]).toEqual([1, 0]);
  });

  it('the last push offers the record once more, with what was under way meanwhile', async () => {
    const { writer, remote, state } = await withoutItsRecord();
    remote.before = () => undefined;
    expect(await outcome(writer.submit([record(2, 'a')], later))).toBe(refused);
    expect(writer.unstored.map(({ kind }) => kind)).toEqual(['record', 'record']);
    expect(await writer.finish(endingOf('a'))).toBe('stored');
    expect([state().intents.size, state().records.size]).toEqual([0, 2]);
    expect(state().lease?.released).toEqual({ quietForMs: 0 });
    expect(writer.unstored).toEqual([]);
  });

  it('the run tells what the last push does not take either, without the intents', async () => {
    const { writer, state } = await withoutItsRecord();
    expect(await outcome(writer.finish(endingOf('a')))).toBe(refused);
    expect(writer.unstored).toEqual([record(1, 'a')]);
    expect(state().receipt).toBeNull();
  });

  it('a record that landed although its push failed is not offered again', async () => {
    const { writer, remote, state, commits } = await withoutItsRecord();
    // The host stored the push and told of a failure. The next read shows the record.
    remote.before = () => undefined;
    const head = remote.branches.get('pilotfish-receipts/preview/pr-12')?.head ?? '';
    const landed = new Map(
      [...remote.filesOf('pilotfish-receipts/preview/pr-12')].flatMap(([path]) =>
        path.startsWith('intents/') ? ([[path, null]] as const) : [],
      ),
    );
    const text = factText(record(1, 'a').record);
    const path = [...landed.keys()][0]?.replace('intents/', 'records/') ?? '';
    await remote.open().append('pilotfish-receipts/preview/pr-12', new Map([...landed, [path, text]]), head, 'landed late');
    expect(await writer.finish(endingOf('a'))).toBe('stored');
    expect([state().intents.size, state().records.size]).toEqual([0, 1]);
    expect(commits().at(-1)?.has(path)).toBe(false);
  });
});

describe('after a push of intents alone is refused', () => {
  it('nothing was done, so the next one is tried', async () => {
    const { begun, remote, state } = scope();
    const { writer } = await begun('a');
    remote.before = refuse;
    expect(await outcome(writer.submit([intent(1, 'a')], now))).toBe(refused);
    remote.before = () => undefined;
    await writer.submit([intent(2, 'a')], now);
    expect(state().intents.size).toBe(1);
    expect(writer.unstored).toEqual([]);
  });
});

it('a run that lost its lease still knows what it could not record', async () => {
  const { begun, clock } = scope();
  const a = await begun('a');
  await a.writer.submit([intent(1, 'a')], now);
  a.writer.close();
  const b = begun('b');
  await clock.advance(125_000);
  await b;
  expect(await outcome(a.writer.submit([record(1, 'a')], now))).toMatchObject({ code: 'LEASE_LOST' });
  expect(a.writer.unstored).toEqual([record(1, 'a')]);
});
