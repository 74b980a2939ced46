import { expect, it } from 'vitest';
import { Redactor } from '../../core/redact.ts';
import type { Produced } from './vault.ts';
import { Vault } from './vault.ts';

/** A branch whose address is read when somebody needs it. */
const branch = (id: string): Produced =>
  ({
    prepared: { outputs: { url: { doc: '', sensitive: true, lazy: true } } },
    bound: {
      kind: 'object',
      output: (_io: unknown, live: { readonly id: string }) => Promise.resolve(`postgres://${live.id}.acme.example`),
    },
    live: { id, values: {}, outputs: {} },
    io: {},
    identity: 'identity',
    recordId: id,
    generation: 1,
  }) as unknown as Produced;

it('the output of a replacement is read anew, even in the same generation', async () => {
  const vault = new Vault(new Redactor(), { scope: 'pr-12', environment: 'preview', planFile: null } as never);
  vault.put('database', branch('old'));
  expect(String((await vault.reveal('database', 'url')) as never)).not.toContain('postgres');
  vault.put('database', branch('new'));
  const value = (await vault.reveal('database', 'url')) as { reveal(): string };
  expect(value.reveal()).toBe('postgres://new.acme.example');
});
