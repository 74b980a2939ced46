/** A process of its own that adds one to a sum in a ledger again and again, for tests of races and of kills. */
import { openLocalStore } from '../../src/ledger/stores/local/local-store.ts';
import { openPostgresStore } from '../../src/ledger/stores/postgres/postgres-store.ts';
import { HeadMoved } from '../../src/ledger/stores/store.ts';

const [place = '', name = '', times = '1'] = process.argv.slice(2);
const isDatabase = place.startsWith('postgres:');
const store = isDatabase ? openPostgresStore({ url: place, cwd: '/', env: {}, repository: null }) : openLocalStore({ folder: place });
for (let done = 0; done < Number(times); ) {
  const tree = await store.read('race');
  const sum = Number(tree?.files.get('sum') ?? 0) + 1;
  try {
    await store.append(
      'race',
      new Map([
        ['sum', String(sum)],
        [`by/${name}/${done}`, 'x'.repeat(2_000)],
      ]),
      tree?.head ?? null,
      name,
    );
    done += 1;
    process.stdout.write(`${done}\n`);
  } catch (thrown) {
    if (!(thrown instanceof HeadMoved)) throw thrown;
  }
}
await store.close();
