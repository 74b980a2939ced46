import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { optionsOf } from '../../scripts/options.ts';
import { places } from './places.ts';
import { faults } from './planted.ts';
import { type Recorded, record } from './record.ts';

const usage = `npm run linear -- [--store <name>] [--histories <number>] [--seed <number>]

  --store      only this one, repeatable: ${Object.keys(places).join(', ')}
  --histories  for each store, by default 1000. A planted fault gets a tenth of them.
  --seed       of the first history, by default 1

Eight processes use one branch of a ledger at the same time, and each history of what they saw is checked (test/linear/history.ts).`;

const {
  values: { store: asked, histories, seed },
} = optionsOf(usage, {
  options: {
    store: { type: 'string', multiple: true, default: [] },
    histories: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
  },
});
const count = Number(histories);
const names = asked.length === 0 ? Object.keys(places) : asked;
const unknown = names.filter((name) => places[name] === undefined);
if (unknown.length > 0 || !Number.isInteger(count) || count < 1 || !Number.isInteger(Number(seed))) {
  console.error(usage);
  process.exit(2);
}

let isWrong = false;
for (const name of names) {
  const place = (await places[name]?.()) ?? null;
  if (place === null) {
    console.log(`${name}: skipped, its program is not installed`);
    continue;
  }
  try {
    const sound = await recordIn(name, count, '');
    if (sound.wrong.length > 0) isWrong = true;
    for (const fault of Object.keys(faults)) {
      const found = await recordIn(`${name} with ${fault}`, Math.max(5, Math.ceil(count / 10)), fault);
      if (found.wrong.length === 0) isWrong = true;
    }
  } finally {
    await place.stop();
  }

  async function recordIn(title: string, most: number, fault: string): Promise<Recorded> {
    const root = await mkdtemp(path.join(tmpdir(), 'pilotfish-linear-'));
    try {
      // Each recording has branches of its own.
      const first = Number(seed) + 1_000_000 * (1 + ['', ...Object.keys(faults)].indexOf(fault));
      const { place: at = '', env = {} } = place ?? {};
      const told = await record({ place: at, env, root, histories: most, seed: first, fault });
      const { operations, overlapping, moved, unknown: open, wrong } = told;
      console.log(
        `${title}: ${told.histories} histories, ${operations} operations, ${overlapping} overlapping, ${moved} moved, ${open} without an answer, ${wrong.length} not linearizable`,
      );
      if (fault === '') for (const why of wrong.slice(0, 3)) console.log(why);
      return told;
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  }
}
process.exitCode = isWrong ? 1 : 0;
