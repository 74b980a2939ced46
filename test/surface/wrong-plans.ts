import { seed } from 'pilotfish-sandbox/all';

const dns = `
  - id: dns
    recipe: cloudflare.dns_cname
    zone_id: ${seed.zone.id}
    name: \${ctx.scope}.${seed.zone.name}
    target: cname.vercel-dns.com`;
const payments = `
  - id: payments
    recipe: stripe.webhook_endpoint
    name: shop-\${ctx.scope}
    url: https://\${dns.hostname}/api/webhooks
    enabled_events: [invoice.paid]`;
const hook = `
  - id: hook
    recipe: github.repo_webhook
    repo: ${seed.repository}
    url: https://\${dns.hostname}
    secret: { from: payments.secret }`;
/** A plan without a mistake. Each case makes one of it. */
export const sound = `version: 1\nchanges:${dns}${payments}${hook}\n`;

/** One mistake of a person who writes a plan. */
export interface WrongPlan {
  readonly mistake: string;
  /** The text of the sound plan, what stands in its place, and what the fix of the error asks for. */
  readonly text: string;
  readonly wrong: string;
  readonly mended: string;
  readonly code: string;
  /** The text at the place that the error names, as the plan has it. */
  readonly at: string;
  /** What detail and fix must name. */
  readonly names: readonly string[];
}

type Case = readonly [mistake: string, text: string, wrong: string, mended: string, code: string, at: string, ...names: string[]];

const target = 'target: cname.vercel-dns.com';
const name = 'name: shop-${ctx.scope}';
const url = 'url: https://${dns.hostname}/api/webhooks';
const secret = 'secret: { from: payments.secret }';

