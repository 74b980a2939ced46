import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { resolveBlock } from '../../src/ops/provider.ts';
import { openStage } from '../support/stage.ts';
import { openDrawer } from './drawer-server.ts';

const secrets = ['/services/T01ABCDE/B02FGHIJ/x9f2Kq7LmN4pR8sT', 'T01ABCDE', 'B02FGHIJ', 'x9f2Kq7LmN4pR8sT', 'x9f2Kq7L'];
const hookPath = secrets[0] ?? '';

const plan = `version: 1
providers:
  http:
    hook: { base_url_env: HOOK_ADDRESS, auth: { bearer_env: HOOK_TOKEN } }
changes:
  - id: item
    adapter: http
    op: resource
    api: hook
    find: { path: /items, list_path: /items, match: { name: "\${ctx.scope}" }, page: { kind: next_url, next: /next } }
    create: { path: /items }
    delete: { path: "/items/{id}" }
    fields: { name: "\${ctx.scope}" }
  - { id: host, adapter: http, op: list_item, api: hook, parent: { path: /hosts, method: PUT }, list_path: /hosts, item: "\${ctx.scope}.example" }
  - { id: ping, adapter: http, op: action, api: hook, trigger: { commit: "\${ctx.git.sha}" }, request: { path: /ping, body: {} } }
`;

async function open() {
  const drawer = await openDrawer(hookPath);
  const agent = new Agent();
  const env = { HOOK_ADDRESS: `${drawer.origin}${hookPath}/`, HOOK_TOKEN: 'hook-token-77e1fa90', PILOTFISH_LEASE_MS: '3000' };
  const stage = await openStage({ simulations: [], env, plan, wire: () => agent });
  onTestFinished(async () => {
    await stage.close();
    await agent.close();
  });
  const events: RunEvent[] = [];
  const told: unknown[] = [events];
  const run = async (how: 'plan' | 'apply' | 'destroy', changed: Readonly<Record<string, string | undefined>> = {}) => {
    const change = { env: { ...env, ...changed } };
    const doc =
      how === 'plan'
        ? await stage.plan(change, events)
        : how === 'apply'
          ? await stage.apply(change, events)
          : await stage.destroy(change, events);
    told.push(doc);
    return doc;
  };
  const mustBeHidden = async (): Promise<void> => {
    const all = `${JSON.stringify(told)}${await stage.bytes()}`;
    for (const secret of secrets) expect(all).not.toContain(secret);
  };
  return { drawer, stage, run, mustBeHidden };
}

describe('an address that a variable gives and whose path is the credential', () => {
  it('is in no record, receipt, event, lock or error, and its objects are found, left alone and removed as any others', async () => {
    const { drawer, stage, run, mustBeHidden } = await open();
    await run('plan');
    expect(await run('apply')).toMatchObject({ status: 'complete' });
    expect(drawer.items).toMatchObject([{ name: 'pr-12' }]);
    expect(drawer.hosts).toEqual(['pr-12.example']);
    expect(drawer.pings).toHaveLength(1);
    expect(await run('apply')).toMatchObject({ status: 'complete', stats: { writes: 0 } });
    const { records } = await stage.ledger();
    for (const { provider } of records.values()) {
      expect(provider.base_url_env).toBe('HOOK_ADDRESS');
      expect(provider.base_url.startsWith(`${drawer.origin}/~HOOK_ADDRESS~`)).toBe(true);
    }
    await mustBeHidden();
    expect([...stage.masked]).toContain(hookPath);

    expect(await run('destroy')).toMatchObject({ status: 'complete' });
    expect(drawer.items).toEqual([]);
    expect(drawer.hosts).toEqual([]);
    await mustBeHidden();
  });

  it.each([
    ['is not set', undefined],
    ['is empty', ''],
    ['has another path by now', '/services/T01ABCDE/B02FGHIJ/anotherOne12345'],
  ])('is not guessed where the variable %s', async (_, path) => {
    const { drawer, run, mustBeHidden } = await open();
    await run('apply');
    drawer.targets.length = 0;
    const changed = { HOOK_ADDRESS: path === undefined || path === '' ? path : `${drawer.origin}${path}` };
    const doc = await run('destroy', changed);
    expect(doc).toMatchObject({ status: 'failed' });
    expect(JSON.stringify(doc.lines)).toContain('HOOK_ADDRESS');
    expect(drawer.targets).toEqual([]);
    await mustBeHidden();
    expect(await run('destroy')).toMatchObject({ status: 'complete' });
    expect(drawer.items).toEqual([]);
  });

  it('is in no word of an error, whoever quotes it', async () => {
    const { drawer, run, mustBeHidden } = await open();
    drawer.refuse(`no hook at ${hookPath} (${drawer.origin}${hookPath})`);
    const doc = await run('apply');
    expect(JSON.stringify(doc)).toContain('no hook at ***');
    await mustBeHidden();
  });
});

it('an address of words and versions stands as it is: a proxy, or the provider itself', () => {
  const block = (address: string) =>
    resolveBlock({
      name: 'acme',
      defaults: { base_url: 'https://api.acme.example/Own-Path/v2', auth: null },
      entry: undefined,
      env: { ACME_API_URL: address },
    });
  for (const address of ['https://proxy.example', 'https://proxy.example/acme/api/v3', 'https://eu.acme.example/Own-Path/v2']) {
    expect(block(address).base_url).toBe(address);
  }
  expect(block('https://hooks.example/a1B2c3D4e5').base_url).toMatch(/^https:\/\/hooks\.example\/~ACME_API_URL~[0-9a-f]{12}$/);
});
