import type { Asked, Fact, FactReader } from '../facts.ts';
import { type CommentStyle, linesOf, matchesOf, useOfCode, withoutComments } from './source.ts';

/** How a language names the service that a client is for. */
interface Form {
  readonly endings: readonly string[];
  readonly comments: CommentStyle;
  /** Most code has nothing of AWS, and one search tells. */
  readonly mark: RegExp;
  readonly clients: readonly RegExp[];
}

const forms: readonly Form[] = [
  {
    endings: ['py'],
    comments: 'hash',
    mark: /boto(?:3|core)/,
    // `from boto3 import client` takes the function alone.
    clients: [/(?<!\w)(?:client|resource|create_client)\(\s*(?:service_name\s*=\s*)?["']([a-z][a-z\d-]{1,40})["']/g],
  },
  {
    endings: ['js', 'ts', 'mjs', 'cjs', 'mts', 'cts', 'jsx', 'tsx'],
    comments: 'slashes',
    mark: /["']aws-sdk(?:\/|["'])/,
    clients: [/\bnew\s+(?:AWS|aws)\.([A-Z]\w{1,40})/g, /["']aws-sdk\/clients\/([a-z\d]{2,40})["']/g],
  },
  { endings: ['rb'], comments: 'hash', mark: /\bAws::/, clients: [/\bAws::([A-Z]\w{1,40})::[A-Z]/g] },
  {
    endings: ['go'],
    comments: 'slashes',
    mark: /aws\/aws-sdk-go\/service/,
    clients: [/"github\.com\/aws\/aws-sdk-go\/service\/([a-z\d]{2,40})[/"]/g],
  },
  { endings: ['php'], comments: 'slashes', mark: /\bAws\\/, clients: [/\bAws\\{1,2}([A-Z]\w{1,40})\\{1,2}\w{1,40}Client\b/g] },
  {
    endings: ['java', 'kt', 'scala', 'groovy'],
    comments: 'slashes',
    mark: /com\.amazonaws\.services|software\.amazon\.awssdk\.services/,
    clients: [/\b(?:com\.amazonaws|software\.amazon\.awssdk)\.services\.([a-z\d]{2,40})\./g],
  },
];

/** Names that one of the SDKs has for a service, by the name that the signals have. */
const spellings: { readonly [name: string]: string } = {
  cloudwatchevents: 'events',
  cloudwatchlogs: 'logs',
  cognitoidentityprovider: 'cognitoidp',
  cognitoidentityserviceprovider: 'cognitoidp',
  dynamodbv2: 'dynamodb',
  eventbridge: 'events',
  sesv2: 'ses',
  sfn: 'stepfunctions',
  simpleemail: 'ses',
  simpleemailv2: 'ses',
  simplesystemsmanagement: 'ssm',
  states: 'stepfunctions',
  transcribeservice: 'transcribe',
};

const formOf = (path: string): Form | undefined => forms.find(({ endings }) => endings.includes(path.slice(path.lastIndexOf('.') + 1)));

/**
 * One SDK reaches every service of AWS, so its package proves none of them. The client that code makes names one, as a module:
 * `boto3.client("sqs")` and `new AWS.SQS()` are `aws:sqs`.
 */
export const awsClients: FactReader = {
  name: 'clients of AWS in code',
  isCode: true,
  endings: forms.flatMap(({ endings }) => endings),
  takes: (path) => formOf(path) !== undefined,
  read: ({ path, text }, asked) => {
    const form = formOf(path);
    if (!form?.mark.test(text)) return {};
    const signals = signalsOf(asked);
    const code = withoutComments(text, form.comments);
    const lineOf = linesOf(code);
    const found = new Map<string, Fact>();
    for (const pattern of form.clients) {
      for (const match of matchesOf(code, pattern)) {
        const name = (match[1] ?? '').toLowerCase().replaceAll('-', '');
        const signal = signals.get(spellings[name] ?? name);
        if (signal !== undefined && !found.has(signal))
          found.set(signal, { kind: 'module', name: signal, file: path, line: lineOf(match.index), use: useOfCode(path) });
      }
    }
    return { facts: [...found.values()] };
  },
};

const known = new WeakMap<Asked, ReadonlyMap<string, string>>();

/** The signals for services of AWS by the name without dashes: `cognitoidp` is `aws:cognito-idp`. */
function signalsOf(asked: Asked): ReadonlyMap<string, string> {
  const signals =
    known.get(asked) ??
    new Map(asked.modules.filter((one) => one.startsWith('aws:')).map((one) => [one.slice('aws:'.length).replaceAll('-', ''), one]));
  known.set(asked, signals);
  return signals;
}
