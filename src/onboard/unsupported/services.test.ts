import { expect, it } from 'vitest';
import { openRegistry } from '../../engine/prepare/registry.ts';
import { unsupported } from './services.ts';

/** Each thing that a service is recognised by, under its kind. */
function marksOf({ detect }: { readonly detect?: (typeof unsupported)[number]['detect'] }): readonly string[] {
  const { files = [], holds = [], dependencies = [], env = [], hosts = [] } = detect ?? {};
  return [
    ...files.map((file) => `file ${file}`),
    ...holds.map(({ file, at }) => `key ${file} ${at}`),
    ...dependencies.map((name) => `package ${name}`),
    ...env.map((name) => `variable ${name}`),
    ...hosts.map((suffix) => `host ${suffix}`),
  ];
}

it('every service has a name of its own', () => {
  expect(unsupported.length).toBeGreaterThan(30);
  for (const of of ['name', 'title'] as const) expect(new Set(unsupported.map((one) => one[of])).size).toBe(unsupported.length);
});

it.each(unsupported)('$title has a mark by which it is recognised, a reason and an advice', (service) => {
  const { name, title, why, ask, detect } = service;
  expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
  expect(title).not.toBe('');
  expect(why).toMatch(/^[A-Z][^\n]*\.$/);
  expect(ask).toMatch(/^[A-Z][^\n]*\.$/);
  expect(marksOf(service)).not.toEqual([]);
  for (const variable of detect.env ?? []) expect(variable).toMatch(/^[A-Z][A-Z0-9_]*$/);
  for (const host of detect.hosts ?? []) expect(host).toMatch(/^(?:\.[a-z0-9-]+){2,}$/);
  expect(detect).not.toHaveProperty('draft');
});

it('no mark of an unsupported service is a mark of another one', async () => {
  const registry = await openRegistry({ env: {}, cwd: import.meta.dirname });
  const adapters = await Promise.all(registry.adapterNames().map((name) => registry.adapter(name)));
  const families = await Promise.all(registry.familyNames().map((name) => registry.family(name)));
  const supported = new Set([...adapters, ...families].flatMap((one) => one ?? []).flatMap(marksOf));
  expect(unsupported.flatMap(marksOf).filter((mark) => supported.has(mark))).toEqual([]);
  const all = unsupported.flatMap(marksOf);
  expect(all.filter((mark, i) => all.indexOf(mark) !== i)).toEqual([]);
});

it('a service without an API has that reason, and no advice to write a line', () => {
  const oauth = unsupported.filter(({ name }) => ['google_oauth', 'github_oauth', 'apple_sign_in'].includes(name));
  expect(oauth).toHaveLength(3);
  for (const { why, ask } of oauth) {
    expect(why).toMatch(/has no API for/);
    expect(ask).not.toContain('http` line');
  }
});
