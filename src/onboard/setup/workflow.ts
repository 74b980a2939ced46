import { githubSecretOf } from '../../core/how-to-set.ts';
import { ledgerKeyVariable } from '../../ops/sealing-credentials.ts';
import { isProduction } from '../../plan/context.ts';
import { previewEnvironment } from '../next-step.ts';
import type { PlanNeeds } from './needs.ts';
import type { Release } from './release.ts';

/** The path below the root of the repository. */
export const workflowFile = '.github/workflows/pilotfish.yml';

export interface WorkflowNeeds extends Pick<PlanNeeds, 'apis' | 'secrets' | 'environments'> {
  /** The environments that need the key of the ledger. */
  readonly keyed: readonly string[];
}

export interface WorkflowFacts {
  readonly release: Release;
  readonly needs: WorkflowNeeds;
  /** The path from the root of the repository; `null` if pilotfish finds the plan there by itself. */
  readonly plan: string | null;
}

/**
 * Writes the workflow of a repository. A preview follows its pull request and its deployments, a nightly job sweeps scopes whose close
 * event was missed, and production is a comment. There is no concurrency group: the lease of a scope orders its runs, and a group would
 * drop a waiting destroy when the next event comes.
 */
export function workflowText({ release, needs, plan }: WorkflowFacts): string {
  const previewName = previewEnvironment(needs.environments) ?? 'preview';
  const productionName = needs.environments.find(isProduction);
  const preview = variablesOf(needs, (environment) => environment === previewName);
  const step = (inputs: readonly Input[], asides: readonly Input[] = []): string =>
    actionStep(release, [...inputs, ...(plan === null ? [] : [['plan', JSON.stringify(plan)] as const])], asides);
  // The action finds `preview` by itself, so the input is left out.
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
  statuses: write

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

/** The only push that starts a job of this workflow. */
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

/** The folder of the trace, below the checkout. */
const traceFolder = 'pilotfish-trace';

/** Uploads the trace of a failed run too. A workflow run uses the name of an artifact only once, so each attempt has its own name. */
const traceStep = [
  `      # - uses: ${uploadAction}`,
  '      #   if: always()',
  '      #   with:',
  `      #     name: ${traceFolder}-\${{ github.run_attempt }}`,
  `      #     path: ${traceFolder}`,
  '      #     if-no-files-found: ignore',
].join('\n');

/** Checks out the whole history, because it shows whether a late build belongs to an older commit. */
const checkout = (ref: string | null): string =>
  [`      - uses: ${checkoutAction}`, '        with:', ...(ref === null ? [] : [`          ref: ${ref}`]), '          fetch-depth: 0'].join(
    '\n',
  );

/** Writes the step of the action. `asides` are inputs that stand there as comments. */
const actionStep = (release: Release, inputs: readonly Input[], asides: readonly Input[]): string =>
  [
    `      - uses: ${release.repository}/action@${release.commit} # ${release.tag}`,
    '        with:',
    ...inputs.map(([name, value]) => `          ${name}: ${value}`),
    ...asides.map(([name, value]) => `          # ${name}: ${value}`),
  ].join('\n');

const envBlock = (variables: readonly string[]): string =>
  variables.length === 0 ? '' : `    env:\n${variables.map((name) => `      ${passing(name)}\n`).join('')}`;

/** The row under `env` with which a job receives a secret. */
export const passing = (name: string): string => `${name}: \${{ secrets.${githubSecretOf(name)} }}`;

/** The variables that the jobs of these environments read, with the secrets of lines. */
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
