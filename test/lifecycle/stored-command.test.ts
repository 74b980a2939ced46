import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Api, openApi } from '../specification/api.ts';
import { thing } from '../specification/lines.ts';

/** An object whose API asks a program for its token; each start of the program leaves a file behind. */
async function applied(): Promise<{ api: Api; starts: () => Promise<number>; command: readonly string[] }> {
  const api = await openApi({ lines: [] });
  onTestFinished(() => api.close());
  const program = path.join(api.folder, 'token.mjs');
  await writeFile(
    program,
    "import { writeFileSync } from 'node:fs'; writeFileSync(`${process.argv[1]}.${process.pid}`, ''); console.log('token-that-was-printed');",
  );
  const command = [process.execPath, program];
  await api.write([thing()], { auth: { command } });
  expect((await api.apply()).errors).toEqual([]);
  return { api, command, starts: async () => (await readdir(api.folder)).filter((name) => name.startsWith('token.mjs.')).length };
}

it('a command that the plan names prints the token of a destroy', async () => {
  const { api } = await applied();
  expect((await api.destroy()).doc?.ok).toBe(true);
  expect(api.shelf.things.size).toBe(0);
});

it('a command that stands in the ledger alone is not run: whoever may push to the ledger would choose it', async () => {
  const { api, starts } = await applied();
  await api.write([], {});
  const before = await starts();
  const { doc, errors } = await api.destroy();
  expect(doc?.ok).toBe(false);
  expect(errors[0]).toMatchObject({ code: 'LEDGER_UNSEALED', fix: expect.stringContaining('--trust-ledger') });
  const trusted = { trustLedger: /--trust-ledger (\w+)/.exec(errors[0]?.fix ?? '')?.[1] ?? '' };
  const [refused] = (await api.destroy(trusted)).errors;
  expect(refused).toMatchObject({ code: 'PROVIDER_AUTH', fix: expect.stringContaining('PILOTFISH_STORED_COMMANDS=1') });
  expect(await starts()).toBe(before);
  expect([...(await api.ledger()).records.values()]).toHaveLength(1);
  const again = { trustLedger: await api.head(), env: { PILOTFISH_STORED_COMMANDS: '1' } };
  expect((await api.destroy(again)).doc?.ok).toBe(true);
  expect(api.shelf.things.size).toBe(0);
});

it('another command than the one that was stored does not let that one run', async () => {
  const { api, command } = await applied();
  await api.write([], { auth: { command: [...command, 'other'] } });
  expect((await api.destroy({ trustLedger: await api.head() })).errors[0]?.code).toBe('PROVIDER_AUTH');
});
