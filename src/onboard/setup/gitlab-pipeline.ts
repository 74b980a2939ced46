import { isProduction } from '../../plan/context.ts';
import { previewEnvironment } from '../next-step.ts';
import type { Release } from './release.ts';

export interface PipelineFacts {
  readonly release: Release;
  /** `name` is the name of the plan, if it has one. */
  readonly needs: { readonly environments: readonly string[]; readonly name: string | null };
  /** The path from the root of the repository; `null` if pilotfish finds the plan there by itself. */
  readonly plan: string | null;
}

/**
 * Writes the jobs of a project on GitLab. A preview follows its merge request, a sweep removes what a missed stop left, and production
 * waits for a person. GitLab gives the project's variables to every job. The jobs of one environment share one resource group,
 * which runs them one after the other and drops none.
 */
export function gitlabPipelineText({ release, needs, plan }: PipelineFacts): string {
  const previewName = previewEnvironment(needs.environments) ?? 'preview';
  const productionName = needs.environments.find(isProduction);
  const run = (...words: readonly string[]): string => {
    const command = ['npx', '--yes', `pilotfish@${release.tag.replace(/^v/, '')}`, 'apply', ...words].join(' ');
    return `    - ${isPlain(command) ? command : JSON.stringify(command)}`;
  };
  const env = previewName === 'preview' ? [] : ['--env', previewName];
  const file = plan === null ? [] : ['--plan', shellWord(plan)];
  const environment = `${previewName}/$CI_MERGE_REQUEST_IID`;
  return `# Written by \`pilotfish init --setup\` ${release.tag}. It is yours to change.
# It needs a project access token as the CI/CD variable GITLAB_TOKEN, and a pipeline schedule of the default branch.

.pilotfish:
  image: node:24
  stage: deploy
  variables:
    # The whole history: a pipeline of an older commit is known by it.
    GIT_DEPTH: "0"
  # Runs end in order by their own lease. A job that waits or writes is never cut off for a newer one.
  interruptible: false

pilotfish_preview:
  extends: .pilotfish
  rules:
    # Never for a fork: its plan would have your credentials.
    - if: ${ownMergeRequest}
  environment:
    name: ${environment}
    on_stop: pilotfish_stop
  resource_group: ${environment}
  script:
${run(...env, ...file, '--comment')}

# GitLab starts it when the merge request is merged or closed.
pilotfish_stop:
  extends: .pilotfish
  rules:
    - if: ${ownMergeRequest}
      when: manual
      allow_failure: true
  environment:
    name: ${environment}
    action: stop
  resource_group: ${environment}
${needs.name === null ? stopWithoutPlan(run('--destroy', ...env, ...pull, '--comment')) : stopWithPlan(run('--destroy', ...env, ...file, ...pull, '--comment'))}

${sweepJob(run('--destroy', '--closed', '--expired', ...env, ...file))}
${productionName === undefined ? '' : productionJob(productionName, run('--env', productionName, ...file, '--approved-by', '"$GITLAB_USER_LOGIN"'))}`;
}

const sweepJob = (
  script: string,
): string => `# Each hour by a pipeline schedule, after each merge, and by hand: destroys what is left of merge requests that are over.
pilotfish_sweep:
  extends: .pilotfish
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
    # A merge is a push to the default branch. Its pipeline does not fail for what a sweep finds.
    - if: $CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
      allow_failure: true
    - if: $CI_PIPELINE_SOURCE == "web" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  # It waits for no other job of the pipeline.
  needs: []
  script:
${script}`;

const stopWithoutPlan = (script: string): string => `  variables:
    # Its commit may be gone by then, and a destroy needs no plan.
    GIT_STRATEGY: none
  script:
    - cd "$(mktemp -d)"
    - git init --quiet
    - git remote add origin "$CI_PROJECT_URL.git"
    # The environment still has the number when GitLab no longer tells of the merge request.
${script}`;

/** A destroy sees only the scopes of its own plan, so it must read a plan that has a name. */
const stopWithPlan = (script: string): string => `  script:
    # The environment still has the number when GitLab no longer tells of the merge request.
${script}`;

const ownMergeRequest =
  '$CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_MERGE_REQUEST_PROJECT_ID';
const pull = ['--pr', '"${CI_ENVIRONMENT_NAME##*/}"'];

const productionJob = (name: string, script: string): string => `
# Waits for a person, and the receipt names who pressed the button. Protect the environment, so that not everybody can.
pilotfish_production:
  extends: .pilotfish
  rules:
    - if: $CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
      when: manual
      allow_failure: true
  environment:
    name: ${name}
  resource_group: ${name}
  script:
${script}
`;

/** Quotes a text as one word for a shell. */
const shellWord = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Tells whether YAML reads the text without quotes, if it begins with a letter. */
const isPlain = (text: string): boolean => !/: | #|:$|\p{Cc}/u.test(text);
