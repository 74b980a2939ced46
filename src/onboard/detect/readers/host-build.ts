import type { HostEvidence } from '../facts.ts';
import { startedIn } from './shell.ts';

type BuildFacts = Pick<HostEvidence, 'targets' | 'makes'>;

/**
 * What the build command of a host says: the package that it builds (`turbo build --filter=web`), and a backend that it makes for each
 * branch (`convex deploy --cmd`).
 */
export function fromBuild(command: unknown): BuildFacts {
  if (typeof command !== 'string') return {};
  const started = startedIn(command);
  const targets = [
    ...new Set(
      started.flatMap(({ filter, words, program }) => [
        filter,
        ...(program === 'turbo' || program === 'nx' || program === 'lerna' ? filtersIn(words) : []),
      ]),
    ),
  ].flatMap((one) => one ?? []);
  const isConvex = started.some(({ program, words }) => program === 'convex' && words[0] === 'deploy');
  return {
    ...(targets.length > 0 && { targets }),
    ...(isConvex && { makes: [{ service: 'convex', what: 'a backend for each branch, which its build deploys' }] }),
  };
}

/** `turbo run build --filter=web...`, `--scope web`, `nx build web`. */
function filtersIn(words: readonly string[]): readonly string[] {
  const flagged = words.flatMap((word, i) => {
    const match = /^(?:--filter|-F|--scope|--projects|-p)(?:=(.+))?$/.exec(word);
    return match ? (match[1] ?? words[i + 1] ?? []) : [];
  });
  const [task, project] = words.filter((word) => !word.startsWith('-'));
  const named = task === 'build' && project !== undefined ? [project] : (/^(?:run )?([\w@/-]+):build/.exec(words.join(' '))?.[1] ?? []);
  return [...flagged, ...(Array.isArray(named) ? named : [named])].map((one) => one.replace(/\.{3}/g, ''));
}

/** A command that a host runs to know whether it skips a build: the exit code 0 skips. It skips every build, or those of other branches. */
export const skipsPreviews = (command: unknown): boolean =>
  typeof command === 'string' &&
  (/^\s*(?:exit 0|true|\/bin\/true|:)\s*$/.test(command) ||
    /^\s*\[+\s*["']?\$\{?(?:VERCEL_ENV|VERCEL_GIT_COMMIT_REF|CONTEXT|BRANCH|HEAD)\}?["']?\s*!==?\s*["']?(?:production|main|master)["']?\s*\]+\s*$/.test(
      command,
    ));
