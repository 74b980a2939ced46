import { isProduction } from '../plan/context.ts';

/** The environment that pull requests get; `null` where the plan has none but production. */
export const previewEnvironment = (environments: readonly string[]): string | null =>
  environments.includes('preview') ? 'preview' : (environments.find((name) => !isProduction(name)) ?? null);

/** The first plan that a person runs. */
export interface PlanCommand {
  readonly command: string;
  /** The same where no pull request is open yet. */
  readonly example: string;
  readonly why: string;
}

export function planCommand(environments: readonly string[]): PlanCommand {
  const preview = previewEnvironment(environments);
  const name = preview ?? environments[0] ?? 'preview';
  const command = `pilotfish plan${name === 'preview' ? '' : ` --env ${name}`}`;
  const [example, where] = preview === null ? [command, `in ${name}`] : [`${command} --pr 1`, 'for pull request 1'];
  return { command, example, why: `\`${example}\` shows what apply would do ${where}, and writes nothing.` };
}
