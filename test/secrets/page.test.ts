import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { checkSecret, type SecretSources } from '../../src/secrets/index.ts';

const page = await readFile(new URL('../../docs/secrets.md', import.meta.url), 'utf8');
/** Every reference of an example, in both ways to write one. */
const examples = [...page.matchAll(/\{ secret: "?([a-z-]+:\/\/[^\s"}]+)"? \}/g)].map((match) => match[1] ?? '');
const forms = [...page.matchAll(/^\| [^|]+ \| `([a-z-]+):\/\/[^`]+` \| ([^|]+) \|$/gm)].map(([, scheme = '', needs = '']) => ({
  scheme,
  needs,
}));

/** What the page says that its sources need. */
const env = {
  WEBHOOK_SECRET: 'set',
  VAULT_ADDR: 'https://vault.example.com',
  VAULT_TOKEN: 'a-token',
  OP_CONNECT_HOST: 'https://connect.example.com',
  OP_CONNECT_TOKEN: 'a-token',
  BWS_ACCESS_TOKEN: 'a-token',
};

let sources: SecretSources;
beforeAll(async () => {
  sources = await openRegistry({ env: {}, cwd: '/' });
});

describe('the page on secrets', () => {
  it('has a row and an example for every source, and for no other', () => {
    const all = [...sources.secretSchemes()].toSorted();
    expect(forms.map(({ scheme }) => scheme).toSorted()).toEqual(all);
    expect([...new Set(examples.map((reference) => reference.split('://', 1)[0]))].toSorted()).toEqual(all);
  });

  it.each(examples)('%s is a good reference', (reference) => {
    expect(checkSecret(sources, reference, env)).toBeNull();
  });

  it('names every variable without which a source refuses before any request', () => {
    for (const { scheme, needs } of forms.filter((form) => form.scheme !== 'env')) {
      const reference = examples.find((example) => example.startsWith(`${scheme}://`)) ?? '';
      for (const variable of checkSecret(sources, reference, {})?.detail.match(/\b[A-Z_]{6,}\b/g) ?? []) expect(needs).toContain(variable);
    }
  });
});
