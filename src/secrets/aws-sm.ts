import { isMap } from '../core/json.ts';
import { commandSource, jsonOf, kindOf, notAnswerOf, type Reading } from './by-command.ts';

/**
 * `aws-sm://<name or ARN>[#<key>]`: a secret of AWS Secrets Manager, by the AWS CLI. The console makes secrets that are JSON maps of
 * keys, so a reference to a map without a key counts as a slip. A `#` with nothing behind it asks for the whole text.
 * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 */
export const awsSecretsManagerSource = commandSource<Question>({
  scheme: 'aws-sm',
  addressEnv: ['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_SECRETS_MANAGER'],
  form: 'aws-sm://<name or ARN>[#<key>]',
  question: (segments, key) => {
    // A slash is a part of the name.
    const id = segments.join('/');
    const arn = /^arn:aws[a-z-]*:secretsmanager:([a-z0-9-]+):\d{12}:secret:[A-Za-z0-9/_+=.@-]{1,519}$/.exec(id);
    if (!arn && !/^[A-Za-z0-9/_+=.@-]{1,512}$/.test(id)) {
      return 'the name of a secret has 1 to 512 letters, digits and `/_+=.@-`; an ARN begins with `arn:aws:secretsmanager:`.';
    }
    return { id, region: arn?.[1] ?? null, key };
  },
  // The CLI asks the configured region even for an ARN of another region.
  argv: ({ id, region }) => [
    'aws',
    'secretsmanager',
    'get-secret-value',
    '--secret-id',
    id,
    ...(region === null ? [] : ['--region', region]),
    '--output',
    'json',
  ],
  read: (stdout, { key }) => {
    const answer = jsonOf(stdout);
    if (!isMap(answer)) return notAnswerOf('aws');
    const { SecretString: text, SecretBinary: binary } = answer;
    if (typeof text === 'string') return keyOf(text, key);
    if (binary === undefined) return notAnswerOf('aws');
    return { wrong: 'the secret is binary, not text.', fix: 'Store the secret as text, for example as base64.' };
  },
  fix: 'Sign in (`aws sso login`, or the variables of the AWS credentials), set AWS_REGION, and check the name and the permissions of this identity.',
});

interface Question {
  readonly id: string;
  readonly region: string | null;
  readonly key: string | null;
}

function keyOf(text: string, key: string | null): Reading {
  if (key === '') return { value: text };
  const json = jsonOf(text);
  if (key === null) {
    if (!isMap(json) && !Array.isArray(json)) return { value: text };
    return {
      wrong: `its value is ${kindOf(json)}${isMap(json) ? ` with ${namesOf(json)}` : ''}, but the reference must give one text.`,
      fix: 'Add `#<key>` to take one of its values, or `#` alone to take the whole text.',
    };
  }
  if (!isMap(json)) return { wrong: `it has no keys: its value is ${kindOf(json ?? text)}.`, fix: 'Leave out `#<key>`.' };
  const value = Object.hasOwn(json, key) ? json[key] : undefined;
  if (value === undefined)
    return { wrong: `it has no key ${JSON.stringify(key)}. It is a JSON map with ${namesOf(json)}.`, fix: 'Correct the part after `#`.' };
  if (typeof value === 'string') return { value };
  if (typeof value === 'number' || typeof value === 'boolean') return { value: String(value) };
  return { wrong: `the value under ${JSON.stringify(key)} is ${kindOf(value)}, not text.`, fix: 'Name a key whose value is text.' };
}

function namesOf(map: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(map).map((name) => JSON.stringify(name));
  if (names.length === 0) return 'no keys';
  return `the keys ${names.slice(0, 20).join(', ')}${names.length > 20 ? ' and more' : ''}`;
}
