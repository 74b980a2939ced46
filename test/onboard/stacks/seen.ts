/** A text in a dump of a provider's state, and the names that lead to it. */
export interface Leaf {
  readonly path: string;
  readonly text: string;
}

/** What a provider remembers of an object that is gone, or of a build that ran. Nobody can take it away. */
const histories: Readonly<Record<string, RegExp>> = {
  algolia: /^tasks\//,
  auth0: /^issued\//,
  digitalocean: /^deployments\//,
  neon: /\/operations\//,
  netlify: /\/deploys\//,
  // A release stays, because events refer to it, and it has its deploys.
  sentry: /\/releases\//,
  // Answers to requests that may be repeated.
  stripe: /^answers\//,
  vercel: /\/deployments\/|^deployments\//,
};

/** What is left at a provider after a destroy. */
export const leftAt = (provider: string, before: unknown, after: unknown): readonly string[] =>
  newLeaves(before, after).flatMap(({ path, text }) => (histories[provider]?.test(path) ? [] : [`${provider} ${path}: ${text}`]));

/** Every text in a dump. An entry of a list is named by its id, key or name, so that one that goes renames no other. */
export function leavesOf(value: unknown, path = ''): readonly Leaf[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null || isGone(value)) return [];
  const entries = Array.isArray(value) ? value.map((one, i) => [nameOf(one) ?? String(i), one] as const) : Object.entries(value);
  return entries.flatMap(([name, inner]) => leavesOf(inner, path === '' ? name : `${path}/${name}`));
}

/** Neon keeps a branch for some days after it is deleted. */
const isGone = (value: object): boolean => typeof Reflect.get(value, 'deleted_at') === 'string';

function nameOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const key of ['id', 'key', 'name', 'Name', 'url']) {
    const own: unknown = Reflect.get(value, key);
    if (typeof own === 'string' || typeof own === 'number') return String(own);
  }
  return null;
}

/** The leaves that a dump has and an older one has not. */
export function newLeaves(before: unknown, after: unknown): readonly Leaf[] {
  const known = new Set(leavesOf(before).map(({ path, text }) => `${path} ${text}`));
  return leavesOf(after).filter(({ path, text }) => !known.has(`${path} ${text}`));
}

/**
 * The values that a provider holds of a variable. It keeps them under the variable's name, or in an entry that has the name as its key.
 */
export function valuesOf(dump: unknown, variable: string): readonly string[] {
  if (typeof dump !== 'object' || dump === null) return [];
  const isEntry = ['key', 'name'].some((key) => Reflect.get(dump, key) === variable);
  const own = isEntry ? leavesOf(dump).flatMap(({ path, text }) => (/(?:^|\/)value$/.test(path) ? [text] : [])) : [];
  const named: unknown = Reflect.get(dump, variable);
  const ofName = named === undefined ? [] : leavesOf(named).flatMap(({ path, text }) => (/^(?:value)?$/.test(path) ? [text] : []));
  return [...own, ...ofName, ...Object.values(dump).flatMap((inner) => valuesOf(inner, variable))];
}
