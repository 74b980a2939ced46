/**
 * The full parser, for a text that is not plain: its library is half of all that a run loads, so it is brought in only then. What
 * edits plans names `read-yaml.ts` itself and has it from the start.
 */
export { readAnyYaml } from './read-yaml.ts';
