/** Secrets of GitHub must not begin with `GITHUB_`. */
export const githubSecretOf = (variable: string): string => (/^GITHUB_/i.test(variable) ? `PILOTFISH_${variable}` : variable);

/**
 * Tells a person how to give a run the variables that it lacks. The answer depends on where the run takes place: a person who reads the log
 * of a CI job has no shell to set them in.
 */
export function howToSet(names: readonly string[], env: NodeJS.ProcessEnv): string {
  const all = names.join(' and ');
  const [them, s] = names.length > 1 ? ['them', 's'] : ['it', ''];
  if (env.GITHUB_ACTIONS === 'true') {
    const rows = names.map((name) => `\`${name}: \${{ secrets.${githubSecretOf(name)} }}\``).join(' and ');
    return `Add the secret${s} ${names.map(githubSecretOf).join(' and ')} in the settings of the repository, under Secrets and variables, Actions, and have ${rows} under \`env\` of the job.`;
  }
  if (env.GITLAB_CI === 'true') {
    return `Add the variable${s} ${all} in the settings of the project, under CI/CD, Variables. Protected variables are given to protected branches alone.`;
  }
  if (!['', '0', 'false'].includes(env.CI ?? ''))
    return `Add ${all} to the secrets of this CI, and pass ${them} to the job under ${s ? 'these names' : 'this name'}.`;
  return `Set ${all}.`;
}

/** One word of a command that a person pastes into a POSIX shell. */
export const shellQuote = (text: string): string => (/^[A-Za-z0-9._/@:+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
