import { afterEach, describe, expect, it } from 'vitest';
import { ends, lines, planOf } from './shop.ts';
import { openTown, second, type Town, terms } from './town.ts';

let town: Town;
afterEach(async () => {
  town.verify();
  await town.close();
});

/** An apply that is told to stop when its create has left it, which the provider takes so long to get. How long it went on after that. */
async function stopped(latenessMs: number) {
  town = await openTown(planOf(lines.dns));
  const { machine, interrupt, apply } = town.computer();
  machine.slow({ method: 'POST', path: /dns_records$/ }, latenessMs);
  let told = 0;
  machine.at('sent', 'POST', /dns_records$/, () => {
    told = machine.mono();
    interrupt();
  });
  const doc = await apply();
  const { records, intents, lease } = await town.ledger();
  return { doc, afterMs: machine.mono() - told, kept: { records: records.size, intents: intents.size }, released: lease?.released };
}

describe('a run that is told to stop with a create under way', () => {
  it('hears its answer for 4 seconds, and stores what it made', async () => {
    const { doc, afterMs, kept, released } = await stopped(3.9 * second);
    expect([doc.status, ...ends(doc)]).toEqual(['interrupted', 'dns create settled']);
    expect([afterMs, kept, released]).toEqual([3.9 * second, { records: 1, intents: 0 }, { quietForMs: 0 }]);
  });

  it('ends after them, and tells the next run how long the create may still land', async () => {
    const { doc, afterMs, kept, released } = await stopped(20 * second);
    expect([doc.status, ...ends(doc)]).toEqual(['interrupted', 'dns create interrupted']);
    expect([afterMs, kept]).toEqual([4 * second, { records: 0, intents: 1 }]);
    expect(released).toEqual({ quietForMs: terms.deadline - 4 * second });
    expect(ends(await town.computer().apply())).toEqual(['dns claim settled']);
  });
});
