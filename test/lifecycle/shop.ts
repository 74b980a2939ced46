import { createWorld, seed } from 'pilotfish-sandbox/all';
import { LeapingClock } from '../support/leaping-clock.ts';
import { MemoryRemote } from '../support/memory-store.ts';
import { openStage } from '../support/stage.ts';

export const branch = 'pilotfish-receipts/preview/pr-12';

/** The lines that tests compose plans of. Indented for `changes:`. */
export const lines = {
  payments: `
  - id: payments
    recipe: stripe.webhook_endpoint
    name: shop-\${ctx.scope}
    url: https://\${ctx.scope}.acme.example
    enabled_events: [invoice.paid]`,
  /** Takes the once-only secret of `payments`. */
  hook: `
  - id: hook
    recipe: github.repo_webhook
    repo: ${seed.repository}
    url: https://\${ctx.scope}.acme.example
    secret: { from: payments.secret }`,
  dns: `
  - id: dns
    recipe: cloudflare.dns_cname
    zone_id: ${seed.zone.id}
    name: \${ctx.scope}.${seed.zone.name}
    target: cname.vercel-dns.com`,
  /** Its key is an output of \`dns\`. */
  alias: `
  - id: alias
    recipe: cloudflare.dns_cname
    zone_id: ${seed.zone.id}
    name: www.\${ctx.scope}.${seed.zone.name}
    target: { from: dns.hostname }`,
  callback: `
  - id: callback
    recipe: auth0.callback_url
    client_id: ${seed.auth0Client}
    url: https://\${ctx.scope}.acme.example/callback`,
  logout: `
  - id: logout
    recipe: auth0.logout_url
    client_id: ${seed.auth0Client}
    url: https://\${ctx.scope}.acme.example`,
} as const;

export const planOf = (...changes: readonly string[]): string => `version: 1\nchanges:${changes.join('')}\n`;

const recordPath = `/zones/${seed.zone.id}/dns_records/{id}`;

/** A plan of one DNS record as a line of the open adapter; `more` keys of it are indented by four. */
export const openRecord = ({
  remove = recordPath,
  more = [],
}: {
  readonly remove?: string;
  readonly more?: readonly string[];
}): string => `version: 1
providers: { http: { things: { base_url: https://api.cloudflare.com/client/v4, auth: { bearer_env: CLOUDFLARE_API_TOKEN } } } }
changes:
  - id: thing
    adapter: http
    op: resource
    api: things
    find:
      path: /zones/${seed.zone.id}/dns_records?type=CNAME&per_page=100
      list_path: /result
      match: { /name: pr-12.${seed.zone.name} }
    create: { path: /zones/${seed.zone.id}/dns_records, body: { type: CNAME, name: pr-12.${seed.zone.name}, ttl: 1 } }
    delete: { path: "${remove}" }
    item_path: /result
    id_path: /id
    fields: { /content: cname.vercel-dns.com }
${more.map((line) => `    ${line}\n`).join('')}`;

/**
 * One shop with accounts at every provider, a ledger in memory and a clock that leaps. `crash.now()` ends the process as far as the
 * world can tell: from then on no request and no commit gets through, until `crash.over()`.
 */
export async function openShop(plan: string) {
  const clock = new LeapingClock();
  const world = createWorld({ clock });
  const remote = new MemoryRemote();
  const dead = { now: false };
  const perish = (): void => {
    if (dead.now) throw new Error('the process is dead');
  };
  for (const simulation of world.simulations) simulation.watch(perish);
  remote.before = perish;
  const env = { ...world.credentials, AUTH0_API_URL: 'https://acme.eu.auth0.com/api/v2' };
  const stage = await openStage({ simulations: world.simulations, env, plan, clock, store: () => remote.open() });
  return {
    ...stage,
    world,
    remote,
    clock,
    crash: {
      now: () => {
        dead.now = true;
      },
      over: () => {
        dead.now = false;
      },
      /** Before (or after) the first write that matches. */
      at: (phase: 'before' | 'after', method: string, path: RegExp) => {
        let happened = false;
        for (const simulation of world.simulations) {
          simulation.watch((event) => {
            if (happened || event.phase !== phase || event.method !== method || !path.test(event.path)) return;
            happened = true;
            dead.now = true;
            perish();
          });
        }
      },
    },
    endpoints: () => world.stripe.world.endpoints(),
    hooks: () => world.github.world.hooks(seed.repository),
    records: () => world.cloudflare.world.records(seed.zone.id),
    callbacks: (): unknown => world.auth0.world.client(seed.auth0Client).callbacks,
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** `id state` of each line, with its error's code. */
export const ends = (doc: {
  readonly lines: readonly {
    readonly id: string;
    readonly state: string;
    readonly verdict: string;
    readonly error?: { readonly code: string };
  }[];
}): readonly string[] => doc.lines.map(({ id, state, verdict, error }) => [id, verdict, state, error?.code].filter(Boolean).join(' '));
