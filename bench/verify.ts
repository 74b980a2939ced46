import { isDeepStrictEqual } from 'node:util';
import type { Phase } from './phase.ts';
import { sizeOf, type Wanted } from './wish.ts';
import { type Standing, World } from './world.ts';

/**
 * What is wrong with the server's world after a phase; empty when it is as it should be: everything wanted stands once, with its
 * values and the ids of what it needs, nothing else was made, and what others made is untouched.
 */
export function flawsOf(wanted: Wanted, phase: Phase, now: Standing): string[] {
  const before = World.seeded(wanted).standing();
  const isThere = phase !== 'plan' && phase !== 'destroy';
  const flaws: string[] = [];
  const others = (standing: Standing): Standing => ({
    things: standing.things.filter(({ name }) => name.startsWith('others-')),
    variables: standing.variables.filter(({ key }) => key.startsWith('OTHERS_')),
    apps: standing.apps.map((app) => ({ ...app, callbacks: app.callbacks.filter((url) => url.includes('others.example')) })),
  });
  if (!isDeepStrictEqual(others(now), others(before))) flaws.push('what others made was touched');
  const ours = oursOf(now);
  const count = isThere ? sizeOf(wanted) : 0;
  if (ours.length !== count) flaws.push(`${ours.length} objects of ours stand there, not ${count}`);
  if (isThere) {
    const all = new Set(ours);
    const missing = wishesOf(wanted, now).filter((wish) => !all.has(wish));
    if (missing.length > 0) flaws.push(`${missing.length} are not as wanted, the first one ${missing[0]}`);
  }
  return flaws;
}

/** Each as one text, so that a wrong value is a missing object. */
const oursOf = ({ things, variables, apps }: Standing): string[] => [
  ...things.filter(({ name }) => !name.startsWith('others-')).map((one) => text(one.collection, one.name, one.value, one.needs)),
  ...variables.filter(({ key }) => !key.startsWith('OTHERS_')).map((one) => text(one.project, one.key, one.value, one.target)),
  ...apps.flatMap(({ id, callbacks }) => callbacks.filter((url) => !url.includes('others.example')).map((url) => text(id, url))),
];

function wishesOf(wanted: Wanted, { things }: Standing): string[] {
  const ids = new Map(things.map(({ name, id }) => [name, id]));
  switch (wanted.shape) {
    case 'objects':
      return wanted.objects.map((wish) =>
        text(
          wish.collection,
          wish.name,
          wish.value,
          wish.needs.map((need) => ids.get(need) ?? 'missing'),
        ),
      );
    case 'variables':
      return wanted.variables.map(({ key, value }) => text(wanted.project, key, value, ['preview']));
    case 'entries':
      return wanted.entries.map(({ app, url }) => text(app, url));
  }
}

const text = (...parts: readonly unknown[]): string => JSON.stringify(parts);
