import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunRequest } from '../../src/engine/types.ts';
import { receiptsBranch } from '../../src/ledger/model/names.ts';
import { lines, openShop, planOf, type Shop } from '../lifecycle/shop.ts';
import { Forger } from './forger.ts';
import { type Carrier, type Cell, cells, kindsOf } from './forgeries.ts';
import { expectNamed, type Kind, personsObjects, sharedList, standing, tidy } from './standing.ts';

interface Scope {
  readonly name: string;
  readonly branch: string;
  /** The plan with these lines. */
  readonly plan: (...of: readonly string[]) => string;
  readonly asks: Partial<RunRequest>;
}

export const preview = (name: string): Scope => ({
  name,
  branch: receiptsBranch('preview', name),
  plan: (...of) => planOf(...of),
  asks: { scope: name },
});
/** Production is one scope, so plans of several names stand beside each other there. */
export const production = (name: string): Scope => ({
  name,
  branch: receiptsBranch('production', 'production', name),
  plan: (...of) => `name: ${name}\n${planOf(...of).replaceAll('${ctx.scope}', name)}`,
  asks: { environment: 'production', scope: null, approvedBy: 'ann' },
});
export const noLines = (plan: string): string => plan.replace(/changes:.*/s, 'changes: []\n');

export interface Door {
  readonly scope: (name: string) => Scope;
  /** What its last run said. */
  readonly come: (shop: Shop, scope: Scope, plan: string) => Promise<string>;
  readonly writesNothing?: true;
  /** Why forgeries in some carriers are no others here. */
  readonly same?: (carrier: Carrier) => string | undefined;
}

/** As the command line has it. A lock is waited for. */
export const patient = { leaseTimeoutMs: 15 * 60_000 };

/**
 * Each forgery meets a scope that stands, and a run comes through the door. The cells of a door share a shop, so each has what the others
 * left as foreign objects.
 */
export function cross(name: string, door: Door): void {
  describe(`${name} gains nothing from`, () => {
    let shop: Shop;
    let theirs: ReturnType<typeof personsObjects>;
    const beside = door.scope('beside');
    const elsewhere = door.scope === preview ? production('elsewhere') : preview('elsewhere');

    beforeAll(async () => {
      shop = await openShop('');
      theirs = personsObjects(shop.world);
      for (const scope of [beside, elsewhere]) {
        await shop.write(scope.plan(lines.payments, lines.dns, lines.callback));
        expect((await shop.apply(scope.asks)).status).toBe('complete');
      }
    });
    afterAll(() => shop.close());

    it.each(tableOf(door))('%s', async (_, cell, kind, at) => {
      const scope = door.scope(`s${at + 100}`);
      const more = kind === 'dns' ? lines.payments : lines.dns;
      await shop.write(scope.plan(lines[kind], more));
      expect((await shop.apply(scope.asks)).status).toBe('complete');
      await forge(cell, scope, kind);
      const before = seen(scope.name);
      const { writes } = shop.watch();
      const said = await door.come(shop, scope, scope.plan(...(cell.carrier.isOrphan ? [more] : [lines[kind], more])));
      expect(seen(scope.name)).toEqual(before);
      expect(existsSync(marker())).toBe(false);
      if (door.writesNothing) expect(writes()).toEqual([]);
      else expectNamed(shop.world, scope.name, said);
      tidy(shop.world, scope.name);
      shop.remote.branches.delete(sharedList);
    });

    const marker = (): string => path.join(shop.folder, 'taken');
    const seen = (of: string) => ({ others: standing(shop.world, [of], 'others'), strangers: [...shop.strangers] });

    async function forge({ carrier, forge: change }: Cell, { branch }: Scope, line: Kind): Promise<void> {
      const forger = new Forger(shop.remote);
      if (carrier.isOfDead) await forger.die(branch);
      const [otherScope, otherEnvironment] = [beside, elsewhere].map((one) => shop.remote.filesOf(one.branch));
      const loot = { line, theirs: theirs[line], marker: marker(), otherScope, otherEnvironment };
      await forger.push(carrier.isLock ? sharedList : branch, (files) => change(files, loot));
    }
  });
}

type Row = readonly [title: string, cell: Cell, kind: Kind, at: number];

function tableOf({ same }: Door): readonly Row[] {
  const rows = cells.filter(({ carrier }) => same?.(carrier) === undefined);
  const all = rows.flatMap((cell, n) => kindsOf(cell, n).map((kind) => [`${cell.name} (${kind})`, cell, kind] as const));
  return all.map((row, at) => [...row, at]);
}
