import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openContract } from './contract.ts';
import { contractsFolder, skipReason } from './expect.ts';

const folder = contractsFolder();
if (folder === null) console.info(skipReason);
const providers = folder === null ? [] : readdirSync(folder).flatMap((file) => /^(.+)\.openapi\.json$/.exec(file)?.[1] ?? []);

describe.skipIf(folder === null)('published descriptions', () => {
  it('are there', () => {
    expect(providers.length).toBeGreaterThan(0);
  });

  it.each(providers)('%s: every schema of every operation can be asked', (provider) => {
    const contract = openContract(provider, folder ?? '');
    expect(contract.operations.length).toBeGreaterThan(0);
    for (const { parameters, body, answers } of contract.operations) {
      for (const { schema } of parameters) contract.check(schema, 'x', 'request', true);
      for (const schema of Object.values(body?.content ?? {})) contract.check(schema, {}, 'request', true);
      for (const content of Object.values(answers)) for (const schema of Object.values(content)) contract.check(schema, {}, 'answer');
    }
  });
});
