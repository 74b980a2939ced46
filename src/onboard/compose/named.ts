import { isMap, type Json } from '../../core/json.ts';
import type { DraftedLine, DraftedValue, Holes } from '../draft.ts';
import type { Site } from './sites.ts';

/**
 * The params of a line of a site. Of several sites of one host, each has placeholders of its own, because a placeholder that is repeated in the plan
 * is filled in once.
 */
export function paramsAt(site: Site, params: DraftedLine['params']): DraftedLine['params'] {
  const shared = site.provider.adapter.detect?.hosting?.shared ?? [];
  return params.map(([name, value]) => [name, shared.includes(name) ? value : valueAt(site, value)]);
}

/** The address of the preview of one of several sites: each has one of its own to be completed. */
export const addressAt = (site: Site, holes: Holes): Holes =>
  Object.fromEntries(Object.entries(holes).map(([name, value]) => [name, valueAt(site, value)]));

function valueAt({ suffix, deployable }: Site, value: DraftedValue): DraftedValue {
  if (value.todo === undefined) return value;
  return { ...value, value: withName(value.value, suffix), todo: `for ${deployable.name}: ${value.todo}` };
}

function withName(value: Json, suffix: string): Json {
  if (typeof value === 'string') return value.replace(/\byour-/g, `your${suffix}-`);
  if (Array.isArray(value)) return value.map((inner) => withName(inner, suffix));
  return isMap(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withName(inner, suffix)])) : value;
}
