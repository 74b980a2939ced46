import { Failure } from '../core/errors.ts';
import { isMap } from '../core/json.ts';
import type { CommandResult } from '../platform/command.ts';
import { partsOf, unresolved } from './reference.ts';
import type { SecretAccess, SecretSource } from './source.ts';

/** A source whose secrets a program prints. A question is never a text, because a text tells the mistake in a reference. */
export interface CommandSource<Q extends object> {
  readonly scheme: string;
  /** As in `SecretSource`. */
  readonly addressEnv?: readonly string[];
  /** How a reference is written, for messages. */
  readonly form: string;
  /** The question that a reference asks, or the mistake in the reference as a sentence. */
  question(segments: readonly string[], key: string | null): Q | string;
  /** The program and its arguments. No part of a reference begins with `-`, so no program takes one for a flag. */
  argv(question: Q): readonly [string, ...string[]];
  /** The secret in the program's output. */
  read(stdout: string, question: Q): Reading;
  /** One thing to do when the program refuses. */
  readonly fix: string;
  /** A variable without which the program cannot answer. */
  readonly needs?: string;
}

/** `wrong` continues the sentence "was not read: …" and never holds a value. */
export type Reading = { readonly value: string } | { readonly wrong: string; readonly fix?: string };

/** Runs the program once a reference, without a shell. Every failure is `SECRET_UNRESOLVED`. */
export function commandSource<Q extends object>(source: CommandSource<Q>): SecretSource {
  const questionOf = (reference: string, env: NodeJS.ProcessEnv): { readonly question: Q } | Failure => {
    const parts = partsOf(reference);
    const asked =
      parts === null || parts.query !== null
        ? 'it holds a plain `%` or `?`. Write `%25` for `%` and `%3F` for `?`.'
        : parts.segments.includes('')
          ? 'a part of it is empty.'
          : source.question(parts.segments, parts.key);
    if (typeof asked === 'string') {
      return new Failure('SECRET_UNRESOLVED', {
        detail: `The reference ${reference} cannot be read: ${asked}`,
        fix: `Write \`${source.form}\`, with \`%2F\` for a slash inside of a part.`,
      });
    }
    if (source.needs !== undefined && (env[source.needs] ?? '').trim() === '') {
      return unresolved(reference, `${source.needs} is not set.`, source.fix);
    }
    return { question: asked };
  };

  return {
    scheme: source.scheme,
    ...(source.addressEnv && { addressEnv: source.addressEnv }),
    check: (reference, env) => {
      const asked = questionOf(reference, env);
      return asked instanceof Failure ? asked : null;
    },
    command: (reference, env) => {
      const asked = questionOf(reference, env);
      return asked instanceof Failure ? null : source.argv(asked.question);
    },
    resolve: async (reference, access) => {
      const asked = questionOf(reference, access.env);
      if (asked instanceof Failure) throw asked;
      const { question } = asked;
      const reading = source.read(await printed(reference, source.argv(question), source.fix, access), question);
      if ('value' in reading) return reading.value;
      throw unresolved(reference, reading.wrong, reading.fix);
    },
  };
}

async function printed(reference: string, argv: readonly [string, ...string[]], fix: string, access: SecretAccess): Promise<string> {
  const result: CommandResult = await access.run(argv);
  const [program] = argv;
  if ('failed' in result) throw unresolved(reference, result.detail, result.fix);
  if (result.code === 0) return result.stdout;
  const said = result.said === '' ? '.' : ` and said: ${result.said}`;
  throw unresolved(reference, `${program} ended with exit code ${result.code}${said}`, fix);
}

/** The JSON that a program printed, or `null`. */
export function jsonOf(stdout: string): unknown {
  try {
    return JSON.parse(stdout.trim());
  } catch {
    return null;
  }
}

/** A text of a program's answer. Of any other value the message names only the kind. */
export function textOf(value: unknown, what: string): Reading {
  if (typeof value === 'string') return { value };
  return { wrong: `${what} is ${kindOf(value)}, not text.` };
}

export function kindOf(value: unknown): string {
  if (value === undefined) return 'not there';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (isMap(value)) return 'a JSON map';
  return typeof value === 'number' ? 'a number' : typeof value === 'boolean' ? 'true or false' : 'text';
}

/** The output is no answer of this program. */
export const notAnswerOf = (program: string): Reading => ({
  wrong: `the output of ${program} is not the expected JSON.`,
  fix: `Run ${program} by hand, and check its version.`,
});
