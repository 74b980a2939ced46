import { seed } from 'pilotfish-sandbox/all';
import type { World } from './world.ts';

interface Thing {
  readonly name: string;
  /** What it is now; `undefined` when it is gone. */
  readonly now: () => unknown;
  readonly before: string;
}

const things = new WeakMap<World, readonly Thing[]>();

/** What people made in the consoles before any run. It looks like what plans make and is no plan's. */
export function addForeign(world: World): void {
  const { stripe, cloudflare, github, auth0 } = world.company;
  const zone = seed.zone.id;
  const endpoint = stripe.world.addEndpoint('https://person.acme.example', { metadata: { pilotfish: 'shop-pr-13' } });
  const records = ['www', 'pr-13', 'two.pr-13'].map((name) =>
    cloudflare.world.addRecord(zone, { type: 'CNAME', name: `${name}.${seed.zone.name}`, content: 'person.example' }),
  );
  const hook = github.world.addHook(seed.repository, { url: 'https://person.acme.example' });
  const callbacks = auth0.world.client(seed.auth0Client).callbacks;
  const watched: (readonly [string, () => unknown])[] = [
    ['stripe endpoint', () => stripe.world.endpoints().find(({ id }) => id === endpoint.id)],
    ...records.map(
      (record) => [`DNS record ${record.name}`, () => cloudflare.world.records(zone).find(({ id }) => id === record.id)] as const,
    ),
    ['repository hook', () => github.world.hooks(seed.repository).find(({ id }) => id === hook.id)],
    ['callback', () => listOf(auth0.world.client(seed.auth0Client).callbacks).includes('https://shop.acme.example/callback') || undefined],
  ];
  if (!listOf(callbacks).includes('https://shop.acme.example/callback')) throw new Error('the world has no foreign callback');
  things.set(
    world,
    watched.map(([name, now]) => ({ name, now, before: JSON.stringify(now()) })),
  );
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The first thing of other people that is gone or is not what it was. */
export function foreignProblem(world: World): string | null {
  for (const { name, now, before } of things.get(world) ?? []) {
    const value = now();
    if (value === undefined) return `a foreign ${name} was removed`;
    if (JSON.stringify(value) !== before) return `a foreign ${name} was changed`;
  }
  return null;
}
