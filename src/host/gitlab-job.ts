/** Whether this is a job of GitLab CI (https://docs.gitlab.com/ci/variables/predefined_variables/). */
export const isGitlabJob = (env: NodeJS.ProcessEnv): boolean => env.GITLAB_CI === 'true';
