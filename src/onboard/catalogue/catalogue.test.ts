import { brotliCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { openRegistry } from '../../engine/prepare/registry.ts';
import type { Detect } from '../../ops/detect.ts';
import { ecosystems, type Signals } from '../../ops/signals.ts';
import { readServiceFiles } from '../catalogue-files.ts';
import { indexOf, loadCatalogue } from './load.ts';
import { readService } from './read-service.ts';

const files = await readServiceFiles();
const services = [...files].map(([name, text]) => readService(text, name));
const registry = await openRegistry({ env: {}, cwd: import.meta.dirname });
const managed = [
  ...(await Promise.all(registry.adapterNames().map((name) => registry.adapter(name)))),
  ...(await Promise.all(registry.familyNames().map((name) => registry.family(name)))),
].flatMap((one) => one ?? []);

/** Each signal after its kind: `npm stripe`, `host .neon.tech`. */
function signalsOf({ packages = {}, holds = [], ...rest }: Signals): readonly string[] {
  return [
    ...ecosystems.flatMap((ecosystem) => (packages[ecosystem] ?? []).map((name) => `${ecosystem} ${name}`)),
    ...holds.map(({ file, at }) => `key ${file} ${at}`),
    ...Object.entries(rest).flatMap(([kind, names]) => names.map((name) => `${kind} ${name}`)),
  ];
}

/** The signals that prove a provider that pilotfish manages. */
const provesManaged = ({ uses = {} }: Detect): readonly string[] => signalsOf(uses);

/** The signal itself, and every beginning with `*` that covers it. Of two hosts that cover one address the longer one counts. */
const coversOf = (signal: string): readonly string[] => [
  signal,
  ...Array.from(signal.replace(/\*$/, ''), (_, at) => `${signal.slice(0, at)}*`).filter((cover) => cover !== signal),
];

const sharesOf = (service: string): readonly string[] => services.find(({ name }) => name === service)?.shares ?? [];

it('the catalogue has services of every kind of ecosystem', () => {
  const listed = new Set(services.flatMap(({ uses, may }) => [uses, may].flatMap((signals) => Object.keys(signals?.packages ?? {}))));
  expect([...listed].sort()).toEqual(expect.arrayContaining(['npm', 'pypi', 'rubygems']));
});

it('no two services have one title', () => {
  const titles = services.map(({ title }) => title);
  expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
});

it('no service of the catalogue is one that pilotfish manages', () => {
  const names = new Set(managed.map(({ name }) => name));
  expect(services.filter(({ name }) => names.has(name)).map(({ name }) => name)).toEqual([]);
});

it.each(services)('$title has a signal, and each signal once', ({ uses = {}, may = {}, nothing = {}, unless = {} }) => {
  const all = [uses, may, nothing, unless].flatMap(signalsOf);
  expect(all).not.toEqual([]);
  expect(all.filter((signal, i) => all.indexOf(signal) !== i)).toEqual([]);
});

it('a signal proves one service, unless a file says that it shares it', () => {
  const all = [
    ...services.map(({ name, uses = {}, shares = [] }) => ({ name, shares, signals: signalsOf(uses) })),
    ...managed.map(({ name, detect = {} }) => ({ name, shares: [] as readonly string[], signals: provesManaged(detect) })),
  ];
  const known = new Map<string, Set<string>>();
  for (const { name, signals } of all) for (const signal of signals) known.set(signal, (known.get(signal) ?? new Set()).add(name));
  const doubles = all.flatMap(({ name, shares, signals }) =>
    signals.flatMap((signal) => {
      const others = coversOf(signal).flatMap((cover) => [...(known.get(cover) ?? [])]);
      return others
        .filter((other) => other !== name && !shares.includes(other) && !sharesOf(other).includes(name))
        .map((other) => `${name}, ${other}: ${signal}`);
    }),
  );
  expect(doubles).toEqual([]);
});

it('a service names only engines, ways and other services that there are', () => {
  const engines = new Set(services.filter(({ engine }) => engine).map(({ name }) => name));
  const known = new Set([...services, ...managed].map(({ name }) => name));
  const ways = new Set(managed.filter(({ detect }) => detect?.draft || detect?.database).map(({ name }) => name));
  const wrong = services.flatMap(({ name, engine, ...service }) => [
    ...(service.engines ?? []).filter((one) => !engines.has(one)).map((one) => `${name}: ${one} is no engine`),
    ...(service.ways ?? []).filter((one) => !ways.has(one) || !engine).map((one) => `${name}: ${one} is no way`),
    ...(service.shares ?? []).filter((one) => !known.has(one)).map((one) => `${name}: ${one} is no service`),
  ]);
  expect(wrong).toEqual([]);
});

it('every service has a reason and an advice', async () => {
  for (const { why, ask } of await loadCatalogue()) {
    expect(why).toMatch(/^[A-Z][^\n]*\.$/);
    expect(ask).toMatch(/^[A-Z][^\n]*\.$/);
  }
});

it('a service whose provider has no API has that reason, and no advice to write a line', async () => {
  const without = (await loadCatalogue()).filter(({ why }) => /has no API for/.test(why));
  expect(without.map(({ name }) => name)).toEqual(expect.arrayContaining(['apple_sign_in', 'github_oauth', 'google_oauth']));
  for (const { ask } of without) expect(ask).not.toContain('http` line');
});

it('the index of a build has all that init asks, and is small', async () => {
  const [index, loaded] = [await indexOf(files), await loadCatalogue()];
  const whole = index.map((service, i) => ({ ...service, title: loaded[i]?.title }));
  expect(JSON.parse(JSON.stringify(whole))).toEqual(services.map(({ shares, ...service }) => service));
  expect(brotliCompressSync(JSON.stringify(index)).length).toBeLessThan(90 * 1024);
});
