import { isMap } from '../core/json.ts';
import { commandSource, jsonOf, notAnswerOf, textOf } from './by-command.ts';

/**
 * `infisical://<project>/<env>/<folder…>/<NAME>`: a secret of an Infisical project, by its CLI. For a name that does not exist the CLI
 * answers with exit code 0 and the value `*not found*` (secrets.go, seen 2026-11-21), so that text is never a value.
 */
export const infisicalSource = commandSource<Question>({
  scheme: 'infisical',
  addressEnv: ['INFISICAL_API_URL', 'INFISICAL_DOMAIN'],
  form: 'infisical://<project>/<env>/<folder…>/<NAME>',
  question: (segments, key) => {
    const [project, env, ...rest] = segments;
    const name = rest.at(-1);
    if (project === undefined || env === undefined || name === undefined || key !== null) {
      return 'it must name a project, an environment and a secret.';
    }
    const folders = rest.slice(0, -1);
    if (folders.some((folder) => folder.includes('/'))) return 'a folder cannot hold a slash.';
    return { project, env, name, path: `/${folders.join('/')}` };
  },
  argv: ({ project, env, name, path }) => [
    'infisical',
    'secrets',
    'get',
    name,
    '--projectId',
    project,
    '--env',
    env,
    '--path',
    path,
    '--output',
    'json',
  ],
  read: (stdout, { name, env, path }) => {
    const answer = jsonOf(stdout);
    const found = Array.isArray(answer) ? answer.find((one: unknown) => isMap(one) && one.secretKey === name) : undefined;
    if (!isMap(found)) return notAnswerOf('infisical');
    if (found.secretValue !== '*not found*') return textOf(found.secretValue, `the value of ${name}`);
    return {
      wrong: `infisical finds no ${name} in the folder ${path} of ${env}. (The CLI answers the same for a secret whose value is the text *not found*.)`,
      fix: 'Correct the folder or the name, or add the secret there.',
    };
  },
  fix: 'Set INFISICAL_TOKEN, or run `infisical login`, and check the project, the environment and the permissions of the token.',
});

interface Question {
  readonly project: string;
  readonly env: string;
  readonly path: string;
  readonly name: string;
}
