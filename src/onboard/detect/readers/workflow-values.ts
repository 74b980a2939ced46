/** Values that are known when a workflow is read: expressions of GitHub, and variables of the other systems. */
const expressions: readonly (readonly [RegExp, string])[] = [
  [/^github\.event\.(?:pull_request\.|issue\.)?number$/, '${ctx.pr.number}'],
  [/^github\.(?:head_ref|event\.pull_request\.head\.ref)$/, '${ctx.git.branch}'],
  [/^github\.event\.pull_request\.head\.sha$/, '${ctx.git.sha}'],
];

/** Variables that runners of CI set. */
export const runnerVariables: ReadonlyMap<string, string> = new Map([
  ['CI_MERGE_REQUEST_IID', '${ctx.pr.number}'],
  ['BITBUCKET_PR_ID', '${ctx.pr.number}'],
  ['BUILDKITE_PULL_REQUEST', '${ctx.pr.number}'],
  ['DRONE_PULL_REQUEST', '${ctx.pr.number}'],
  ['GITHUB_HEAD_REF', '${ctx.git.branch}'],
  ['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME', '${ctx.git.branch}'],
  ['BITBUCKET_BRANCH', '${ctx.git.branch}'],
]);

/** A value that nobody knows before the workflow runs. No id has these signs. */
const unknown = '${?}';

/** Puts known values in the place of expressions. The first known of alternatives (`a || b`) counts. */
export function fillExpressions(text: string, known: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{\{([^{}]*)\}\}/g, (_, inner: string) => resolve(inner, known));
}

function resolve(expression: string, known: ReadonlyMap<string, string>): string {
  for (const part of expression.split('||')) {
    const bare = part.trim();
    const literal = /^'([^']*)'$/.exec(bare)?.[1];
    const value = literal ?? expressions.find(([pattern]) => pattern.test(bare))?.[1] ?? known.get(bare);
    if (value !== undefined && value !== '') return value;
  }
  return unknown;
}

/** Names of secrets and variables that the text takes from GitHub's own lists. */
export function namesOfVault(text: string): readonly string[] {
  const names = [...text.matchAll(/\b(?:secrets|vars)\.([A-Za-z_]\w*)/g)].map((match) => match[1] ?? '');
  return [...new Set(names)].filter((name) => name !== 'GITHUB_TOKEN');
}

/** What a step adds for the steps behind it: `echo "NAME=value" >> $GITHUB_ENV`. */
export function exportsOf(text: string): readonly { readonly name: string; readonly value: string; readonly to: 'ENV' | 'OUTPUT' }[] {
  return [...text.matchAll(/echo[ \t]+["']?([A-Za-z_]\w*)=([^"'\n>]{0,300})["']?[ \t]*>>[ \t]*["']?\$\{?GITHUB_(ENV|OUTPUT)\b/g)].map(
    (match) => ({
      name: match[1] ?? '',
      value: match[2] ?? '',
      to: match[3] === 'ENV' ? 'ENV' : 'OUTPUT',
    }),
  );
}

/** Tells whether a condition keeps a job or a step away from pull requests. Each alternative must. */
export function excludesPulls(condition: unknown): boolean {
  if (typeof condition !== 'string') return condition === false;
  return condition.split('||').every((part) => !isForPulls(part) && awayFromPulls.test(part));
}

const isForPulls = (text: string): boolean => /event_name\s*==\s*'pull_request|event\.action\s*!=\s*'closed'/.test(text);
const awayFromPulls =
  /event_name\s*==\s*'(?:push|schedule|release|workflow_dispatch)'|event_name\s*!=\s*'pull_request|github\.ref(?:_name)?\s*==\s*'(?:refs\/heads\/)?(?:main|master|production|prod|develop|staging|release)'|github\.ref(?:_name)?\s*==\s*(?:format\('refs\/heads\/\{0\}', *)?github\.event\.repository\.default_branch|github\.event\.repository\.default_branch\s*==\s*github\.ref_name|startsWith\(github\.ref, *'refs\/tags|pull_request\.merged\s*==\s*true|event\.action\s*==\s*'closed'|^\s*false\s*$/;
