import { seed } from 'pilotfish-sandbox/all';
import type { Random } from './random.ts';

/** What one scope wants now: its groups of lines, and one choice for each that a change of the plan moves. */
export interface Wish {
  readonly scope: string;
  readonly groups: { readonly [name in GroupName]?: number };
}

const groupNames = ['payments', 'database', 'pushes', 'dns', 'flag', 'note', 'announce', 'signIn', 'signOut', 'callbacks'] as const;
export type GroupName = (typeof groupNames)[number];

/** A few groups of several providers; always one item of the shared list, so that scopes meet. */
export function randomWish(random: Random, scope: string): Wish {
  const names = groupNames.filter((name) => name === 'signIn' || random.isTrue(0.45));
  return { scope, groups: Object.fromEntries(names.map((name) => [name, random.int(0, 2)])) };
}

/** The same wish with something moved, added or left out. */
export function changedWish(random: Random, wish: Wish): Wish {
  const groups: { [name in GroupName]?: number } = { ...wish.groups };
  for (const name of groupNames) {
    if (name !== 'signIn' && random.isTrue(0.15)) delete groups[name];
    else if (random.isTrue(0.3)) groups[name] = random.int(0, 2);
  }
  return { scope: wish.scope, groups };
}

export const hostOf = (scope: string): string => `${scope}.preview.acme.example`;
export const keyOf = (name: string, scope: string): string => `${name}_${scope.replaceAll('-', '_').toUpperCase()}`;
export const targets = ['cname.vercel-dns.com', 'a.vercel-dns.com', 'b.vercel-dns.com'] as const;
export const rollouts = ['10', '50', '90'] as const;
export const stripeEvents = ['charge.refunded', 'invoice.paid', 'checkout.session.completed'] as const;
export const githubEvents = ['push', 'release', 'issues'] as const;
export const callbackUrls = (scope: string, choice: number): readonly string[] =>
  Array.from({ length: choice + 1 }, (_, i) => `https://${hostOf(scope)}/callback/${i}`);

/** Each line's YAML, by the id of the line. */
export function linesOf({ scope, groups }: Wish): ReadonlyMap<string, string> {
  const host = hostOf(scope);
  const lines = new Map<string, string>();
  const at = <T>(all: readonly T[], choice: number): T | undefined => all[choice % all.length];
  const add: { readonly [name in GroupName]: (choice: number) => void } = {
    payments: (choice) => {
      lines.set(
        'payments',
        `recipe: stripe.webhook_endpoint, name: shop-${scope}, url: "https://${host}", enabled_events: [${at(stripeEvents, choice)}]`,
      );
      lines.set(
        'payments-secret',
        `adapter: vercel, op: env, project: ${seed.vercelProject}, key: ${keyOf('STRIPE', scope)}, value: { from: payments.secret }, type: sensitive`,
      );
    },
    database: () => {
      lines.set('database', `adapter: neon, op: branch, project_id: ${seed.neonProject}, name: shop-${scope}`);
      lines.set(
        'database-url',
        `adapter: vercel, op: env, project: ${seed.vercelProject}, key: ${keyOf('DATABASE', scope)}, value: { from: database.connection_uri }`,
      );
    },
    pushes: (choice) =>
      void lines.set(
        'pushes',
        `recipe: github.repo_webhook, repo: ${seed.repository}, url: "https://${host}", events: [${at(githubEvents, choice)}], secret: { secret: env://PREVIEW_WEBHOOK_SECRET }`,
      ),
    dns: (choice) =>
      void lines.set('dns', `recipe: cloudflare.dns_cname, zone_id: ${seed.zone.id}, name: ${host}, target: ${at(targets, choice)}`),
    flag: (choice) =>
      void lines.set(
        'flag',
        `recipe: unleash.flag_strategy, project: ${seed.flag.project}, feature: ${seed.flag.name}, environment: ${seed.flag.environment}, title: "shop ${scope}", parameters: { rollout: "${at(rollouts, choice)}" }`,
      ),
    note: (choice) =>
      void lines.set(
        'note',
        `adapter: vercel, op: env, project: ${seed.vercelProject}, key: ${keyOf('NOTE', scope)}, value: note-${choice}, type: plain`,
      ),
    announce: (choice) =>
      void lines.set(
        'announce',
        `adapter: http, op: action, api: rollbar, trigger: { revision: "${choice}" }, request: { path: /deploy, body: { environment: ${scope}, revision: "${choice}" } }`,
      ),
    signIn: () => void lines.set('sign-in', `recipe: auth0.callback_url, client_id: ${seed.auth0Client}, url: "https://${host}/callback"`),
    signOut: () => void lines.set('sign-out', `recipe: auth0.logout_url, client_id: ${seed.auth0Client}, url: "https://${host}"`),
    callbacks: (choice) => {
      callbackUrls(scope, choice).forEach((url, i) => {
        lines.set(`callback-${i}`, `recipe: auth0.callback_url, client_id: ${seed.auth0Client}, url: "${url}"`);
      });
    },
  };
  for (const name of groupNames) {
    const choice = groups[name];
    if (choice !== undefined) add[name](choice);
  }
  return lines;
}

export function yamlOf(wish: Wish): string {
  const lines = [...linesOf(wish)].map(([id, text]) => `  - { id: ${id}, ${text} }`);
  return `version: 1\nproviders:\n  http:\n    auth0: {}\n    unleash: {}\n    rollbar: {}\nchanges:\n${lines.join('\n')}\n`;
}