const cases: readonly Case[] = [
  ['a shell variable in a text', name, 'name: "shop-${FOO}"', 'name: "shop-$${FOO}"', 'REF_UNKNOWN', '"shop-${FOO}', '${FOO}', '$${'],
  ['a CI expression', name, 'name: "shop-${{ github.ref }}"', 'name: "shop-$${{ github.ref }}"', 'REF_UNKNOWN', '"shop-${{', '$${'],
  [
    'a slip in the id of a line',
    url,
    'url: https://${dsn.hostname}/api',
    'url: https://${dns.hostname}/api',
    'REF_UNKNOWN',
    'https',
    '"dns.hostname"',
  ],
  [
    'a slip in an output',
    url,
    'url: https://${dns.hostnme}/api',
    'url: https://${dns.hostname}/api',
    'REF_OUTPUT_UNKNOWN',
    'https',
    '"hostname"',
  ],
  ['a line without its output', url, 'url: https://${dns}/api', 'url: https://${dns.hostname}/api', 'REF_UNKNOWN', 'https', 'hostname'],
  ['a slip in a value of the run', 'shop-${ctx.scope}', 'shop-${ctx.scop}', 'shop-${ctx.scope}', 'PLAN_INVALID', 'shop', '"ctx.scope"'],
  [
    'a value of the run that there is not',
    'shop-${ctx.scope}',
    'shop-${ctx.git.brnch}',
    'shop-${ctx.git.branch}',
    'PLAN_INVALID',
    'shop',
    '"ctx.git.branch"',
  ],
  ['a name without a line', 'shop-${ctx.scope}', 'shop-${scope}', 'shop-${ctx.scope}', 'REF_UNKNOWN', 'shop', '"ctx.scope"'],
  [
    'a text that is not closed',
    url,
    'url: "https://${dns.hostname/api"',
    'url: "https://${dns.hostname}/api"',
    'REF_UNKNOWN',
    '"https',
    'Close it',
  ],
  [
    'a value of the run that is not closed',
    'shop-${ctx.scope}',
    '"shop-${ctx.scope"',
    '"shop-${ctx.scope}"',
    'PLAN_INVALID',
    '"shop',
    'Close it',
  ],
  [
    'a join that is no list',
    url,
    'url: { join: "https://x" }',
    'url: { join: ["https://", { from: dns.hostname }] }',
    'PLAN_INVALID',
    '"https',
    'join',
  ],
  [
    'a kept value in a join',
    url,
    'url: { join: [{ keep: true }] }',
    'url: { join: ["https://", { from: dns.hostname }] }',
    'PLAN_INVALID',
    '[{',
    'join',
  ],
  ['a slip in the key of a reference', secret, 'secret: { form: payments.secret }', secret, 'PARAM_INVALID', '{ form', '"from"'],
  [
    'a slip in { secret }',
    secret,
    'secret: { secert: env://HOOK }',
    'secret: { secret: env://HOOK }',
    'PARAM_INVALID',
    '{ secert',
    '"secret"',
  ],
  [
    'a reference without an output',
    secret,
    'secret: { from: payments }',
    secret,
    'PLAN_INVALID',
    'payments }',
    '{ from: <line>.<output> }',
  ],
  ['a reference to no line', secret, 'secret: { from: payment.secret }', secret, 'REF_UNKNOWN', 'payment.secret', '"payments"'],
  ['a reference to no output', secret, 'secret: { from: payments.secrets }', secret, 'REF_OUTPUT_UNKNOWN', 'payments.secrets', '"secret"'],
  ['a slip in depends_on', secret, `${secret}\n    depends_on: [dn]`, `${secret}\n    depends_on: [dns]`, 'REF_UNKNOWN', 'dn]', '"dns"'],
  [
    'a slip in a key of the line',
    secret,
    `${secret}\n    depend_on: [dns]`,
    `${secret}\n    depends_on: [dns]`,
    'PARAM_INVALID',
    '[dns]',
    '"depends_on"',
  ],
  [
    'a slip in a family',
    'recipe: cloudflare.dns_cname',
    'recipe: cloudflair.dns_cname',
    'recipe: cloudflare.dns_cname',
    'PLAN_INVALID',
    'cloudflair',
    '"cloudflare"',
  ],
  [
    'a slip in an operation',
    'recipe: cloudflare.dns_cname',
    'recipe: cloudflare.dns_cnmae',
    'recipe: cloudflare.dns_cname',
    'PLAN_INVALID',
    'cloudflare',
    '"dns_cname"',
  ],
  [
    'a recipe as an adapter',
    'recipe: cloudflare.dns_cname',
    'adapter: cloudflare\n    op: dns_cname',
    'recipe: cloudflare.dns_cname',
    'PLAN_INVALID',
    'dns_cname',
    'recipe: cloudflare.dns_cname',
  ],
  [
    'a slip in `recipe`',
    'recipe: cloudflare.dns_cname',
    'recpie: cloudflare.dns_cname',
    'recipe: cloudflare.dns_cname',
    'PLAN_INVALID',
    'dns',
    '"recipe"',
  ],
  ['a slip in a param', target, 'tagret: cname.vercel-dns.com', target, 'PARAM_INVALID', 'cname', '"target"'],
  ['a param that is missing', `\n    ${target}`, '', `\n    ${target}`, 'PARAM_INVALID', 'dns', 'target'],
  [
    'a value of the wrong type',
    target,
    `${target}\n    ttl: soon`,
    `${target}\n    ttl: 300`,
    'PARAM_INVALID',
    'soon',
    'ttl',
    'whole number',
  ],
  ['a slip in a key of the plan', 'changes:', 'change:', 'changes:', 'PLAN_INVALID', 'change', '"changes"'],
  ['an id that is there twice', 'id: payments', 'id: hook', 'id: payments', 'PLAN_INVALID', 'hook', '"hook"'],
  [
    'an environment that there is not',
    target,
    `${target}\n    environments: [preveiw]`,
    `${target}\n    environments: [preview]`,
    'PLAN_INVALID',
    'preveiw',
    '"preview"',
  ],
  ['a slip in destroy', target, `${target}\n    destroy: delte`, `${target}\n    destroy: delete`, 'PLAN_INVALID', 'delte', '"delete"'],
  ['lines that wait for each other', target, 'target: "x.${hook.id}.example"', target, 'REF_CYCLE', 'https', 'dns', 'hook'],
  ['a line that waits for itself', target, 'target: "www.${dns.hostname}"', target, 'REF_CYCLE', '"www', 'itself'],
  [
    'a secret that is written out',
    secret,
    'secret: hunter2-and-more',
    'secret: { secret: env://HOOK }',
    'SECRET_LITERAL',
    'hunter2',
    'env://',
  ],
  [
    'a secret in a name',
    'name: shop-${ctx.scope}',
    'name: "shop-${hook.id}-${token.value}"',
    'name: shop-${ctx.scope}',
    'REF_UNKNOWN',
    '"shop',
    'names neither',
  ],
  [
    'a value of a line in a reference of a secret',
    secret,
    'secret: { secret: "env://${dns.hostname}" }',
    'secret: { secret: env://HOOK }',
    'REF_UNKNOWN',
    '"env',
    'before any line runs',
  ],
  [
    'a value of a line in the settings of a provider',
    'version: 1',
    'version: 1\nproviders: { cloudflare: { base_url: "https://${HOST}/v4" } }',
    'version: 1',
    'REF_UNKNOWN',
    '"https',
    'before any line runs',
  ],
  [
    'a provider that there is not',
    'version: 1',
    'version: 1\nproviders: { cloudflar: { base_url: "https://x.example" } }',
    'version: 1',
    'PLAN_INVALID',
    'cloudflar',
    '"cloudflare"',
  ],
];

export const wrongPlans: readonly WrongPlan[] = cases.map(([mistake, text, wrong, mended, code, at, ...names]) => ({
  mistake,
  text,
  wrong,
  mended,
  code,
  at,
  names,
}));
