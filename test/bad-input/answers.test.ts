import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seed } from 'pilotfish-sandbox/all';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshWorld, invoke, lay, type World } from '../fuzz/world.ts';
import { lines, planOf } from '../lifecycle/shop.ts';

let folder = '';
let world: World;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pilotfish-answers-'));
  world = freshWorld();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const apply = async (): Promise<{ exit: number; codes: readonly string[] }> => {
  const { exit, stdout } = await invoke(world, { folder, argv: ['apply', '--scope', 'pr-12', '--json'] });
  const { lines: told = [] }: { lines?: readonly { error?: { code: string } }[] } = JSON.parse(stdout);
  return { exit, codes: told.flatMap(({ error }) => error?.code ?? []) };
};
/** One kind of request is answered so, after it had its effect. */
const lie = (method: string, path: RegExp, answer: () => Response): void => {
  world.answer = (_number, sent, honest) => (sent.method === method && path.test(sent.url) ? answer() : honest);
};
const truth = (): void => {
  world.answer = (_number, _sent, honest) => honest;
};
const json = (text: string): Response => new Response(text, { status: 200, headers: { 'content-type': 'application/json' } });

describe('a provider whose answer cannot be true', () => {
  it('a create that was done and whose answer cannot be read is looked for, and is ours', async () => {
    await lay(folder, { 'release.plan.yaml': planOf(lines.dns) });
    lie('POST', /dns_records/, () => json('{"result": {"id":'));
    expect(await apply()).toEqual({ exit: 0, codes: [] });
    truth();
    expect(await apply()).toEqual({ exit: 0, codes: [] });
    expect(world.company.cloudflare.world.records(seed.zone.id)).toHaveLength(1);
  });

  it('an empty answer is no empty list: entries of other people stay', async () => {
    await lay(folder, { 'release.plan.yaml': planOf(lines.callback) });
    const client = world.company.auth0.world.client(seed.auth0Client);
    lie('GET', /clients/, () => json(''));
    expect(await apply()).toEqual({ exit: 1, codes: ['PROVIDER_RESPONSE'] });
    expect(client.callbacks).toEqual(['https://shop.acme.example/callback']);
    truth();
    expect(await apply()).toEqual({ exit: 0, codes: [] });
    expect(client.callbacks).toEqual(['https://shop.acme.example/callback', 'https://pr-12.acme.example/callback']);
  });

  it('a token that no header can carry is told of the provider', async () => {
    await lay(folder, { 'release.plan.yaml': planOf(lines.callback) });
    lie('POST', /oauth\/token/, () => json('{"access_token":"tok\\u00e9n-of-the-tenant\\ufffd","token_type":"Bearer"}'));
    expect(await apply()).toEqual({ exit: 1, codes: ['PROVIDER_RESPONSE'] });
  });

  it('half a character in a text of the provider keeps nobody from reading the rest', async () => {
    await lay(folder, { 'release.plan.yaml': planOf(lines.dns) });
    expect(await apply()).toEqual({ exit: 0, codes: [] });
    const [record] = world.company.cloudflare.world.records(seed.zone.id);
    const page = JSON.stringify({ success: true, result: [{ ...record, comment: '\ud83d' }], result_info: { page: 1, total_pages: 1 } });
    lie('GET', /dns_records/, () => json(page));
    expect(await apply()).toEqual({ exit: 0, codes: [] });
  });

  it('a create that is told to wait for a century fails at once', async () => {
    await lay(folder, { 'release.plan.yaml': planOf(lines.dns) });
    const century = { 'retry-after': 'Fri, 31 Dec 2100 23:59:59 GMT' };
    world.company.cloudflare.faults.times(9, ({ method, path }) => method === 'POST' && path.endsWith('/dns_records'), 429, {}, century);
    const began = world.clock.mono();
    expect(await apply()).toEqual({ exit: 1, codes: ['PROVIDER_TRANSIENT'] });
    expect(world.clock.mono() - began).toBeLessThan(5 * 60_000);
  });
});
