import { expect, it } from 'vitest';
import { MemoryRemote } from '../../../test/support/memory-store.ts';
import { endingOf, identity, record } from '../../../test/support/writer-scope.ts';
import { systemClock } from '../../core/clock.ts';
import { changeOf } from '../model/change.ts';
import { paths } from '../model/state.ts';
import { Branch } from './branch.ts';

const broken = paths.record('aa00');
const line = (run: string): string => `${JSON.stringify(endingOf(run).history)}\n`;

function open() {
  const remote = new MemoryRemote();
  return new Branch({ store: remote.open(), branch: 'receipts', clock: systemClock });
}

it('the history of a branch is read without a look at what else was written since', async () => {
  const branch = open();
  await branch.append(new Map([[paths.history, line('a')]]), 'one');
  expect(branch.history.map(({ run }) => run)).toEqual(['a']);
  await branch.append(new Map([[broken, 'no fact']]), 'two');
  expect(branch.history.map(({ run }) => run)).toEqual(['a']);
  expect(() => branch.state).toThrow(expect.objectContaining({ code: 'LEDGER_CORRUPT' }));
});

it('facts that a run wrote itself are not read again', async () => {
  const branch = open();
  const fact = record(1, 'a');
  await branch.append(changeOf({ files: branch.files, facts: [fact], lease: null, snapshot: null, ending: null }), 'one', [fact]);
  expect([...branch.state.records.values()]).toEqual([fact.record]);
  expect(branch.state.records.get(identity(1))).toBe(fact.record);
  await branch.append(new Map([[paths.record(identity(1)), null]]), 'two');
  expect(branch.state.records.size).toBe(0);
});

it('the history of a branch has its own appends and those of another run', async () => {
  const branch = open();
  expect(branch.history).toEqual([]);
  await branch.append(new Map([[paths.history, line('a')]]), 'one');
  await branch.append(new Map([[paths.history, line('a') + line('b')]]), 'two');
  expect(branch.history.map(({ run }) => run)).toEqual(['a', 'b']);
  await branch.read();
  expect(branch.history.map(({ run }) => run)).toEqual(['a', 'b']);
});
