import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { seed } from 'pilotfish-sandbox/all';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashJson } from '../../src/core/canonical.ts';
import type { Json } from '../../src/core/json.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { familyAdapter } from '../../src/recipes/expand.ts';
import { familyNames, loadFamily } from '../../src/recipes/load.ts';
import { pilotfish } from '../cli/program.ts';
import type { Shop } from '../lifecycle/shop.ts';
import { changesOf } from './changed-members.ts';
import { openDigests, secrets } from './digests.ts';
import { action, block, dnsPath, planWith } from './plan-samples.ts';

let shop: Shop;
let digestOf: Awaited<ReturnType<typeof openDigests>>['digestOf'];
beforeAll(async () => {
  ({ shop, digestOf } = await openDigests());
});
afterAll(() => shop.close());

describe('the code that makes requests of a plan', () => {
  it('is covered for every recipe: no part of its template changes under a digest', async () => {
    const held: string[] = [];
    for (const { name } of await familyNames()) {
      const family = await loadFamily(name);
      for (const [opName, op] of Object.entries(family.ops)) {
        const partOf = (changed: typeof op): string =>
          hashJson(familyAdapter({ ...family, ops: { [opName]: changed } }).ops[opName]?.template ?? null);
        const before = partOf(op);
        for (const { at, value } of changesOf(JSON.parse(JSON.stringify(op)) as Json)) {
          const isLeftOut = at === 'outputs taken away' && Object.keys(op.outputs).length === 0;
          if (isSaidToPeople(at) || isLeftOut) continue;
          if (partOf(value as unknown as typeof op) === before) held.push(`${name}.${opName}: ${at}`);
        }
      }
    }
    expect(held.slice(0, 20)).toEqual([]);
  });

  /** Params are checked by these and stand in the line with their defaults; the rest is text for people and the line's own. */
  const isSaidToPeople = (at: string): boolean =>
    /^(doc|subject|console|notes|destroys|destroy|params|limits|spelled|example|alias|title)\b/.test(at) ||
    /^outputs\.[^.]+\.doc\b/.test(at);

  it('is covered for the default of a param', async () => {
    const line = { recipe: 'cloudflare.dns_cname', zone_id: seed.zone.id, name: `pr-12.${seed.zone.name}`, target: 'cname.example' };
    const before = await digestOf(planWith(line));
    expect(await digestOf(planWith({ ...line, proxied: true }))).not.toBe(before);
  });

  it('is covered for a plugin, with what it imports, also later', async () => {
    const plugin = (more: string): string => `import { path } from './more.mjs'; ${more}
      const provider = { base_url: 'https://api.example', auth: null };
      const send = async (io) => (await io.http.send({ method: 'POST', path }, { purpose: 'write' }), { outputs: {} });
      const bind = () => ({ kind: 'action', key: 'go', fields: { a: 1 }, reach: { kind: 'none' }, send });
      const ops = { go: { kind: 'action', doc: '', params: {}, outputs: {}, bind } };
      const load = async () => ({ ...(await import('./late.mjs')), name: 'mine', title: 'Mine', docs: '', provider, ops });
      export function register(registry) { registry.addLateAdapter({ name: 'mine', load }); }`;
    const digestWith = async (name: string, [more = '', target = '', late = '']: readonly string[]): Promise<unknown> => {
      const cwd = path.join(shop.folder, name);
      await mkdir(cwd);
      await writeFile(path.join(cwd, 'release.plan.yaml'), JSON.stringify(planWith({ adapter: 'mine', op: 'go' }, null)));
      await writeFile(path.join(cwd, 'plugin.mjs'), plugin(more));
      await writeFile(path.join(cwd, 'more.mjs'), `export const path = ${JSON.stringify(target)}`);
      await writeFile(path.join(cwd, 'late.mjs'), `export const late = 1 ${late}`);
      // A process of its own: what tests import goes by the loader of their runner.
      const { stdout } = await pilotfish(['plan', '--scope=s', '--json'], { cwd, env: { PILOTFISH_PLUGINS: './plugin.mjs' } });
      return JSON.parse(stdout).digest;
    };
    const before = await digestWith('a', ['', '/a', '']);
    expect(before).toMatch(/^[0-9a-f]{16}$/);
    expect(await digestWith('b', ['', '/a', ''])).toBe(before);
    expect(await digestWith('c', ['// other', '/a', ''])).not.toBe(before);
    expect(await digestWith('d', ['', '/thief', ''])).not.toBe(before);
    expect(await digestWith('e', ['', '/a', '// late'])).not.toBe(before);
  });

  it('tells nothing where there is no plugin', async () => {
    expect((await openRegistry({ env: {}, cwd: '/' })).pluginCode).toBeUndefined();
  });
});

const recordName = `note.${seed.zone.name}`;
const recordLine = {
  id: 'thing',
  adapter: 'http',
  op: 'resource',
  api: 'things',
  find: { path: `${dnsPath}?type=CNAME&per_page=100`, list_path: '/result', match: { '/name': recordName } },
  create: { path: dnsPath, body: { type: 'CNAME', name: recordName, ttl: 1 } },
  update: { path: `${dnsPath}/{id}` },
  delete: { path: `${dnsPath}/{id}` },
  item_path: '/result',
  fields: { '/content': 'cname.example' },
};

describe('a value that a provider gives', () => {
  /** The action takes what stands as the comment of the record. */
  const plan = planWith({ ...action, request: { ...action.request, body: { to: { from: 'thing.note' } } } }, block, [
    { ...recordLine, outputs: { note: '/comment' } },
  ]);
  const record = () => shop.records().find(({ name }) => name === recordName);

  it('is covered where it goes into the body of an action', async () => {
    await shop.write(JSON.stringify(plan));
    await shop.apply({ env: secrets, only: ['thing'] });
    Object.assign(record() ?? {}, { comment: 'one.example' });
    const before = await digestOf(plan);
    Object.assign(record() ?? {}, { comment: 'thief.example' });
    expect(await digestOf(plan)).not.toBe(before);
    await expect(shop.apply({ env: secrets, expect: before })).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
  });

  it('is no other one by the time it is sent', async () => {
    // The record is written first, so that the action looks when its turn comes.
    const changed = JSON.parse(JSON.stringify(plan).replace('"cname.example"', '"next.example"')) as Json;
    const before = await digestOf(changed);
    shop.world.cloudflare.watch(({ phase, method }) => {
      if (phase === 'before' && method === 'PATCH') Object.assign(record() ?? {}, { comment: 'other.example' });
    });
    const doc = await shop.apply({ env: secrets, expect: before });
    expect(doc.lines.map(({ id, error }) => [id, error?.code])).toEqual([
      ['thing', undefined],
      ['one', 'DIGEST_MISMATCH'],
    ]);
  });
});
