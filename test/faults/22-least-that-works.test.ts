import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/tasks.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';

/** For each request of the lines: the rights of which any one lets it pass, as the vendors have it (2026-11-25). */
type Asked = { readonly [request: string]: readonly string[] };

const branchRead = ['branching_development_read', 'branching_production_read'];

const asked: { readonly [provider: string]: { readonly asks: Asked; readonly never: readonly string[] } } = {
  planetscale: {
    asks: {
      'GET branch': ['read_branch', 'delete_branch', 'create_branch', 'connect_production_branch', 'connect_branch'],
      'POST branch': ['create_branch', 'restore_backup', 'restore_production_branch_backup'],
      'PATCH branch': ['write_database'],
      'DELETE branch': ['delete_branch'],
      'GET password': ['read_branch', 'delete_branch', 'create_branch', 'connect_branch'],
      'POST password': ['connect_branch', 'connect_production_branch'],
      'PATCH password': ['connect_branch', 'connect_production_branch'],
      'DELETE password': ['delete_branch_password', 'delete_production_branch_password'],
    },
    // Neither the lines nor the check of init ask for them.
    never: ['read_organization', 'read_branch'],
  },
  supabase: {
    asks: {
      'GET /v1/projects': ['projects_read'],
      'GET project': ['project_admin_read'],
      'GET branches': branchRead,
      'POST branches': ['branching_development_create', 'branching_production_create'],
      'PATCH branch': ['branching_development_write', 'branching_production_write'],
      'DELETE branch': ['branching_development_delete', 'branching_production_delete'],
      'GET api-keys': ['api_gateway_keys_read'],
      'GET pooler': ['database_pooling_config_read'],
      'GET auth': ['auth_config_read'],
      'PATCH auth (the list)': ['auth_config_write'],
      'PATCH auth (the project)': ['project_admin_write'],
    },
    never: ['environment:read', 'environment:write'],
  },
  sentry: {
    asks: {
      'GET release': ['org:ci', 'project:admin', 'project:read', 'project:releases', 'project:write'],
      'POST release': ['org:ci', 'project:admin', 'project:releases', 'project:write'],
      'POST deploy': ['org:ci', 'project:admin', 'project:releases', 'project:write'],
      'DELETE release': ['project:admin', 'project:releases'],
    },
    never: ['org:read'],
  },
  turso: {
    asks: { 'GET database': ['read'], 'POST database': ['db:create'], 'DELETE database': ['db:delete'] },
    // No line makes a token of a database.
    never: ['db:mint-token', 'unrestricted'],
  },
};

/** Sentences that say what a right is not good for name none that is needed. */
async function needsOf(provider: string): Promise<string> {
  const registry = await openRegistry({ env: {}, cwd: root });
  const owner = (await registry.adapter(provider)) ?? (await registry.recipe(`${provider}.${opOf[provider] ?? ''}`))?.family;
  return owner?.setup?.needs ?? '';
}

const opOf: { readonly [provider: string]: string } = { sentry: 'release', turso: 'database_branch' };

/** `branching_development_read, _create and _write` names three. */
function rightsIn(needs: string): readonly string[] {
  const words = needs.split('. ')[0]?.match(/[a-z_]+(?::[a-z-]+)?/g) ?? [];
  return words.map((word) => (word.startsWith('_') ? `branching_development${word}` : word));
}

describe.each(Object.entries(asked))('what a credential of %s needs', (provider, { asks, never }) => {
  it('lets every request of its lines pass', async () => {
    const named = rightsIn(await needsOf(provider));
    for (const [request, any] of Object.entries(asks))
      expect([request, any.filter((right) => named.includes(right))]).not.toEqual([request, []]);
  });

  it('is no more than that', async () => {
    const named = rightsIn(await needsOf(provider));
    for (const right of never) expect(named).not.toContain(right);
    const known = new Set(Object.values(asks).flat());
    const needed = named.filter((right) => known.has(right));
    for (const right of new Set(needed)) {
      const without = needed.filter((other) => other !== right);
      const alternative = Object.values(asks).every((any) => any.some((one) => without.includes(one)));
      // Two rights that stand for each other are told as such.
      if (alternative) expect(await needsOf(provider)).toMatch(new RegExp(`${right} or |or ${right}`));
    }
  });
});

it.each(['vercel', 'vercel.project_domain'])('a token of one project is enough for %s', async (name) => {
  const registry = await openRegistry({ env: {}, cwd: root });
  const setup = name === 'vercel' ? (await registry.adapter(name))?.setup : (await registry.recipe(name))?.family.setup;
  expect(setup?.needs).toMatch(/^An access token of the project, or of the team/);
});
