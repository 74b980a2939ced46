import { door } from '../core/door.ts';
import { Failure } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { longestText, type TextName, textFailure } from '../plan/given-text.ts';
import { type Flag, showFlag } from './command-spec.ts';

export type FlagValue = true | string | number | readonly string[];

/**
 * Reads the value of a flag from its texts. Returns a `Failure` for a wrong text, and `null` for a missing flag. It refuses an empty or
 * blank text, because `--scope "$SCOPE"` with an unset variable would otherwise run with another scope.
 */
export function readFlag(flag: Flag, texts: readonly (string | null)[]): FlagValue | Failure | null {
  if (texts.length === 0) return null;
  if (flag.kind === 'switch') return true;
  const given: string[] = [];
  for (const text of texts) {
    if (text === null) return wrong(`${door.named(flag.name)} has no value.`, `Write \`${showFlag(flag)}\`.`);
    if (text === '')
      return wrong(`${door.named(flag.name)} has an empty value.`, `Give it a value, or leave ${door.named(flag.name)} out.`);
    const failure = isTextName(flag.name) ? textFailure(flag.name, text) : null;
    if (failure) return failure;
    given.push(text);
  }
  if (flag.kind === 'list') return given;
  const [text, second] = given;
  if (text === undefined) return null;
  if (second !== undefined) {
    return wrong(`${door.named(flag.name)} occurs ${given.length} times: ${given.join(', ')}.`, `Give ${door.named(flag.name)} once.`);
  }
  if (flag.kind === 'number') return readNumber(flag, text);
  if (flag.kind === 'duration') {
    return (
      readDuration(text) ??
      wrong(
        `${door.named(flag.name)} is "${text}", which is not a time of at most 24 hours.`,
        'Write seconds, or a number with ms, s, m or h: 90, 90s, 10m.',
      )
    );
  }
  if (flag.kind === 'choice' && !flag.choices?.includes(text)) {
    const choices = flag.choices ?? [];
    return wrong(`${door.named(flag.name)} is "${text}".${didYouMean(text, choices)}`, `Use one of ${choices.join(', ')}.`);
  }
  return text;
}

function readNumber(flag: Flag, text: string): number | Failure {
  return /^[1-9]\d{0,14}$/.test(text)
    ? Number(text)
    : wrong(
        `${door.named(flag.name)} is "${text}", which is not a whole number above zero.`,
        `Write the number alone: ${door.passed(flag.name, '12')}.`,
      );
}

const isTextName = (name: string): name is TextName => Object.hasOwn(longestText, name);
const wrong = (detail: string, fix: string): Failure => new Failure('USAGE', { detail, fix });

const units: { readonly [unit: string]: number } = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const longest = 24 * 3_600_000;

/** Reads `90`, `90s`, `10m`, `1h` or `500ms` as milliseconds. Returns `null` for any other text, and for more than a day. */
export function readDuration(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h)?$/.exec(text);
  if (!match) return null;
  const ms = Number(match[1]) * (units[match[2] ?? 's'] ?? 0);
  return ms <= longest ? ms : null;
}
