import { isProduction } from '../../plan/environments.ts';
import type { PlanNeeds } from './needs.ts';
import type { Release } from './release.ts';
import { secretNameOf } from './store.ts';

/** Below the root of the repository. */
export const workflowFile = '.github/workflows/pilotfish.yml';

export interface WorkflowFacts {
  readonly release: Release;
  readonly needs: Pick<PlanNeeds, 'apis' | 'secrets' | 'environments'>;
  /** From the root of the repository, where the plan is not found there by itself. */
  readonly plan: string | null;
}

/**
 * The workflow of a repository: a preview follows its pull request and its deployments, scopes that an event was missed for are swept
 * every night, and production waits as a comment. There is no concurrency group: the lease of a scope orders its runs, and a group
 * would drop a waiting destroy for the event after it.
 */
export function workflowText({ release, needs, plan }: WorkflowFacts): string {
  const preview = variablesOf(needs, (environment) => !isProduction(environment));
  const production = variablesOf(needs, isProduction);
  const job = { release, plan };
  return `# Written by \`pilotfish init --setup\` ${release.tag}. It is yours to change.
name: pilotfish

on:
  pull_request:
    types: [opened, synchronize, reopened, closed]
  deployment_status:
  schedule:
    - cron: "23 3 * * *"

permissions:
  contents: write
  pull-requests: write
  deployments: read

jobs:
  preview:
    if: >-
      github.event_name == 'pull_request' ||
      (github.event_name == 'deployment_status' &&
      github.event.deployment_status.state == 'success' &&
      github.event.deployment_status.environment != 'production' &&
      github.event.deployment_status.environment != 'Production')
    runs-on: ubuntu-latest
${envBlock(preview)}    steps:
${checkout(`\${{ github.event.deployment.sha || github.sha }}`)}
${step(job, [['command', `\${{ github.event_name == 'pull_request' && github.event.action == 'closed' && 'destroy' || 'apply' }}`]])}

  # Destroys what is left of pull requests that are closed, should an event have been missed.
  sweep:
    if: github.event_name == 'schedule'
    runs-on: ubuntu-latest
${envBlock(preview)}    steps:
${checkout(null)}
${step(job, [
  ['command', 'destroy'],
  ['closed', 'true'],
])}

${commented(`# Production, approved by a person: protect the environment \`production\` in the settings of the repository, add
# \`push: { branches: [main] }\` to \`on\`, and take the comment signs away.
production:
  if: github.event_name == 'push'
  environment: production
  permissions:
    contents: write
    pull-requests: write
    deployments: read
    actions: read
  runs-on: ubuntu-latest
${outdent(envBlock(production))}  steps:
${outdent(checkout(null))}
${outdent(
  step(job, [
    ['command', 'apply'],
    ['env', 'production'],
  ]),
)}`)}
`;
}

/** Pinned like ours: v5.0.0. */
const checkoutAction = 'actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0';

/** With the whole history: a late build of an older commit is known by it. */
const checkout = (ref: string | null): string =>
  [`      - uses: ${checkoutAction}`, '        with:', ...(ref === null ? [] : [`          ref: ${ref}`]), '          fetch-depth: 0'].join(
    '\n',
  );

function step(
  { release, plan }: { readonly release: Release; readonly plan: string | null },
  inputs: readonly (readonly [string, string])[],
): string {
  const all = [...inputs, ...(plan === null ? [] : [['plan', JSON.stringify(plan)] as const])];
  return [
    `      - uses: ${release.repository}/action@${release.commit} # ${release.tag}`,
    '        with:',
    ...all.map(([name, value]) => `          ${name}: ${value}`),
  ].join('\n');
}

const envBlock = (variables: readonly string[]): string =>
  variables.length === 0 ? '' : `    env:\n${variables.map((name) => `      ${name}: \${{ secrets.${secretNameOf(name)} }}\n`).join('')}`;

/** What the jobs of these environments read, secrets of lines included. */
function variablesOf({ apis, secrets }: WorkflowFacts['needs'], isWanted: (environment: string) => boolean): readonly string[] {
  const found = [
    ...apis.filter(({ environments }) => environments.some(isWanted)).flatMap(({ variables }) => variables.map(({ name }) => name)),
    ...secrets.filter(({ environments }) => environments.some(isWanted)).map(({ variable }) => variable),
  ];
  return [...new Set(found)];
}

const commented = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line.startsWith('# ') ? `  ${line}` : `  # ${line}`))
    .join('\n');

const outdent = (text: string): string => text.replace(/^ {2}/gm, '');
