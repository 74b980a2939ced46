import { isMap, type Json, type JsonMap } from '../../core/json.ts';
import { asJson } from '../../remote/stored-json.ts';
import { ownName, webKinds } from './spec-parts.ts';

/**
 * The provider's spec in the order and the words of the plan: named things in the plan's order, `routes` where the plan has them,
 * and members that the provider leaves out because they are defaults. A map shows only the members that the plan names. A list that the plan
 * names is shown whole, because an update removes its other entries.
 */
export const seenAs = (planned: unknown, live: JsonMap): Json => asJson(alike(planned, withRoutes(live)));

function alike(planned: unknown, live: unknown): unknown {
  if (Array.isArray(planned) && Array.isArray(live)) return inOrder(planned, live);
  if (!isMap(planned) || !isMap(live)) return live;
  // An update keeps members that the plan does not name. Shown here, they would be reported as removed.
  const seen = Object.entries(live)
    .filter(([name]) => Object.hasOwn(planned, name))
    .map(([name, value]) => [name, alike(planned[name], value)]);
  // The answer leaves out defaults, as the vendor's own clients do (2026-11-21).
  const silent = Object.entries(planned).filter(([name, value]) => !Object.hasOwn(live, name) && saysNothing(name, value));
  return Object.fromEntries([...seen, ...silent]);
}

/** Orders entries with a name by their name, and others by their place. Entries that the plan does not have come last. */
function inOrder(planned: readonly unknown[], live: readonly unknown[]): unknown[] {
  const rest = [...live];
  const known = planned.flatMap((item): unknown[] => {
    const name = ownName(item);
    const at = name === null ? 0 : rest.findIndex((one) => ownName(one) === name);
    return at < 0 || rest.length === 0 ? [] : rest.splice(at, 1).map((one) => alike(item, one));
  });
  return [...known, ...rest];
}

const defaults: { readonly [name: string]: readonly unknown[] } = {
  type: ['GENERAL', 'UNSPECIFIED'],
  scope: ['RUN_AND_BUILD_TIME', 'UNSET'],
  kind: ['UNSPECIFIED'],
};

const saysNothing = (name: string, value: unknown): boolean =>
  value === false ||
  value === '' ||
  value === 0 ||
  (Array.isArray(value) && value.length === 0) ||
  (defaults[name]?.includes(value) ?? false);

/** Rules of the ingress replaced `routes` of a component. Where the answer has only the rules, the routes are read from them. */
function withRoutes(live: JsonMap): JsonMap {
  const rules = isMap(live.ingress) && Array.isArray(live.ingress.rules) ? (live.ingress.rules as readonly Json[]) : [];
  const routesOf = (component: Json | undefined): Json[] =>
    rules.flatMap((rule) => {
      if (!isMap(rule) || !isMap(rule.component) || rule.component.name !== component) return [];
      const prefix = isMap(rule.match) && isMap(rule.match.path) ? rule.match.path.prefix : '/';
      // By the vendor's description the value is a boolean in a route and a text in a rule (2026-11-21).
      const keeps = rule.component.preserve_path_prefix;
      return [{ path: asJson(prefix ?? '/'), ...(keeps !== undefined && { preserve_path_prefix: String(keeps) === 'true' }) }];
    });
  const seen = (one: Json): Json => {
    if (!isMap(one) || Object.hasOwn(one, 'routes')) return one;
    const component = one as JsonMap;
    const routes = routesOf(component.name);
    return routes.length > 0 ? { ...component, routes } : component;
  };
  return Object.fromEntries(
    Object.entries(live).map(([kind, value]) => [kind, webKinds.includes(kind) && Array.isArray(value) ? value.map(seen) : value]),
  );
}
