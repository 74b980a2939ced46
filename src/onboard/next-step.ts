import type { InitDoc, TodoDoc } from '../engine/init-document.ts';
import { isProduction } from '../plan/context.ts';

export interface NextFacts {
  /** The plan as it is now. */
  readonly text: string;
  readonly todo: readonly TodoDoc[];
  /** The names of the credentials that are not set. */
  readonly missing: readonly string[];
  readonly environments: readonly string[];
  readonly detected: Pick<InitDoc['detected'], 'found' | 'engines' | 'unsupported' | 'library' | 'template'>;
}

/** The one thing to do after `init`. */
export function nextStep({ text, todo, missing, environments, detected }: NextFacts): InitDoc['next'] {
  if (isEmpty(text)) return { command: null, why: whyEmpty(detected) };
  if (isAllComments(text)) return { command: null, why: detected.template === null ? allComments : ofTemplate };
  if (todo.length > 0) {
    const [what, marks] = todo.length === 1 ? ['the value that is', 'the mark'] : [`the ${todo.length} values that are`, 'the marks'];
    return { command: null, why: `Fill in ${what} marked # TODO in the plan and remove ${marks}, then run \`pilotfish init\` again.` };
  }
  if (missing.length > 0) {
    const then = missing.length === 1 ? 'checks it, and offers to store it for CI' : 'checks each, and offers to store them for CI';
    return { command: 'pilotfish init --setup', why: `It asks for ${listed(missing)}, ${then}.` };
  }
  const { command, why } = planCommand(environments);
  return { command, why: `The plan has no placeholder left. ${why}` };
}

/** Tells whether the plan has no line, not even a comment. A text that is no plan is not empty: `plan` says what is wrong with it. */
const isEmpty = (text: string): boolean =>
  /^changes:[ \t]*(?:\[[ \t]*\][ \t]*)?(?:#.*)?\r?$/m.test(text) && !/^[ \t]*(?:# )?- /m.test(text);

/** Tells whether the plan has only lines that were drafted as comments. */
const isAllComments = (text: string): boolean =>
  /^changes:[ \t]*\r?$/m.test(text) && /^[ \t]*# - id: /m.test(text) && !/^[ \t]*- /m.test(text);

const allComments =
  'Every line of the plan is a comment, and the sentence above it says why. Remove the # before the lines that you want, fill in their values that are marked # TODO, then run `pilotfish init` again.';
const ofTemplate = 'This repository is a template: run `pilotfish init` in a repository that is made from it.';

/** Says what is missing and what to do. An empty plan is never ready. */
function whyEmpty({ found, engines, unsupported, library, template }: NextFacts['detected']): string {
  if (template !== null) return ofTemplate;
  if (library !== null) return 'This is a published package and nothing here is deployed, so it has no previews that need a plan.';
  const [missing] = found.flatMap(({ lines }) => lines.filter(({ state }) => state === 'new').map(({ id }) => id));
  if (missing !== undefined) return `The plan has no line. \`pilotfish init --add ${missing}\` adds one.`;
  const isNothing = found.length + engines.length + unsupported.length === 0;
  const what = isNothing ? 'a service that pilotfish knows' : 'a service of which a preview can have its own';
  return `The plan has no line: no package, variable, address or configuration file names ${what}. Write a line under \`changes\` (docs/plan.md), or run \`pilotfish init\` again once the repository names the service.`;
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;

/** The environment of pull requests; `null` if the plan has only production. */
export const previewEnvironment = (environments: readonly string[]): string | null =>
  environments.includes('preview') ? 'preview' : (environments.find((name) => !isProduction(name)) ?? null);

/** The first plan that a person runs. */
export interface PlanCommand {
  readonly command: string;
  /** The same command before the first pull request. */
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
