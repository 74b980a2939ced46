/** The name of a file tells this of its code. */
export interface Telling {
  /** It speaks of settings. */
  readonly isFirst: boolean;
  /** It has one of the words that `speaks` looks for. */
  readonly speaks: boolean;
}

/**
 * The places of code in the walk: the code that takes webhooks before settings, these before routes and databases, and all of them before
 * the rest.
 */
export function* byPath(places: readonly number[], files: readonly string[], tellingOf: (place: number) => Telling): Generator<number> {
  const groups: readonly number[][] = [[], [], [], []];
  // Most paths have none of the words. A word never spans a slash, and files of one folder follow each other, so each folder is asked once.
  let folder = '';
  let isFolderSpeaking = false;
  for (const place of places) {
    const file = files[place] ?? '';
    const length = file.lastIndexOf('/') + 1;
    if (length !== folder.length || !file.startsWith(folder)) {
      folder = file.slice(0, length);
      isFolderSpeaking = speaks(folder);
    }
    const telling = tellingOf(place);
    groups[isFolderSpeaking || telling.isFirst || telling.speaks ? rankOf(file, telling.isFirst) : 3]?.push(place);
  }
  for (const group of groups) yield* group;
}

/** Tells whether a path has a word that may give it a rank. */
export const speaks = (path: string): boolean => /hook|env|config|setting|api|rout|url|control|db|database|prisma|drizzle/i.test(path);

function rankOf(file: string, isFirst: boolean): number {
  if (takesHooks(file)) return 0;
  if (isFirst || settings.test(file)) return 1;
  return routes.test(file) ? 2 : 3;
}

/** Hooks of components, `hooks/use-cart.ts`, are no code of a server, and a large app has hundreds. */
const takesHooks = (file: string): boolean =>
  /webhook/i.test(file) || (/(?:^|[/_.-])hooks?(?:[/_.-]|$)/i.test(file) && !/\/use[-A-Z_][^/]*$/.test(file));
const settings = /(?:^|[/_.-])(?:env|environment|config|settings)(?:[/_.-]|$)/i;
const routes =
  /(?:^|[/_.-])(?:api|routes?|router|urls|controllers?|db|database|prisma|drizzle)(?:[/_.-]|$)|[a-z](?:Controller|Route|Router)\.\w+$/;
