import { createHash } from 'node:crypto';
import { githubSecretOf } from '../../core/how-to-set.ts';
import { ledgerKeyVariable } from '../../ops/sealing-credentials.ts';
import { isProduction } from '../../plan/context.ts';
import { previewEnvironment } from '../next-step.ts';
import type { PlanNeeds } from './needs.ts';
import type { Release } from './release.ts';

/** The path below the root of the repository. */
export const workflowFile = '.github/workflows/pilotfish.yml';

/** The place of the action in a repository whose pilotfish is no release. A checkout of the job brings it. */
export const copiedAction = './.github/pilotfish';

const copyNote = `# The pilotfish that wrote this is no release, so there is no commit to pin the action to. The jobs use the copy in
# .github/pilotfish: run \`npm run bundle\` in the checkout of pilotfish, copy its folder \`action\` there, and commit the copy.
`;

export interface WorkflowNeeds extends Pick<PlanNeeds, 'apis' | 'secrets' | 'environments'> {
  /** The environments that need the key of the ledger. */
  readonly keyed: readonly string[];
}

export interface WorkflowFacts {
  /** `null` for a build that is no release. Its workflow uses a copy of the action in the repository. */
  readonly release: Release | null;
  readonly needs: WorkflowNeeds;
  /** The path from the root of the repository; `null` if pilotfish finds the plan there by itself. */
  readonly plan: string | null;
  /** `owner/name` */
  readonly repository: string;
  readonly defaultBranch: string;
}

/**
 * Writes the workflow of a repository. A preview follows its pull request and its deployments. A close has a job of its own that runs no
 * code of the pull request. A job each hour, and after each push to the default branch, sweeps what missed events left. Production is a
 * comment. There is no concurrency group: the lease of a scope orders its runs, and a group would drop a waiting destroy when the next event
 * comes.
 */
export function workflowText(facts: WorkflowFacts): string {
  const { release, needs, repository, defaultBranch } = facts;
  const name = previewEnvironment(needs.environments) ?? 'preview';
  const preview: Wanted = {
    variables: variablesOf(needs, (environment) => environment === name),
    // The action finds `preview` by itself, so the input is left out.
    env: name === 'preview' ? [] : [['env', name]],
    step: stepOf(facts),
  };
  const production = needs.environments.find(isProduction);
  const branch = /^[a-z][\w./-]*$/i.test(defaultBranch) ? defaultBranch : JSON.stringify(defaultBranch);
  return `# Written by \`pilotfish init --setup\`${release === null ? '' : ` ${release.tag}`}. It is yours to change.
${release === null ? copyNote : ''}name: pilotfish

on:
  pull_request:
    types: [opened, synchronize, reopened]
  # A pull request with a conflict starts no run of \`pull_request\`, so the close comes by this event.
  pull_request_target:
    types: [closed]
  deployment_status:
  push:
    branches: [${branch}]
  schedule:
    - cron: "${minuteOf(repository)} * * * *"
  workflow_dispatch:

permissions: {}

# A pull request of this repository runs its own plan with these secrets. Two ways out: a protected \`environment:\` for them, or
# \`plan-from: base\` below, which takes hosts, credentials and commands from the default branch until a change of them is merged.
jobs:
${previewJob(preview)}
${closeJob(preview)}
${sweepJob(preview)}
${production === undefined ? '' : productionJob(production, variablesOf(needs, isProduction), preview.step)}`;
}

/** The facts of a job. */
interface Wanted {
  readonly variables: readonly string[];
  readonly env: readonly Input[];
  readonly step: (inputs: readonly Input[], asides?: readonly Input[]) => string;
}

/** Writes the step of the action. Every step names a plan that the action would not find. */
const stepOf =
  ({ release, plan }: WorkflowFacts): Wanted['step'] =>
  (inputs, asides = []) =>
    actionStep(release, [...inputs, ...(plan === null ? [] : [['plan', JSON.stringify(plan)] as const])], asides);

const previewJob = ({
  variables,
  env,
  step,
}: Wanted): string => `  # Every environment whose name begins with production is passed over by the action, too, however it is written.
  preview:
    if: >-
      github.event_name == 'pull_request' ||
      (github.event_name == 'deployment_status' &&
      github.event.deployment_status.state == 'success' &&
      github.event.deployment_status.environment != 'production' &&
      github.event.deployment_status.environment != 'Production')
    permissions:
      contents: write
      pull-requests: write
      deployments: read
      statuses: write
    runs-on: ubuntu-latest
${envBlock(variables)}    steps:
${checkout(`\${{ github.event.deployment.sha || github.sha }}`)}
${step(
  [['command', 'apply'], ['prune', 'true'], ...env],
  [
    ['plan-from', 'base'],
    ['trace', traceFolder],
  ],
)}
      # To see where a run spends its time, take the comment signs away here and before \`trace\`.
${traceStep}
`;

const closeJob = ({
  variables,
  env,
  step,
}: Wanted): string => `  # Destroys the objects of a closed pull request. It takes them from the ledger, and the plan from the default branch. Never check out
  # the head of the pull request here: this job has the secrets for everybody's pull request.
  close:
    if: github.event_name == 'pull_request_target'
    permissions:
      contents: write
      pull-requests: write
    runs-on: ubuntu-latest
${envBlock(variables)}    steps:
${checkout(defaultBranchRef)}
${step([['command', 'destroy'], ...env])}
`;

const sweepJob = ({
  variables,
  env,
  step,
}: Wanted): string => `  # Destroys what is left of closed pull requests, if an event was lost or a job died, and what is over by \`lifetime:\` of the plan. Two
  # sweeps at once do no harm.
  sweep:
    if: github.event_name == 'schedule' || github.event_name == 'push' || github.event_name == 'workflow_dispatch'
    permissions:
      contents: write
      pull-requests: write
    runs-on: ubuntu-latest
${envBlock(variables)}    steps:
${checkout(defaultBranchRef)}
${step([['command', 'destroy'], ['closed', 'true'], ['expired', 'true'], ...env])}`;

/** Empty on a schedule, where the checkout takes the default branch by itself. */
const defaultBranchRef = `\${{ github.event.repository.default_branch }}`;

/**
 * The minute of the hour at which the sweeps of a repository run. GitHub starts schedules late, or drops them, at minutes that many
 * repositories use, above all at the full hour. So the minute is an odd one that follows from the name of the repository.
 */
export function minuteOf(repository: string): number {
  const hash = createHash('sha256').update(repository.toLowerCase()).digest().readUInt32BE(0);
  return 5 + 2 * (hash % 28);
}

type Input = readonly [name: string, value: string];

const productionJob = (name: string, variables: readonly string[], step: (inputs: readonly Input[]) => string): string => `
${commented(`# Production, approved by a person: protect the environment \`${name}\` in the settings of the repository, with reviewers, and take
# the comment signs away here.
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

/** Checks out one commit: the whole history brings every receipts branch along. The code host tells whether a late build is of an older commit. */
const checkout = (ref: string | null): string =>
  [`      - uses: ${checkoutAction}`, '        with:', ...(ref === null ? [] : [`          ref: ${ref}`]), '          fetch-depth: 1'].join(
    '\n',
  );

/** Writes the step of the action. `asides` are inputs that stand there as comments. */
const actionStep = (release: Release | null, inputs: readonly Input[], asides: readonly Input[]): string =>
  [
    `      - uses: ${release === null ? copiedAction : `${release.repository}/action@${release.commit} # ${release.tag}`}`,
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
