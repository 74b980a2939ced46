import type { FactReader, FoundParam, SourceFile } from '../facts.ts';
import { lineOf } from './host-file.ts';
import { paramOf } from './host-ids.ts';
import { matchesOf } from './source.ts';

/** The members by which files name the organisation and the project. */
const members: readonly (readonly [param: string, names: string])[] = [
  ['organization', 'org|organization|defaults\\.org|SENTRY_ORG'],
  ['projects', 'project|projectName|defaults\\.project|SENTRY_PROJECT'],
];

/** The part of a file that speaks of Sentry. A configuration has members of these names for other things too. */
function partsOf({ path, text }: SourceFile): readonly string[] {
  if (/(?:\.sentryclirc|sentry\.properties)$/.test(path)) return [text];
  if (/\.(?:env[\w.]*|ya?ml)$/.test(path) || /(?:^|\/)\.env/.test(path)) return [text];
  return [
    ...matchesOf(
      text,
      /\b(?:withSentryConfig|withSentry|sentry\w*Plugin|sentrySvelteKit|sentryVitePlugin|sentryOptions|sentry|Sentry)\b\s*[:({=]/g,
      20,
    ),
  ].map(({ index }) => text.slice(index, index + 2500));
}

const mayHold = (path: string): boolean =>
  (!(path.endsWith('.ts') || path.endsWith('.js')) || path.includes('.config.')) &&
  /(?:^|\/)(?:\.sentryclirc|sentry\.properties|(?:next|nuxt|vite|astro|svelte|webpack|rollup|esbuild|metro|rsbuild|craco|vue|app|remix|react-router|angular|electron\.vite|tsup)\.config\.(?:[cm]?[jt]s|json)|app\.json|build\.gradle(?:\.kts)?|pom\.xml|\.env(?:\.[\w.-]+)?)$|(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$/.test(
    path,
  );

/** The organisation and the project of Sentry in configurations of builds, its own files, workflows and examples of variables. */
export const sentryIds: FactReader = {
  name: 'sentry-ids',
  names: (name) => /\.ya?ml$/.test(name) || mayHold(name),
  takes: (path) => mayHold(path),
  read: (file) => {
    if (!/sentry/i.test(`${file.path}\n${file.text}`)) return {};
    const isPlain = /(?:\.sentryclirc|sentry\.properties|\.ya?ml)$|(?:^|\/)\.env/.test(file.path);
    const ids = members.flatMap(([param, names]) => {
      const wanted = /(?:\.ya?ml$|(?:^|\/)\.env)/.test(file.path) ? names.replace(/^.*\|/, '') : names;
      const pattern = isPlain
        ? new RegExp(`^[ \\t]*(?:export )?(?:${wanted})[ \\t]*[:=][ \\t]*["']?([\\w.-]+)["']?[ \\t]*(?:#.*)?$`, 'gm')
        : new RegExp(`\\b(?:${wanted})["']?\\s*(?::|=|\\.set\\()\\s*["']([\\w.-]+)["']`, 'g');
      return valuesOf(file, pattern, param);
    });
    return { ids };
  },
};

function valuesOf(file: SourceFile, pattern: RegExp, param: string): readonly FoundParam[] {
  const values = new Set(partsOf(file).flatMap((part) => [...part.matchAll(pattern)].flatMap((match) => paramOf(match[1]) ?? [])));
  return [...values]
    .filter((value) => /^[a-z0-9_-]+$/.test(value))
    .map((value) => ({ provider: 'sentry', param, value, file: file.path, line: lineOf(file.text, value) }));
}
