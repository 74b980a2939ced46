import type { FactReader, HostEvidence } from '../facts.ts';
import { lineOf } from './host-file.ts';
import { saidBy } from './starts.ts';

/** Calls of a cloud's library that deploy, with the name of its client. */
const calls: readonly (readonly [client: RegExp, call: RegExp, provider: string])[] = [
  [/code-?deploy/i, /\bcreate_?deployment\b|\bCreateDeploymentCommand\b/i, 'aws_ec2'],
  [/["'./-]ecs["']|\bECS/, /\bupdate_?service\b|\bUpdateServiceCommand\b/i, 'aws_ecs'],
  [/lambda/i, /\bupdate_?function_?code\b|\bUpdateFunctionCodeCommand\b/i, 'aws_lambda'],
  [/app-?runner/i, /\bstart_?deployment\b|\bStartDeploymentCommand\b/i, 'aws_app_runner'],
  [/elastic-?beanstalk/i, /\bupdate_?environment\b|\bUpdateEnvironmentCommand\b/i, 'aws_elastic_beanstalk'],
];

const isDeployCode = /(?:^|\/)[\w.-]*(?:deploy|release|publish|ship)[\w-]*\.(?:py|rb|[cm]?[jt]s)$/;

/** Code whose name speaks of a deployment. What it does counts only where CI starts it. */
export const deployCode: FactReader = {
  name: 'deploy-code',
  takes: (path) => isDeployCode.test(path),
  names: (name) => isDeployCode.test(name),
  isCode: true,
  endings: ['py', 'rb', 'js', 'mjs', 'cjs', 'ts', 'mts', 'cts'],
  read: ({ path, text }) => {
    const by = { folder: '', file: path, by: 'script', ids: {} } as const;
    const called = calls.flatMap(([client, call, provider]): readonly HostEvidence[] => {
      const found = client.test(text) ? call.exec(text)?.[0] : undefined;
      return found === undefined ? [] : [{ ...by, provider, line: lineOf(text, found) }];
    });
    const { hosts } = saidBy(commandsIn(text), path);
    return called.length + hosts.length === 0 ? {} : { scripts: [{ file: path, target: null, hosts: [...called, ...hosts], starts: [] }] };
  },
};

/** Texts and lists of texts that may be commands, each on the line on which it stands: `run(["fly", "deploy"])`, `sh("fly deploy")`. */
const commandsIn = (text: string): string =>
  text
    .slice(0, 64 * 1024)
    .split('\n')
    .map((line) => {
      const words = [...line.slice(0, 400).matchAll(/"([^"\n]*)"|'([^'\n]*)'|`([^`\n]*)`/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
      return words.every((word) => /^[\w./=-]+$/.test(word)) ? words.join(' ') : words.filter((word) => /^\w+ \w/.test(word)).join(' ; ');
    })
    .join('\n');
