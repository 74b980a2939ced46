import { githubSecretOf } from '../../core/how-to-set.ts';
import { ledgerKeyVariable } from '../../ops/sealing-credentials.ts';
import { isProduction } from '../../plan/context.ts';
import { previewEnvironment } from '../next-step.ts';
import type { PlanNeeds } from './needs.ts';
import type { Release } from './release.ts';

/** Below the root of the repository. */
export const workflowFile = '.github/workflows/pilotfish.yml';

export interface WorkflowNeeds extends Pick<PlanNeeds, 'apis' | 'secrets' | 'environments'> {
  /** Environments in which the key of the ledger is needed. */
  readonly keyed: readonly string[];
}

export interface WorkflowFacts {
  readonly release: Release;
  readonly needs: WorkflowNeeds;
  /** From the root of the repository, where the plan is not found there by itself. */
  readonly plan: string | null;
}

/**
 * The workflow of a repository: a preview follows its pull request and its deployments, scopes that an event was missed for are swept
 * every night, and production waits as a comment. There is no concurrency group: the lease of a scope orders its runs, and a group
 * would drop a waiting destroy for the event after it.
 */
export function workflowText({ release, needs, plan }: WorkflowFacts): string {
  const previewName = previewEnvironment(needs.environments) ?? 'preview';
  const productionName = needs.environments.find(isProduction);
  const preview = variablesOf(needs, (environment) => environment === previewName);
  const step = (inputs: readonly Input[], asides: readonly Input[] = []): string =>
    actionStep(release, [...inputs, ...(plan === null ? [] : [['plan', JSON.stringify(plan)] as const])], asides);
  // What the action takes by itself is left out.
  const env: readonly Input[] = previewName === 'preview' ? [] : [['env', previewName]];
  return `# Written by \`pilotfish init --setup\` ${release.tag}. It is yours to change.
name: pilotfish

on:
  pull_request:
    types: [opened, synchronize, reopened, closed]
  deployment_status:
  schedule:
    - cron: "23 3 * * *"
${productionName === undefined ? '' : `  # For the job \`production\`, below: the branch that is released, and never those of the receipts.\n  # ${productionPush}\n`}
permissions:
  contents: write
  pull-requests: write
  deployments: read

# A pull request of this repository runs its own plan with these secrets. Two ways out: a protected \`environment:\` for them, or
# \`plan-from: base\` below, which takes hosts, credentials and commands from the default branch until a change of them is merged.
jobs:
  # Every environment whose name begins with production is passed over by the action, too, however it is written.
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
${step(
  [['command', `\${{ github.event_name == 'pull_request' && github.event.action == 'closed' && 'destroy' || 'apply' }}`], ...env],
  [
    ['plan-from', 'base'],
    ['trace', traceFolder],
  ],
)}
      # To see where a run spends its time, take the comment signs away here and before \`trace\`.
${traceStep}

  # Destroys what is left of pull requests that are closed, should an event have been missed.
  sweep:
    if: github.event_name == 'schedule'
    runs-on: ubuntu-latest
${envBlock(preview)}    steps:
${checkout(null)}
${step([['command', 'destroy'], ['closed', 'true'], ...env])}
${productionName === undefined ? '' : productionJob(productionName, variablesOf(needs, isProduction), step)}`;
}

/** The only push that anything here begins with. */
const productionPush = 'push: { branches: [main] }';

type Input = readonly [name: string, value: string];

const productionJob = (name: string, variables: readonly string[], step: (inputs: readonly Input[]) => string): string => `
${commented(`# Production, approved by a person: protect the environment \`${name}\` in the settings of the repository, with reviewers, and take
# the comment signs away here and before \`push\` above.
production:
  if: github.event_name == 'push'
  environment: ${name}
  permissions:
    contents: write
    pull-requests: write
    deployments: read
    actions: read
  runs-on: ubuntu-latest
${outdent(envBlock(variables))}  steps:
${outdent(checkout(null))}
${outdent(
  step([
    ['command', 'apply'],
    ['env', name],
  ]),
)}`)}
`;

/** Pinned like ours: v5.0.0. */
const checkoutAction = 'actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0';
const uploadAction = 'actions/upload-artifact@b7c566a772e6b6bfb58ed0dc250532a479d7789f # v6.0.0';

/** Below the checkout. */
const traceFolder = 'pilotfish-trace';

/** Also where the run failed. An artifact's name is used once in a workflow run, so each attempt has its own. */
const traceStep = [
  `      # - uses: ${uploadAction}`,
  '      #   if: always()',
  '      #   with:',
  `      #     name: ${traceFolder}-\${{ github.run_attempt }}`,
  `      #     path: ${traceFolder}`,
  '      #     if-no-files-found: ignore',
].join('\n');

/** With the whole history: a late build of an older commit is known by it. */
const checkout = (ref: string | null): string =>
  [`      - uses: ${checkoutAction}`, '        with:', ...(ref === null ? [] : [`          ref: ${ref}`]), '          fetch-depth: 0'].join(
    '\n',
  );

/** `asides` stand there as comments. */
const actionStep = (release: Release, inputs: readonly Input[], asides: readonly Input[]): string =>
  [
    `      - uses: ${release.repository}/action@${release.commit} # ${release.tag}`,
    '        with:',
    ...inputs.map(([name, value]) => `          ${name}: ${value}`),
    ...asides.map(([name, value]) => `          # ${name}: ${value}`),
  ].join('\n');

const envBlock = (variables: readonly string[]): string =>
  variables.length === 0 ? '' : `    env:\n${variables.map((name) => `      ${passing(name)}\n`).join('')}`;

/** What a job says under `env` to be given a secret. */
export const passing = (name: string): string => `${name}: \${{ secrets.${githubSecretOf(name)} }}`;

/** What the jobs of these environments read, secrets of lines included. */
function variablesOf({ apis, secrets, keyed }: WorkflowFacts['needs'], isWanted: (environment: string) => boolean): readonly string[] {
  const found = [
    ...apis.filter(({ environments }) => environments.some(isWanted)).flatMap(({ variables }) => variables.map(({ name }) => name)),
    ...secrets.filter(({ environments }) => environments.some(isWanted)).map(({ variable }) => variable),
    ...(keyed.some(isWanted) ? [ledgerKeyVariable] : []),
  ];
  return [...new Set(found)];
}

const commented = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line.startsWith('# ') ? `  ${line}` : `  # ${line}`))
    .join('\n');

const outdent = (text: string): string => text.replace(/^ {2}/gm, '');
