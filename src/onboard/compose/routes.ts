import type { Route } from '../detect/facts.ts';
import type { Deployable, Survey } from '../detect/survey.ts';
import { belongingTo } from '../wiring/reach.ts';

/** `call`: the provider calls a route that is named after it. `return`: a browser comes back to a route after a sign-in. */
export type RouteUse = 'call' | 'return';

/** A route of a deployable that answers a provider. */
export interface Answer {
  readonly path: string;
  readonly file: string;
  readonly deployable: Deployable;
  /** Other routes look as good. */
  readonly isGuess: boolean;
}

const returning = /callback|redirect|authenticate|authorize|sign-?in|log-?in|sso|oauth|oidc/i;

/** Finds the route of each deployable that is named after a service. A path with a part that only the app knows is no answer. */
export function answersOf(words: readonly string[], use: RouteUse, survey: Survey): readonly Answer[] {
  const named = survey.routes.filter(
    (route) => isLiteral(route) && isNamed(route, words) && (use === 'call' || (returning.test(route.path) && takesGet(route))),
  );
  return survey.deployables.flatMap((deployable): Answer[] => {
    const belongs = belongingTo(survey, deployable.folder);
    const own = named.filter(({ file }) => belongs(file) === 'own' || belongs(file) === 'reached');
    const [first, second] = own.toSorted((a, b) => rank(a, words) - rank(b, words) || compare(a.path, b.path));
    if (!first) return [];
    const isGuess = second !== undefined && second.path !== first.path && rank(first, words) === rank(second, words);
    return [{ path: first.path, file: first.file, deployable, isGuess }];
  });
}

const isLiteral = ({ path }: Route): boolean => !/[:*[\]{}]/.test(path);

const takesGet = ({ methods }: Route): boolean => methods.length === 0 || methods.includes('GET');

const isNamed = (route: Route, words: readonly string[]): boolean => rank(route, words) < 2;

/** A path that names the service goes before a module that does. */
function rank({ path, words: own }: Route, words: readonly string[]): number {
  const tokens = path.toLowerCase().split(/[^a-z0-9]+/);
  if (words.some((word) => tokens.includes(word))) return 0;
  return words.some((word) => own.includes(word)) ? 1 : 2;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
