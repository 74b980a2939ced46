import { getInput } from '@actions/core';
import { Failure, Failures } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { isBlank } from '../core/plain-text.ts';
import { readScript, type Script } from './script.ts';
import { readWho, type Who } from './who.ts';

/** The inputs of action.yml in a workflow. */
export interface Inputs extends Script {
  /** `null` lets the event decide. */
  readonly command: 'apply' | 'plan' | 'destroy' | null;
  readonly env: string;
  readonly scope: string | null;
  readonly plan: string | null;
  /** `base` takes hosts, credentials and commands from the default branch. */
  readonly planFrom: 'base' | null;
  readonly approvedBy: string | null;
  readonly waitTimeout: string | null;
  readonly token: string | null;
  /** `null`: a run of one pull request writes a comment, and a run of several scopes does not. */
  readonly comment: boolean | null;
  readonly trace: string | null;
  readonly recreate: readonly string[];
  readonly reconcile: boolean;
  readonly 'put-back': boolean;
  readonly prune: boolean;
  readonly only: readonly string[];
  readonly expect: string | null;
  readonly closed: boolean;
  readonly expired: boolean;
  /** Which pull requests get a preview. */
  readonly who: Who;
}

const commands = ['apply', 'plan', 'destroy'] as const;

/** Reads the inputs. Throws one `USAGE` for each wrong input, all together. */
export function readInputs(): Inputs {
  const failures: Failure[] = [];
  const refuse = (detail: string, fix: string): void => void failures.push(new Failure('USAGE', { detail, fix }));
  // The runner gives an empty text for an input that the workflow leaves out. A blank text was given, by an expression without a value.
  const input = (name: string): string => {
    const text = getInput(name);
    if (getInput(name, { trimWhitespace: false }) !== '' && isBlank(text)) {
      refuse(`The input \`${name}\` is blank.`, `Give \`${name}\` a value, or leave it out.`);
      return '';
    }
    return text;
  };
  const text = (name: string): string | null => input(name) || null;
  const list = (name: string): readonly string[] => {
    const given = input(name);
    const names = given.split(/[,\n]/).map((one) => one.trim());
    if (given !== '' && names.every(isBlank)) refuse(`The input \`${name}\` names nothing.`, `Name something, or leave \`${name}\` out.`);
    return [...new Set(names.filter((one) => one !== ''))];
  };
  const choice = (name: string): boolean | null => {
    const given = input(name);
    if (given === '') return null;
    if (/^(true|false)$/i.test(given)) return given.toLowerCase() === 'true';
    refuse(`The input \`${name}\` is "${given}".`, `Write \`${name}: true\` or \`${name}: false\`.`);
    return null;
  };
  const planFrom = (): Inputs['planFrom'] => {
    const given = text('plan-from');
    if (given === null || given === 'base') return given;
    refuse(`The input \`plan-from\` is "${given}".`, 'Write `plan-from: base`, or leave it out.');
    return null;
  };
  const [env, scope, closed] = [text('env') ?? 'preview', text('scope'), choice('closed') ?? false];
  const command = commandOf(text('command'), refuse);
  const inputs: Inputs = {
    command,
    env,
    scope,
    plan: text('plan'),
    planFrom: planFrom(),
    approvedBy: text('approved-by'),
    waitTimeout: text('wait-timeout'),
    token: text('github-token'),
    comment: choice('comment'),
    trace: text('trace'),
    recreate: list('recreate'),
    reconcile: choice('reconcile') ?? false,
    'put-back': choice('put-back') ?? false,
    prune: choice('prune') ?? false,
    only: list('only'),
    expect: text('expect'),
    ...readScript({ text, refuse }, { closed, command }),
    closed,
    expired: choice('expired') ?? false,
    who: readWho({ text, list, choice, refuse }, { env, scope, closed }),
  };
  const [first, ...rest] = failures;
  if (first) throw rest.length === 0 ? first : new Failures([first, ...rest]);
  return inputs;
}

function commandOf(given: string | null, refuse: (detail: string, fix: string) => void): Inputs['command'] {
  const known = commands.find((one) => one === given);
  if (given === null || known) return known ?? null;
  refuse(`The input \`command\` is "${given}".${didYouMean(given, commands)}`, 'Write `apply`, `plan` or `destroy`, or leave it out.');
  return null;
}
