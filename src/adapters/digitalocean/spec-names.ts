import { isMap } from '../../core/json.ts';

/** What tells one entry of a spec's list from the others: components have a name, variables a key, domains their own text. */
export function ownName(item: unknown): string | null {
  if (!isMap(item)) return null;
  const name = item.name ?? item.key ?? item.domain;
  return typeof name === 'string' ? name : null;
}

export const nameAt = (item: unknown, index: number): string => ownName(item) ?? String(index);

/** A variable of a component or of the whole app. */
export const isVariable = (map: { readonly [name: string]: unknown }): boolean => typeof map.key === 'string' && map.name === undefined;

/** Components that have an address. */
export const webKinds: readonly string[] = ['services', 'static_sites', 'functions'];
export const componentKinds: readonly string[] = [...webKinds, 'jobs', 'workers', 'databases'];
