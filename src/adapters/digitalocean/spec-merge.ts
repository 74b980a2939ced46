import { isMap, type Json, type JsonMap } from '../../core/json.ts';
import type { Body } from '../../http/types.ts';
import { asBody } from '../../remote/stored-json.ts';
import { componentKinds, type Hidden, isVariable, nameAt, ownName } from './spec-parts.ts';

type BodyMap = { readonly [name: string]: Body };

/**
 * The new spec: the provider's spec with the plan's values in it. Members that the plan does not name stay. Kept secrets stay as the
 * encrypted text that the provider showed. A list that the plan names has only its entries.
 */
export function mergeSpec(live: JsonMap, planned: BodyMap): BodyMap {
  const next = merge(live, planned) as BodyMap;
  return Object.hasOwn(planned, 'ingress') ? next : withoutStaleRules(next);
}

function merge(live: Json, planned: Body): Body {
  if (isList(planned) && isList(live)) {
    return planned.map((item) => {
      const name = ownName(item);
      const same = name === null ? undefined : (live as readonly Json[]).find((one) => ownName(one) === name);
      return same === undefined ? item : merge(same, item);
    });
  }
  if (!isBodyMap(planned) || !isMap(live)) return planned;
  const before = live as JsonMap;
  const after = Object.entries(planned).map(([name, value]) => [
    name,
    Object.hasOwn(before, name) ? merge(before[name] ?? null, value) : value,
  ]);
  return { ...before, ...Object.fromEntries(after) };
}

/** Ingress rules that the plan does not give follow its components: a removed component loses its rules, and `routes` make new ones. */
function withoutStaleRules({ ingress, ...rest }: BodyMap): BodyMap {
  const components = componentKinds.flatMap((kind) => (isList(rest[kind]) ? rest[kind] : []));
  if (!isBodyMap(ingress) || components.some((one) => isMap(one) && Object.hasOwn(one, 'routes'))) return rest;
  const names = components.map(ownName);
  const rules = isList(ingress.rules) ? ingress.rules : [];
  const kept = rules.filter((rule) => !isBodyMap(rule) || !isBodyMap(rule.component) || names.includes(ownName(rule.component)));
  return { ...rest, ingress: { ...ingress, rules: kept } };
}

/** Gives the provider's spec with new values in those of its places that nobody can read. */
export function withHidden(live: JsonMap, hidden: readonly Hidden[]): BodyMap {
  return hidden.reduce<Body>((spec, { path, value }) => replacedAt(spec, path, asBody(value)), live) as BodyMap;
}

function replacedAt(live: Body, [name, ...rest]: readonly string[], value: Body): Body {
  if (name === undefined) return isBodyMap(live) && isVariable(live) ? { ...live, value } : value;
  if (isList(live)) return live.map((item, i) => (nameAt(item, i) === name ? replacedAt(item, rest, value) : item));
  return isBodyMap(live) && Object.hasOwn(live, name) ? { ...live, [name]: replacedAt(live[name] ?? null, rest, value) } : live;
}

const isList = (value: Body | undefined): value is readonly Body[] => Array.isArray(value);
const isBodyMap = (value: Body | undefined): value is BodyMap => isMap(value);
