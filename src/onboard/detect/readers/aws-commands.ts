import type { Started } from './shell.ts';

/**
 * Commands of AWS's program that reach a service of the app. Others deploy, sign in, or look at what runs: `s3 sync` fills a bucket that is
 * a site, and `ssm send-command` starts a program on a machine.
 */
const reaches: { readonly [service: string]: RegExp } = {
  cloudfront: /^create-invalidation/,
  ssm: /^(?:get|put)-parameter/,
  secretsmanager: /^(?:get|put|batch-get)-secret-value/,
  sqs: /^(?:send|receive|purge)/,
  sns: /^publish/,
  ses: /^send/,
  sesv2: /^send/,
  kms: /^(?:en|de)crypt/,
  dynamodb: /^(?:get|put|update|delete|batch|query|scan)/,
  'cognito-idp': /^admin-/,
  events: /^put-events/,
  kinesis: /^put-record/,
  'bedrock-runtime': /^invoke/,
};

/** The module of signals (`aws:ssm`) of a service that words behind `aws` reach; `null` for any other command. */
export function awsService(words: readonly string[]): string | null {
  const at = words.findIndex((word, i) => !word.startsWith('-') && !takesValue.test(words[i - 1] ?? ''));
  const [service = '', verb = ''] = words.slice(at, at + 2);
  return at >= 0 && Object.hasOwn(reaches, service) && reaches[service]?.test(verb) ? `aws:${service}` : null;
}

const takesValue = /^--(?:region|profile|output|query|endpoint-url|cli-\w+(?:-\w+)*)$/;

export const awsServiceOf = ({ program, words }: Started): string | null => (program === 'aws' ? awsService(words) : null);
