import { isMap } from '../core/json.ts';
import { commandSource, jsonOf, notAnswerOf, textOf } from './by-command.ts';

/** `doppler://<project>/<config>/<NAME>`: a secret of a Doppler config, with its references resolved, by the Doppler CLI. */
export const dopplerSource = commandSource<Question>({
  scheme: 'doppler',
  form: 'doppler://<project>/<config>/<NAME>',
  question: ([project, config, name, ...rest], key) =>
    project === undefined || config === undefined || name === undefined || rest.length > 0 || key !== null
      ? 'it does not name a project, a config and a secret.'
      : { project, config, name },
  argv: ({ project, config, name }) => ['doppler', 'secrets', 'get', name, '--project', project, '--config', config, '--json'],
  read: (stdout, { name }) => {
    const answer = jsonOf(stdout);
    const found = isMap(answer) && Object.hasOwn(answer, name) ? answer[name] : undefined;
    if (!isMap(found) || !Object.hasOwn(found, 'computed')) return notAnswerOf('doppler');
    if (found.computed !== null) return textOf(found.computed, `the value of ${name}`);
    return {
      wrong: `${name} is restricted, and its value cannot be read.`,
      fix: `Make ${name} a masked secret, or read it from another source.`,
    };
  },
  fix: 'Set DOPPLER_TOKEN, or run `doppler login`, and check the project, the config and the name.',
});

interface Question {
  readonly project: string;
  readonly config: string;
  readonly name: string;
}
