import type { Route } from '../detect/facts.ts';
import type { Evidence } from '../detect/ids.ts';
import type { Survey } from '../detect/survey.ts';
import { belongingTo } from './reach.ts';

/**
 * The route that answers the webhooks of a service. `deployable`: at the address of a deployable. `service`: at the address of another
 * service, such as a backend with a site of its own. `unclear`: several could. `none`: no file has one.
 */
export type Receiver =
  | { readonly is: 'deployable'; readonly folder: string; readonly path: string; readonly evidence: Evidence }
  | { readonly is: 'service'; readonly service: string; readonly path: string; readonly evidence: Evidence }
  | { readonly is: 'unclear'; readonly why: string; readonly evidence: readonly Evidence[] }
  | { readonly is: 'none' };

/**
 * Finds the route that takes the webhooks of a service. `words`: the service's name and other words for it in paths and packages. A route
 * takes webhooks if its path says so or if it checks a signature; a route of a checkout that only imports the client does not. `secrets`:
 * the usual names of the secret that signs them. Of several routes, the one whose file reads such a name is the one that the secret is for.
 */
export function receiverOf(survey: Survey, words: readonly string[], secrets: readonly string[] = []): Receiver {
  const asked = new Set(words.map((word) => word.toLowerCase()));
  const others = new Set(survey.claims.map(({ service }) => service).filter((service) => !asked.has(service)));
  const keepers = new Set(survey.variables.filter(({ name, where }) => where === 'code' && secrets.includes(name)).map(({ file }) => file));
  const found = survey.routes
    .filter((route) => takesPosts(route) && isHook(route) && serves(route, asked, others))
    .flatMap((route) => placesOf(survey, route, { asked, hasSecret: keepers.has(route.file) }));
  const best = found.filter(({ strength }) => strength === Math.max(...found.map((one) => one.strength)));
  const unique = [...new Map(best.map((one) => [`${one.at}\n${one.route.path}`, one])).values()];
  const [first, ...more] = unique;
  if (!first) return { is: 'none' };
  if (more.length > 0) {
    const paths = unique.map(({ route, at }) => (at === '' ? route.path : `${route.path} of ${at.replace(/^service /, '')}`));
    return {
      is: 'unclear',
      why: `Several routes could take these webhooks: ${paths.join(', ')}.`,
      evidence: unique.map(({ route }) => evidenceOf(route)),
    };
  }
  const { route } = first;
  const common = { path: route.path, evidence: evidenceOf(route) };
  if (route.servedBy !== undefined) return { is: 'service', service: route.servedBy, ...common };
  return { is: 'deployable', folder: first.at, ...common };
}

const takesPosts = ({ methods }: Route): boolean => methods.length === 0 || methods.includes('POST');

const isHook = ({ path, words }: Route): boolean =>
  // Its handler may say so where the path does not: `/payments/stripe` goes to `stripe_events#create`.
  words.some((word) => /^(?:signature|web-?hooks?|events)$/.test(word)) ||
  /(?:^|[/_.-])(?:web-?)?hooks?(?:[/_.-]|$)|webhook|\/events?(?:\/|$)|\/(?:callback|ipn|notify|notifications?)(?:\/|$)/i.test(path);

/** A route of another service may import the client of this one. Then its path names the other service and not this one. */
function serves({ path, words }: Route, asked: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  if (!words.some((word) => asked.has(word))) return false;
  const own = partsOf(path);
  return own.some((part) => asked.has(part)) || !own.some((part) => others.has(part));
}

const partsOf = (path: string): readonly string[] => path.toLowerCase().split(/[^a-z0-9]+/);

interface Place {
  readonly route: Route;
  readonly at: string;
  readonly strength: number;
}

interface Signs {
  readonly asked: ReadonlySet<string>;
  /** Its file reads the secret that signs the webhooks. */
  readonly hasSecret: boolean;
}

/** The deployables that answer a route. A route in a package counts for each that reaches it, unless one has it in its own folder. */
function placesOf(survey: Survey, route: Route, { asked, hasSecret }: Signs): readonly Place[] {
  const isNamed = partsOf(route.path).some((part) => asked.has(part));
  // A route that checks a signature is the receiver; one that only has such a path may pass it on.
  const strength =
    (hasSecret ? 8 : 0) + (isNamed ? 4 : 0) + (route.words.includes('signature') ? 2 : 0) + (/hook/i.test(route.path) ? 1 : 0);
  if (route.servedBy !== undefined) return [{ route, at: `service ${route.servedBy}`, strength }];
  const all = survey.deployables.map(({ folder }) => ({ folder, belongs: belongingTo(survey, folder)(route.file) }));
  const own = all.filter(({ belongs }) => belongs === 'own');
  const folders = own.length > 0 ? own : all.filter(({ belongs }) => belongs === 'reached');
  return folders.map(({ folder }) => ({ route, at: folder, strength }));
}

const evidenceOf = (route: Route): Evidence => ({ file: route.file, what: `route ${route.path}` });
