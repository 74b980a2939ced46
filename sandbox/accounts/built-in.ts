import { algolia } from '../algolia/index.ts';
import { route53 } from '../aws-route53/index.ts';
import { clerk } from '../clerk.ts';
import { cloudflare } from '../cloudflare.ts';
import { contentful } from '../contentful/index.ts';
import { digitalocean } from '../digitalocean/index.ts';
import { cloudRun } from '../google-cloud-run/index.ts';
import { launchdarkly } from '../launchdarkly.ts';
import { neon } from '../neon/index.ts';
import { netlify } from '../netlify/index.ts';
import { planetscale } from '../planetscale/index.ts';
import { supabase } from '../supabase/index.ts';
import { vercel } from '../vercel/index.ts';
import { xata } from '../xata.ts';
import { account, aws, type OpenAccount } from './account.ts';

/** Accounts at the providers of built-in adapters. */
export const builtIn: { readonly [provider: string]: OpenAccount } = {
  neon: ({ clock }) => {
    const project_id = 'quiet-river-12345678';
    return account(neon({ clock, project: project_id }), 'NEON_API_KEY', { project_id });
  },
  vercel: ({ clock, plan }) => {
    const simulation = vercel({ clock });
    // As `vercel link` wrote them into a fixture.
    Object.assign(simulation.world.project('shop'), { id: 'prj_8QfZ2vYk1mN4rT7wX0bC3dE6gH9j' });
    const team = /\bteam_id: (\w+)/.exec(plan)?.[1];
    if (team !== undefined) simulation.world.state.team = { id: team, slug: 'acme' };
    simulation.world.push('feature', '1'.repeat(40));
    for (const id of idsIn(plan, /\bproject: (prj_\w+)/g)) {
      if (id === simulation.world.project('shop').id) continue;
      Object.assign(simulation.world.addProject(id.toLowerCase().replaceAll('_', '-')), { id });
      simulation.world.push('feature', '1'.repeat(40), id);
    }
    const named = Object.fromEntries(
      idsIn(plan, /\b(your-[\w-]+-vercel-project)\b/g).map((placeholder) => [placeholder, placeholder.slice(5, -15)]),
    );
    for (const name of Object.values(named)) {
      simulation.world.addProject(name);
      simulation.world.push('feature', '1'.repeat(40), name);
    }
    return { ...account(simulation, 'VERCEL_TOKEN', { project: 'shop', team: 'acme' }), named, keeps: ['project'] };
  },
  clerk: ({ clock }) => account(clerk({ clock }), 'CLERK_SECRET_KEY'),
  netlify: ({ clock, plan, pull }) => {
    const simulation = netlify({ clock });
    const site_id = '3970e0fe-8564-4903-9a55-c5f8de49fb8b';
    const built = { context: 'deploy-preview', branch: 'feature', commit_ref: '1'.repeat(40), review_id: pull };
    for (const site of new Set([site_id, ...idsIn(plan, /\bsite_id: ([\da-f-]{36})/g)])) {
      simulation.world.addSite('acme', site);
      simulation.world.deploy(site, built);
    }
    return { ...account(simulation, 'NETLIFY_AUTH_TOKEN', { account_id: 'acme', site_id }), keeps: ['site_id'] };
  },
  planetscale: ({ clock }) => {
    const simulation = planetscale({ clock });
    const credentials = { PLANETSCALE_SERVICE_TOKEN_ID: simulation.world.tokenId, PLANETSCALE_SERVICE_TOKEN: simulation.tokens.full };
    return account(simulation, credentials, { organization: 'acme', database: 'shop' });
  },
  launchdarkly: ({ clock }) => {
    const simulation = launchdarkly({ clock });
    simulation.world.addFlag('shop/checkout-v2', ['test', 'production']);
    return account(simulation, 'LAUNCHDARKLY_ACCESS_TOKEN', { project_key: 'shop', flag_key: 'checkout-v2', environment_key: 'test' });
  },
  supabase: ({ clock }) => {
    const simulation = supabase({ clock });
    const project_ref = 'abcdefghijklmnopqrst';
    simulation.world.addProject(project_ref);
    return account(simulation, 'SUPABASE_ACCESS_TOKEN', { project_ref });
  },
  cloudflare: ({ clock }) => {
    const simulation = cloudflare({ clock });
    const account_id = '023e105f4ecef8ad9ca31a8372d0c353';
    const zone_id = simulation.world.addZone('acme.example', '5f0c1d2e3b4a59687786a5b4c3d2e1f0');
    for (const name of ['wiki', 'board']) {
      simulation.world.deployPages(simulation.world.addPages(account_id, name), 'feature', '1'.repeat(40));
    }
    return account(simulation, 'CLOUDFLARE_API_TOKEN', {
      account_id,
      project_name: 'wiki',
      zone_id,
      name: 'SITE_NAME_PR_${ctx.pr.number}',
    });
  },
  cloud_run: ({ clock, tokens }) => {
    const simulation = cloudRun({ clock, tokens });
    simulation.world.addService('booking');
    const image = 'europe-west1-docker.pkg.dev/acme-shop/web/shop:${ctx.git.sha}';
    return account(simulation, {}, { project: 'acme-shop', location: 'europe-west1', service: 'booking', image });
  },
  digitalocean: ({ clock }) => {
    const spec = '{ services: [{ name: web, github: { repo: acme/shop, branch: "${ctx.git.branch}" }, http_port: 3000 }] }';
    const simulation = digitalocean({ clock });
    simulation.world.state.codeHosts.push('github');
    return account(simulation, 'DIGITALOCEAN_ACCESS_TOKEN', { spec });
  },
  contentful: ({ clock }) => {
    const simulation = contentful({ clock });
    const space_id = 'q8m2l0c4n6xk';
    simulation.world.addSpace(space_id);
    const key = simulation.world.addKey(space_id, 'website', ['master']);
    return account(simulation, 'CONTENTFUL_MANAGEMENT_TOKEN', { space_id, api_key_id: key.id });
  },
  algolia: ({ clock }) => {
    const simulation = algolia({ clock });
    simulation.world.addIndex('products');
    const credentials = { ALGOLIA_APP_ID: simulation.world.appId, ALGOLIA_API_KEY: simulation.tokens.full };
    return account(simulation, credentials, { source_index: 'products', base_url: simulation.origin });
  },
  route53: ({ clock }) => {
    const simulation = route53({ clock, tokens: aws });
    const hosted_zone_id = simulation.world.addZone('acme.example');
    const credentials = { AWS_ACCESS_KEY_ID: simulation.world.keyIds.full, AWS_SECRET_ACCESS_KEY: simulation.tokens.full };
    return account(simulation, credentials, { hosted_zone_id, name: '${ctx.scope}.acme.example' });
  },
  xata: ({ clock }) => {
    const simulation = xata({ clock });
    const { id: parent_id } = simulation.world.addProject('acme', 'shop');
    return account(simulation, 'XATA_API_KEY', { organization_id: 'acme', project_id: 'shop', parent_id });
  },
};

/** Ids that files of a repository hold: each stands for a project of its own. */
const idsIn = (plan: string, form: RegExp): readonly string[] => [...new Set(Array.from(plan.matchAll(form), ([, id]) => id ?? ''))];
