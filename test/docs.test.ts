import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { outdatedPages } from '../scripts/docs.ts';
import { root } from '../scripts/tasks.ts';
import { openRegistry } from '../src/engine/prepare/registry.ts';
import { renderPlan } from '../src/onboard/render.ts';
import { draftFor } from './support/drafts.ts';

describe('generated pages', () => {
  it('are those that would be generated now', async () => {
    expect(await outdatedPages(), 'run `node scripts/docs.ts`').toEqual([]);
  });
});

describe('the editor schema', () => {
  let accepts: (plan: unknown) => boolean = () => false;
  beforeAll(async () => {
    const schema = JSON.parse(await readFile(join(root, 'schema/release.plan.schema.json'), 'utf8'));
    const validate = new Ajv({ strict: false }).compile(schema);
    accepts = (plan) => validate(plan) === true;
  });
  const line = (more: object) => ({ version: 1, changes: [{ id: 'x', ...more }] });
  const cname = {
    recipe: 'cloudflare.dns_cname',
    zone_id: '0123456789abcdef0123456789abcdef',
    name: 'pr-1.example.com',
    target: 'a.example.com',
  };

  it('accepts a drafted plan', async () => {
    const registry = await openRegistry({ env: {}, cwd: root });
    const [neon, vercel] = await Promise.all(['neon', 'vercel'].map((name) => registry.adapter(name)));
    if (!neon || !vercel) throw new Error('both are built in');
    const draft = draftFor([{ adapter: neon, isRecipe: false }], { adapter: vercel, isRecipe: false });
    expect(draft.lines).not.toEqual([]);
    expect(accepts(parse(renderPlan(draft, { schema: null })))).toBe(true);
  });

  it('accepts a recipe by every spelling, with references and context in params', () => {
    expect(accepts(line(cname))).toBe(true);
    expect(accepts(line({ ...cname, recipe: 'dns.cname' }))).toBe(true);
    expect(accepts(line({ ...cname, target: { from: 'preview.host' }, name: 'pr-${ctx.pr.number}.example.com' }))).toBe(true);
  });

  it('refuses an unknown param, a missing one, a wrong type and an unknown top-level key', () => {
    expect(accepts(line({ ...cname, tll: 1 }))).toBe(false);
    expect(accepts(line({ recipe: 'cloudflare.dns_cname', zone_id: '0123456789abcdef0123456789abcdef' }))).toBe(false);
    expect(accepts(line({ ...cname, proxied: 'yes' }))).toBe(false);
    expect(accepts({ ...line(cname), chnages: [] })).toBe(false);
  });

  it.each([
    [{ bearer_env: 'A_TOKEN' }, true],
    [{ header: 'X-Key', value_env: 'A_KEY', prefix: 'v1 ' }, true],
    [{ headers: [{ header: 'X-Key', value_env: 'A_KEY' }] }, true],
    [{ basic: { user_env: 'A_USER', password: '' } }, true],
    [{ oauth_client_credentials: { client_id_env: 'AN_ID', client_secret_env: 'A_SECRET' } }, true],
    [{ command: ['gcloud', 'auth', 'print-access-token'] }, true],
    [{ aws_v4: { access_key_id_env: 'AN_ID', secret_access_key_env: 'A_KEY', service: 's3' } }, true],
    [{ digest: { user_env: 'A_USER', password_env: 'A_PASSWORD' } }, true],
    [null, true],
    [{ command: 'gcloud auth print-access-token' }, false],
    [{ command: [] }, false],
    [{ bearer: 'A_TOKEN' }, false],
    [{ bearer_env: 'A_TOKEN', command: ['x'] }, false],
    [{ digest: { user_env: 'A_USER' } }, false],
  ])('knows the credential forms of an API block: %j is accepted: %s', (auth, is) => {
    const api = { base_url: 'https://api.acme.example', auth };
    expect(accepts({ ...line(cname), providers: { http: { acme: api, cloudflare: { auth } }, vercel: { auth } } })).toBe(is);
  });

  it('leaves lines of the generic adapter and of plugins open', () => {
    expect(accepts(line({ adapter: 'http', op: 'resource', find: { path: '/x' } }))).toBe(true);
    expect(accepts(line({ adapter: 'my_plugin', op: 'thing', whatever: 1 }))).toBe(true);
  });
});
