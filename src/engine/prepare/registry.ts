import { checkVariables } from '../../core/variables.ts';
import { http } from '../../ops/generic/index.ts';
import type { SeenModule } from '../../ops/plugin-modules.ts';
import type { AddFamilyFile } from '../../ops/plugins.ts';
import { type AdapterEntry, createRegistry, type Registry } from '../../ops/registry.ts';
import { familyAdapter } from '../../recipes/expand.ts';
import { familyNames, loadFamily } from '../../recipes/load.ts';
import { builtInSources } from '../../secrets/index.ts';

/** Everything that a plan of this run may name: the built-in adapters and sources, every recipe family, then the plugins. */
export async function openRegistry(options: {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Told of each module of a plugin before it runs. */
  readonly seen?: SeenModule | null;
}): Promise<Registry> {
  checkVariables(options.env);
  const registry = createRegistry();
  registry.addAdapter(http);
  for (const entry of adapters) registry.addLateAdapter(entry);
  for (const source of builtInSources) registry.addSecretSource(source);
  for (const family of await familyNames()) {
    registry.addFamily({ ...family, load: async () => familyAdapter(await loadFamily(family.name)) });
  }
  const plugins = options.env.PILOTFISH_PLUGINS;
  if (plugins) {
    const { loadPlugins } = await import('../../ops/plugins.ts');
    const pluginCode = await loadPlugins(registry, plugins, { ...options, addFamilyFile });
    return { ...registry, pluginCode };
  }
  return registry;
}

const addFamilyFile: AddFamilyFile = async (registry, bytes, file) => {
  const { ownFamily, takenIn } = await import('../../recipes/own/add-families.ts');
  registry.addFamily(ownFamily(bytes, file, takenIn(registry)));
};

/** Adapters of single providers. A run loads those that its plan or its ledger names. */
const adapters: readonly AdapterEntry[] = [
  { name: 'algolia', alias: 'search_a', load: async () => (await import('../../adapters/algolia/index.ts')).algolia },
  { name: 'clerk', alias: 'idp_g', load: async () => (await import('../../adapters/clerk/index.ts')).clerk },
  { name: 'cloud_run', alias: 'app_cloud_a', load: async () => (await import('../../adapters/cloud_run/index.ts')).cloudRun },
  { name: 'cloudflare', alias: 'hosting_c', load: async () => (await import('../../adapters/cloudflare/index.ts')).cloudflare },
  { name: 'contentful', alias: 'cms_b', load: async () => (await import('../../adapters/contentful/index.ts')).contentful },
  { name: 'digitalocean', alias: 'app_cloud_b', load: async () => (await import('../../adapters/digitalocean/index.ts')).digitalocean },
  { name: 'launchdarkly', alias: 'flags_h', load: async () => (await import('../../adapters/launchdarkly/index.ts')).launchdarkly },
  { name: 'neon', alias: 'sql_branch_a', load: async () => (await import('../../adapters/neon/index.ts')).neon },
  { name: 'netlify', alias: 'hosting_b', load: async () => (await import('../../adapters/netlify/index.ts')).netlify },
  { name: 'planetscale', alias: 'sql_branch_c', load: async () => (await import('../../adapters/planetscale/index.ts')).planetscale },
  { name: 'route53', load: async () => (await import('../../adapters/route53/index.ts')).route53 },
  { name: 'supabase', alias: 'sql_branch_b', load: async () => (await import('../../adapters/supabase/index.ts')).supabase },
  { name: 'vercel', alias: 'hosting_a', load: async () => (await import('../../adapters/vercel/index.ts')).vercel },
  { name: 'xata', alias: 'sql_branch_d', load: async () => (await import('../../adapters/xata/index.ts')).xata },
];
