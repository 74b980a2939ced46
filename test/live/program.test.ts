import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serve } from 'pilotfish-sandbox/kit/index';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { type Child, start } from '../e2e/child.ts';
import { shortTerms } from '../e2e/scene.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { isWhole } from '../support/whole.ts';
import { flagStrategy } from './subjects.ts';

/** The built command in an account that is served on loopback. */
async function openAccount() {
  const { simulation, subject } = flagStrategy.open(systemClock);
  const served = await serve([simulation]);
  onTestFinished(() => served.stop());
  const cwd = await tempFolder('live-program');
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: cwd,
    UNLEASH_API_URL: served.base('unleash'),
    UNLEASH_API_TOKEN: simulation.tokens.full,
  };
  const params = ['project=shop', 'feature=checkout', 'environment=development', 'parameters={ rollout: "50" }'];
  const live = (more: readonly string[], terms: { readonly [name: string]: string } = {}): Child =>
    start(['live', 'unleash.flag_strategy', ...params.flatMap((one) => ['--with', one]), ...more], { cwd, env: { ...env, ...terms } });
  const before = structuredClone(simulation.dump());
  return { simulation, subject, cwd, live, before };
}

it.skipIf(!isWhole)('is proven by the program, which writes a report and leaves no other file', async () => {
  const { simulation, cwd, live, before } = await openAccount();
  const { code, stdout, stderr } = await live(['--yes', '--json'], shortTerms).ended;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const { report, file } = JSON.parse(stdout);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(report);
  expect(report).toMatchObject({ operation: 'unleash.flag_strategy', held: true });
  expect(simulation.dump()).toEqual(before);
  expect(await readdir(join(cwd, '.pilotfish/live'))).toEqual(['unleash.flag_strategy.json']);
});

it('begins nothing where nobody can be asked and nobody said yes', async () => {
  const { simulation, live } = await openAccount();
  const { code, stderr } = await live([]).ended;
  expect(code).toBe(2);
  expect(stderr).toContain('It makes one object');
  expect(stderr).toContain('Pass `--yes` to begin.');
  expect(simulation.log).toEqual([]);
});

it('removes what a killed process made, when it is started again', async () => {
  const { simulation, subject, live } = await openAccount();
  const first = live(['--yes'], { PILOTFISH_LEASE_MS: '4500', PILOTFISH_REQUEST_DEADLINE_MS: '1500' });
  const stop = simulation.watch(async ({ phase, method }) => {
    if (phase !== 'after' || method !== 'POST') return;
    first.process.kill('SIGKILL');
    await first.ended;
  });
  expect(await first.ended).toMatchObject({ code: -1 });
  stop();
  const titles = (): readonly unknown[] => (subject.others() as readonly { readonly title: unknown }[]).map(({ title }) => title);
  expect(titles()).toEqual(['of somebody', expect.stringMatching(/pilotfish-live-[a-z2-7]{6}/)]);
  const { code, stderr } = await live(['--yes'], shortTerms).ended;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toContain('First it removes what a killed run left: pilotfish-live-');
  expect(titles()).toEqual(['of somebody']);
});

it.skipIf(!isWhole)('removes what it made after Ctrl-C', async () => {
  const { simulation, live, before } = await openAccount();
  const child = live(['--yes'], shortTerms);
  await child.said('held      create');
  child.process.kill('SIGINT');
  const { code, stderr } = await child.ended;
  expect(stderr).toContain('stopping on SIGINT: live removes what it made');
  expect(code).toBe(130);
  expect(simulation.dump()).toEqual(before);
});
