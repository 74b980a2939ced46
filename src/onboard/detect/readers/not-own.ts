import type { SourceFile } from '../facts.ts';
import { baseOf } from './source.ts';

/** Folders with code of others, data for a new database, and answers that stand for a service. */
const folders = /(?:^|\/)(?:vendors?|vendored|seeds?|seeders?|mocks?|msw|(?:__)?dumm(?:y|ies)(?:__)?|dummy[-_]?data|fakes?|stubs?)\//i;

/** Examples of settings and content, data for a new database, and answers that stand for a service. */
const names =
  /^(?:example|sample|default[-_]content|seeds?)\b[\w.-]*\.\w+$|^(?:[sS]eed|[dD]ummy|[mM]ock)[-_]?[dD]ata\.\w+$|[._-](?:example|sample)\.\w+$|(?:^|[._-])(?:mocks?|msw)[._-][\w.-]*$|[-.]v?\d+\.\d+(?:\.\d+)?(?:\.\w+)*\.js$/i;

/** Lists of people and companies. Code may have other things under the more general of these names. */
const lists =
  /^(?:(?:sponsors?|partners|supporters|backers|contributors|speakers|testimonials|showcase)\.(?:json|ya?ml|toml|[cm]?[jt]sx?)|(?:partner|team|members|people|authors|customers|clients|companies|links|bookmarks)\.(?:json|ya?ml|toml))$/i;

/** Code that writes projects for others names the services that those may choose. */
export const isGenerator = (path: string): boolean => /project[-_]?generat(?:or|ion)/i.test(path);

/** Tells from the path whether what a file names is that of somebody else: of a library, of whoever copies an example, of sponsors. */
export const isOfOthers = (path: string): boolean =>
  folders.test(path) || names.test(baseOf(path)) || lists.test(baseOf(path)) || isGenerator(path);

/** What a package or a build put among the files that a server shows. No person writes such lines. */
const published = /(?:^|\/)(?:public|static|staticfiles|wwwroot|assets|vendor)\//;
const longLine = /[^\n]{5000}/;

/** A script of a library: its first comments have a version and a licence. Apps put a licence, but no version, above their own code. */
export function isLibrary({ path, text }: SourceFile): boolean {
  if (!/\.[cm]?js$/.test(path)) return false;
  if (published.test(path) && longLine.test(text)) return true;
  const [banner = ''] = /^(?:\s*(?:\/\*[\s\S]{0,2000}?\*\/|\/\/[^\n]*)){1,9}/.exec(text.slice(0, 3000)) ?? [];
  return /\bv?\d+\.\d+\.\d+\b/.test(banner) && /licen[cs]e|\(c\)|copyright/i.test(banner);
}
