import type { Wanted, Wish } from './wish.ts';
import { byNameOnly } from './world.ts';

/** Objects that know nothing of each other. */
export function independent(count: number, collection = 'widgets'): Wanted {
  const objects = Array.from({ length: count }, (_, n) => wish(collection, n));
  return { shape: 'objects', isListed: collection !== byNameOnly, isKeyed: false, objects };
}

/** Each holds the id of the one before; `isKeyed`: and is found by it. */
export function chain(count: number, isKeyed = false): Wanted {
  const objects = Array.from({ length: count }, (_, n) => wish('widgets', n, n === 0 ? [] : [nameOf(n - 1)]));
  return { shape: 'objects', isListed: true, isKeyed, objects };
}

/** One on top, one at the bottom that holds the ids of all in the middle. */
export function diamond(count: number): Wanted {
  const middle = Array.from({ length: count - 2 }, (_, n) => wish('widgets', n + 1, [nameOf(0)]));
  const bottom = wish(
    'widgets',
    count - 1,
    middle.map(({ name }) => name),
  );
  return { shape: 'objects', isListed: true, isKeyed: false, objects: [wish('widgets', 0), ...middle, bottom] };
}

export function entries(count: number, apps: number): Wanted {
  const all = Array.from({ length: count }, (_, n) => ({ app: `app-${n % apps}`, url: `https://preview-${n}.shop.example/callback` }));
  return { shape: 'entries', entries: all };
}

export function variables(count: number): Wanted {
  const all = Array.from({ length: count }, (_, n) => ({ key: `SHOP_SETTING_${n}`, value: `setting ${n}` }));
  return { shape: 'variables', project: 'shop', variables: all };
}

const nameOf = (n: number): string => `widget-${String(n).padStart(5, '0')}`;
const wish = (collection: string, n: number, needs: readonly string[] = []): Wish => ({
  collection,
  name: nameOf(n),
  value: `value ${n}`,
  needs,
});
