import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seed } from 'pilotfish-sandbox/all';
import { lines, planOf } from '../lifecycle/shop.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

const list = `
  - id: hooks-by-hand
    adapter: http
    op: resource
    api: github
    find: { path: /repos/${seed.repository}/hooks, list_path: "", match: { /config/url: "https://\${ctx.scope}.acme.example" } }
    create:
      path: /repos/${seed.repository}/hooks
      body: { config: { url: "https://\${ctx.scope}.acme.example", content_type: json }, events: [push] }
    delete: { path: "/repos/${seed.repository}/hooks/{id}" }
    outputs: { ping: ping_url }
`;

/** Every form that a plan has: recipes, hand-written operations, references, secrets, anchors, merges, environments, providers. */
const written: readonly string[] = [
  planOf(lines.dns),
  planOf(lines.dns, lines.alias),
  planOf(lines.payments),
  planOf(lines.callback, lines.logout),
  `version: 1\nproviders:\n  http:\n    github: { base_url: https://api.github.com }\nchanges:${list}`,
  `version: 1
name: shop
environments: [preview, staging, production]
receipts: git-branch
changes:
  - id: hook
    recipe: github.repo_webhook
    repo: ${seed.repository}
    url: https://\${ctx.scope}.acme.example
    events: [push]
    secret: { secret: env://PREVIEW_WEBHOOK_SECRET }
    environments: [preview]
    destroy: keep
`,
  `version: 1
x: &zone ${seed.zone.id}
changes:
  - &record
    id: one
    recipe: cloudflare.dns_cname
    zone_id: *zone
    name: \${ctx.scope}.${seed.zone.name}
    target: cname.vercel-dns.com
    depends_on: [two]
  - { <<: *record, id: two, name: "two.\${ctx.scope}.${seed.zone.name}", depends_on: [] }
`,
  `version: 1
changes:
  - id: database
    adapter: neon
    op: branch
    project_id: ${seed.neonProject}
    name: shop-\${ctx.scope}
  - id: url
    adapter: vercel
    op: env
    project: ${seed.vercelProject}
    key: DATABASE_URL # TODO is this the name?
    value: { from: database.connection_uri }
    git_branch: \${ctx.git.branch}
`,
  `version: 1
providers:
  http:
    shop:
      base_url: https://shop.example/api
      auth: { bearer_env: SHOP_TOKEN }
      headers: { x-team: web }
      concurrency: 2
    unleash: { base_url: https://unleash.acme.example }
changes:
  - id: origin
    adapter: http
    op: list_item
    api: shop
    path: /apps/1
    method: PATCH
    list_path: /origins
    item: https://\${ctx.scope}.acme.example
    shape: array
  - id: tell
    adapter: http
    op: action
    api: shop
    request: { method: POST, path: /deploys, body: { scope: "\${ctx.scope}", price: { public: 1.50 } } }
  - id: checkout
    recipe: unleash.flag_strategy
    project: ${seed.flag.project}
    feature: ${seed.flag.name}
    environment: ${seed.flag.environment}
    title: shop \${ctx.scope}
    constraints: [{ contextName: host, operator: IN, values: ["\${ctx.scope}.acme.example"] }]
`,
  `# adopts what a person made
changes:
  - id: www
    recipe: cloudflare.dns_cname
    zone_id: "${seed.zone.id}"
    name: 'www.${seed.zone.name}'
    target: { keep: true }
    ttl: { keep: true }
`,
];

/** The plans to mutate: those above, the examples, and each example's lines alone. */
export async function basePlans(): Promise<readonly Buffer[]> {
  const texts = [...written, ...written];
  for await (const file of glob('examples/*/release.plan.yaml', { cwd: root })) {
    const text = await readFile(join(root, file), 'utf8');
    texts.push(text);
    const [head = '', ...items] = text.split(/^(?= {2}- id: )/m);
    texts.push(...items.map((item) => head + item));
  }
  return texts.map((text) => Buffer.from(text));
}
