import { isMap } from '../../src/core/json.ts';
import type { Scene } from './scene.ts';
import type { World } from './world.ts';

/** What a person could see of a scope: at the providers, in the ledger and in the receipt. */
export interface Picture {
  readonly mine: readonly unknown[];
  readonly ledger: unknown;
  readonly receipt: unknown;
}

export async function pictureOf(world: World, scene: Scene, leaves: 'state' | 'nothing'): Promise<Picture> {
  const { records, intents, lease, snapshot, receipt } = await world.ledger();
  const counters = world.site.counters ?? [];
  const mine = structuredClone(world.site.mine()).map((thing) => without(thing, counters));
  return {
    mine: { object: mine, kept: leaves === 'state' ? mine : [], message: leaves === 'state' ? mine.slice(-1) : [], wait: [] }[scene.kind],
    ledger: {
      records: [...records.values()]
        // How often it was made, and by which run, is the only trace that a cut may leave; and a form that means the same at any provider
        // is remembered by the run that wrote it alone. That nothing is written again is asked for itself.
        .map(({ generation: _, run: __, kept: ____, stood: _____, needs: ______, edges, outputs, ...record }) => ({
          ...record,
          outputs: without(outputs, counters),
          edges: edges.map(({ generation: ___, ...edge }) => edge),
        }))
        .sort((a, b) => (a.line < b.line ? -1 : 1)),
      intents: intents.size,
      isReleased: lease === null || lease.released !== null,
      snapshot,
    },
    receipt: receipt && {
      command: receipt.command,
      status: receipt.status,
      // A destroy has a line for what it found; how much that was depends on how far the apply had come. So has a prune.
      ...(receipt.command === 'apply' && {
        lines: receipt.lines
          .filter(isOfPlan)
          .map(({ id, state }) => `${id} ${state}`)
          .sort(),
      }),
    },
  };
}

const isOfPlan = ({ verdict }: { readonly verdict: string }): boolean => verdict !== 'delete' && verdict !== 'forget';

const without = (thing: unknown, members: readonly string[]): unknown =>
  isMap(thing) ? Object.fromEntries(Object.entries(thing).filter(([member]) => !members.includes(member))) : thing;

interface Difference {
  readonly at: string;
  readonly expected: unknown;
  readonly seen: unknown;
}

/** Every leaf in which two values differ. */
export function differences(expected: unknown, seen: unknown, at = ''): readonly Difference[] {
  if (Object.is(expected, seen)) return [];
  const lists = Array.isArray(expected) && Array.isArray(seen) && expected.length === seen.length;
  if (!lists && !(isMap(expected) && isMap(seen))) return [{ at, expected, seen }];
  const names = new Set([...Object.keys(expected), ...Object.keys(seen)]);
  return [...names].flatMap((name) => differences(valueAt(expected, name), valueAt(seen, name), `${at}/${name}`));
}

const valueAt = (value: object, name: string): unknown => Object.entries(value).find(([key]) => key === name)?.[1];
