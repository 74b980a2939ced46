import { expect, it } from 'vitest';
import type { Params } from '../../src/ops/bound.ts';
import type { Adapter } from '../../src/ops/op.ts';
import { resolveBlock } from '../../src/ops/provider.ts';
import { familyAdapter } from '../../src/recipes/expand.ts';
import { loadFamily } from '../../src/recipes/load.ts';

const lines: readonly (readonly [family: string, op: string, param: string, others: Params])[] = [
  ['auth0', 'callback_url', 'url', { client_id: 'app' }],
  ['auth0', 'logout_url', 'url', { client_id: 'app' }],
  ['kinde', 'callback_url', 'url', { app_id: 'app' }],
  ['kinde', 'logout_url', 'url', { app_id: 'app' }],
  ['okta', 'redirect_uri', 'uri', { app_id: 'app' }],
  ['okta', 'post_logout_redirect_uri', 'uri', { app_id: 'app' }],
  ['stytch', 'redirect_url', 'url', { project_slug: 'shop', environment_slug: 'test' }],
  ['workos', 'redirect_uri', 'uri', {}],
];

const boundOf = (family: Adapter, op: string, params: Params) => {
  const env = { [`${family.name.toUpperCase()}_API_URL`]: 'https://acme.example.com' };
  const block = resolveBlock({ name: family.name, defaults: family.provider, entry: undefined, env });
  const bound = family.ops[op]?.bind(params, { block, environment: 'preview', scope: 'pr-12', sha: null, branch: null });
  if (!bound) throw new Error(`no ${family.name}.${op}`);
  return { key: bound.key, reach: bound.reach, entry: 'entry' in bound ? bound.entry : null };
};

it.each(lines)('%s.%s is the same with its path beside the address of the preview as in one text', async (name, op, param, others) => {
  const family = familyAdapter(await loadFamily(name));
  const whole = boundOf(family, op, { ...others, [param]: 'https://pr-12.acme.example/sign/in' });
  expect(boundOf(family, op, { ...others, [param]: 'https://pr-12.acme.example', path: '/sign/in' })).toEqual(whole);
  expect(JSON.stringify(whole)).toContain('https://pr-12.acme.example/sign/in');
});
