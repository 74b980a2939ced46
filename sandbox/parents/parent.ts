import { isMap } from '../kit/json.ts';
import { compile, type ParamsOf } from '../kit/router.ts';
import type { Simulation, SimulationOptions } from '../kit/types.ts';

/** A request as the one who prepares the account sees it: its path, its query and the members of a JSON body. */
export interface Named {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a plan names and nobody made: a project, a zone, a flag. `prepare` makes it where a request names it and the account lacks it. */
export interface Parent {
  prepare(simulation: Simulation, named: Named): void;
}

/** The parent that stands in paths that begin with `pattern`. `_` gives the type of the world alone. */
export function parent<W, P extends string>(
  _: (options?: SimulationOptions) => Simulation<W>,
  pattern: P,
  make: (world: W, params: ParamsOf<P>, named: Named) => void,
): Parent {
  const { expression, names } = compile(`${pattern}{+rest}`);
  return {
    prepare: (simulation, named) => {
      const found = expression.exec(`${named.path}/.`);
      if (!found) return;
      const params = Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1] ?? '')]));
      make(simulation.world as W, params as ParamsOf<P>, named);
    },
  };
}

/** The parent that stands in the query or the body of any request. */
export const parentNamed = <W>(_: (options?: SimulationOptions) => Simulation<W>, make: (world: W, named: Named) => void): Parent => ({
  prepare: (simulation, named) => make(simulation.world as W, named),
});

/** The text of a member of the query, else of the body; `null` where neither has one. */
export function textIn({ query, body }: Named, name: string): string | null {
  const value = query.get(name) ?? body[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** The text of a member, wherever it stands in the body. */
export function deepText(value: unknown, name: string): string | null {
  if (!isMap(value)) return null;
  const own = value[name];
  if (typeof own === 'string') return own;
  for (const inner of Object.values(value)) {
    const found = deepText(inner, name);
    if (found !== null) return found;
  }
  return null;
}
