import { algolia } from '../adapters/algolia/index.ts';
import { clerk } from '../adapters/clerk/index.ts';
import { cloudRun } from '../adapters/cloud_run/index.ts';
import { cloudflare } from '../adapters/cloudflare/index.ts';
import { contentful } from '../adapters/contentful/index.ts';
import { digitalocean } from '../adapters/digitalocean/index.ts';
import { http } from '../adapters/http/index.ts';
import { launchdarkly } from '../adapters/launchdarkly/index.ts';
import { neon } from '../adapters/neon/index.ts';
import { netlify } from '../adapters/netlify/index.ts';
import { planetscale } from '../adapters/planetscale/index.ts';
import { createRegistry, type Registry } from '../adapters/registry.ts';
import { supabase } from '../adapters/supabase/index.ts';
import { vercel } from '../adapters/vercel/index.ts';
import { xata } from '../adapters/xata/index.ts';
import { familyAdapter } from '../recipes/expand.ts';
import { familyNames, loadFamily } from '../recipes/load.ts';
import { builtInSources } from '../secrets/index.ts';

/** Everything that a plan of this run may name: the built-in adapters and sources, every recipe family, then the plugins. */
export async function openRegistry(options: { readonly env: NodeJS.ProcessEnv; readonly cwd: string }): Promise<Registry> {
  const registry = createRegistry();
  for (const adapter of [
    http,
    algolia,
    clerk,
    cloudRun,
    cloudflare,
    contentful,
    digitalocean,
    launchdarkly,
    neon,
    netlify,
    planetscale,
    supabase,
    vercel,
    xata,
  ])
    registry.addAdapter(adapter);
  for (const source of builtInSources) registry.addSecretSource(source);
  for (const family of await familyNames()) {
    registry.addFamily({ ...family, load: async () => familyAdapter(await loadFamily(family.name)) });
  }
  const plugins = options.env.PILOTFISH_PLUGINS;
  if (plugins) {
    const { loadPlugins } = await import('../adapters/plugins.ts');
    await loadPlugins(registry, plugins, options.cwd);
  }
  return registry;
}
