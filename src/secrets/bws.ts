import { isMap } from '../core/json.ts';
import { commandSource, jsonOf, notAnswerOf, textOf } from './by-command.ts';

/** `bws://<uuid>`: a secret of Bitwarden Secrets Manager, by its CLI. Without `--color no` the JSON comes through a pretty printer. */
export const bwsSource = commandSource<{ readonly id: string }>({
  scheme: 'bws',
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
