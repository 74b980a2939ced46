import { expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../../scripts/tasks.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { ecosystems, type Signals } from '../../src/ops/signals.ts';
import { serviceSignals } from '../../src/ops/signals-schema.ts';
import { readSubjects } from '../../src/recipes/subjects.ts';

const subjects = await readSubjects(await openRegistry({ env: {}, cwd: root }));
const providers = subjects.map(({ kind, name, adapter }) => ({ title: `${kind} ${name}`, name, detect: adapter.detect ?? {} }));

/** DNS records and domains of a host: the adapter of the same name has the signals. */
const withoutSignals = ['recipe cloudflare', 'recipe vercel'];
const recognised = providers.filter(({ title }) => !withoutSignals.includes(title));

const schema = z.object(serviceSignals);

/** Each signal after its kind: `npm stripe`, `hosts .neon.tech`. */
function signalsOf({ packages = {}, holds = [], ...rest }: Signals): readonly string[] {
  return [
    ...ecosystems.flatMap((ecosystem) => (packages[ecosystem] ?? []).map((name) => `${ecosystem} ${name}`)),
    ...holds.map(({ file, at }) => `key ${file} ${at}`),
    ...Object.entries(rest).flatMap(([kind, names]) => names.map((name) => `${kind} ${name}`)),
  ];
}

it.each(recognised)('$title has a proof, signals in the form of the schema, and each of them once', ({ detect }) => {
  expect(schema.safeParse(detect).error?.issues ?? []).toEqual([]);
  expect(signalsOf(detect.uses ?? {})).not.toEqual([]);
  const all = [detect.uses, detect.may, detect.nothing, detect.unless].flatMap((signals) => signalsOf(signals ?? {}));
  expect(all.filter((signal, i) => all.indexOf(signal) !== i)).toEqual([]);
});

it('what wires a value is told: the kind of each variable, and the engine of each database', () => {
  const variables = providers.flatMap(({ title, detect }) =>
    [...(detect.database?.variables ?? []), ...(detect.variables ?? [])].map(({ names, kind }) => ({ is: `${title}: ${names[0]}`, kind })),
  );
  expect(variables.length).toBeGreaterThan(30);
  expect(variables.filter(({ kind }) => kind === undefined).map(({ is }) => is)).toEqual([]);
  const databases = providers.filter(({ detect }) => detect.database);
  expect(databases.filter(({ detect }) => detect.database?.engine === undefined).map(({ title }) => title)).toEqual([]);
});

it('a package for types, mail templates, limits or a command line proves no provider', () => {
  const proofs = providers.flatMap(({ title, detect }) => signalsOf(detect.uses ?? {}).map((signal) => `${title}: ${signal}`));
  const alone = [
    '@cloudflare/workers-types',
    '@react-email/components',
    '@types/stripe',
    '@upstash/ratelimit',
    '@vercel/node',
    '@vercel/og',
    'firebase',
    'netlify-cli',
    'octokit',
    'vercel',
    'wrangler',
    'svix',
  ];
  expect(proofs.filter((proof) => alone.some((name) => proof.endsWith(`: npm ${name}`)))).toEqual([]);
});
