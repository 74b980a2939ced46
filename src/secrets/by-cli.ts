import { isMap } from '../core/json.ts';
import { commandSource, jsonOf, notAnswerOf, textOf } from './by-command.ts';

/** `doppler://<project>/<config>/<NAME>`: a secret of a Doppler config, with its references resolved, by the Doppler CLI. */
export const dopplerSource = commandSource<Question>({
  scheme: 'doppler',
  addressEnv: ['DOPPLER_API_HOST'],
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
      wrong: `${name} is restricted, so nobody can read its value.`,
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

/** `bws://<uuid>`: a secret of Bitwarden Secrets Manager, by its CLI. Without `--color no` the CLI prints the JSON through a pretty printer. */
export const bwsSource = commandSource<{ readonly id: string }>({
  scheme: 'bws',
  addressEnv: ['BWS_SERVER_URL'],
  form: 'bws://<uuid>',
  question: ([id = '', ...rest], key) =>
    rest.length === 0 && key === null && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
      ? { id }
      : 'it does not hold the UUID of a secret.',
  argv: ({ id }) => ['bws', 'secret', 'get', id, '--output', 'json', '--color', 'no'],
  read: (stdout, { id }) => {
    const answer = jsonOf(stdout);
    if (!isMap(answer) || typeof answer.id !== 'string' || answer.id.toLowerCase() !== id.toLowerCase()) return notAnswerOf('bws');
    return textOf(answer.value, 'its value');
  },
  needs: 'BWS_ACCESS_TOKEN',
  fix: 'Set BWS_ACCESS_TOKEN to the token of a machine account that may read this secret.',
});

/**
 * `op://<vault>/<item>[/<section>]/<field>`: a field of a 1Password item, by its CLI, which takes the reference as it is.
 * https://developer.1password.com/docs/cli/secret-reference-syntax
 */
export const opSource = commandSource<{ readonly reference: string }>({
  scheme: 'op',
  addressEnv: ['OP_CONNECT_HOST'],
  form: 'op://<vault>/<item>[/<section>]/<field>',
  question: (segments, key) => {
    if (segments.length < 3 || segments.length > 4 || key !== null) return 'it does not name a vault, an item and a field.';
    // The CLI has no escapes: with another character it would read another reference.
    if (!segments.every((segment) => /^[\p{L}\p{N}_. -]+$/u.test(segment))) {
      return 'the CLI knows only letters, digits, spaces, `-`, `_` and `.` in a reference. Use the unique id in place of a name with another character.';
    }
    return { reference: `op://${segments.join('/')}` };
  },
  argv: ({ reference }) => ['op', 'read', '--no-newline', reference],
  read: (stdout) => ({ value: stdout }),
  fix: 'Set OP_SERVICE_ACCOUNT_TOKEN, or run `op signin`, and check the vault, the item and the field.',
});
