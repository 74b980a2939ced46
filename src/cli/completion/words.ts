import type { CommandSpec, Completes, Flag } from '../command-spec.ts';
import { commandNamed, commands, globalFlags } from '../flags.ts';
import { cellOf, modeOf } from '../modes.ts';
import type { FlagValue } from '../value.ts';

/** One offer of a completion. */
export interface Offer {
  readonly value: string;
  /** A few words about it. */
  readonly about?: string;
}

/** A line asks for words of ours, or for the values of a kind. `lead` comes before each value: `--scope=`. */
export interface Wanted {
  readonly offers: readonly Offer[];
  readonly kind: Completes | null;
  /** The beginning of the value that was typed. */
  readonly typed: string;
  readonly lead: string;
  /** The values that earlier flags of the line have. */
  readonly given: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads a line up to the cursor: `words` are those after `pilotfish`, as they were typed, with their quotes. The last one is at the cursor,
 * and may be empty.
 */
export function wantedOf(words: readonly string[]): Wanted {
  const plain = words.map(unquoted);
  const [before, typed] = [plain.slice(0, -1), plain.at(-1) ?? ''];
  const none = { offers: [], kind: null, typed, lead: '', given: new Map<string, readonly string[]>() };
  const command = commandNamed(before[0] ?? '');
  // After `--` stand the words of another program.
  if (before.includes('--')) return { ...none, kind: command?.program ? 'files' : null };
  if (before.length === 0) {
    const all = typed.startsWith('-') ? globalFlags.map(flagOffer) : commands.map(({ name, doc }) => ({ value: name, about: doc }));
    return { ...none, offers: all };
  }
  if (!command) return none;
  const { given, open, argument } = readBefore(before.slice(1), command);
  const equals = typed.startsWith('--') ? typed.indexOf('=') : -1;
  if (open !== null) return { ...none, given, ...valuesOf(open) };
  if (equals > 0) {
    const flag = command.flags.find(({ name }) => name === typed.slice(2, equals));
    const lead = typed.slice(0, equals + 1);
    return flag && flag.kind !== 'switch' ? { ...none, given, ...valuesOf(flag), typed: typed.slice(equals + 1), lead } : none;
  }
  if (typed.startsWith('-')) return { ...none, given, offers: [...flagsLeft(command, given), ...globalFlags.slice(0, 1)].map(flagOffer) };
  if (command.argument && !argument) return { ...none, given, ...valuesOf(command.argument) };
  return typed === '' ? { ...none, given, offers: flagsLeft(command, given).map(flagOffer) } : none;
}

interface Before {
  readonly given: ReadonlyMap<string, readonly string[]>;
  /** The flag whose value is at the cursor. */
  readonly open: Flag | null;
  /** The line has the argument of its command. */
  readonly argument: boolean;
}

function readBefore(words: readonly string[], command: CommandSpec): Before {
  const given = new Map<string, readonly string[]>();
  let open: Flag | null = null;
  let argument = false;
  for (const word of words) {
    if (open !== null) {
      given.set(open.name, [...(given.get(open.name) ?? []), word]);
      open = null;
      continue;
    }
    const [name = '', value] = word.startsWith('--') ? split(word.slice(2)) : [];
    const flag = command.flags.find((one) => one.name === name);
    if (!flag) argument ||= !word.startsWith('-');
    else if (flag.kind === 'switch' || value !== undefined) given.set(name, [...(given.get(name) ?? []), value ?? '']);
    else open = flag;
  }
  return { given, open, argument };
}

function split(word: string): readonly [string, string?] {
  const equals = word.indexOf('=');
  return equals < 0 ? [word] : [word.slice(0, equals), word.slice(equals + 1)];
}

/** A flag that was given is offered again only where it may be repeated, and one that the mode of the line refuses is not offered. */
function flagsLeft(command: CommandSpec, given: Wanted['given']): readonly Flag[] {
  const mode = modeOf(command.name, new Map<string, FlagValue>([...given].map(([name, values]) => [name, values[0] ?? ''])));
  return command.flags.filter(({ name, kind }) => {
    if (given.has(name) && kind !== 'list') return false;
    return mode === command.name || cellOf(name, mode).is === 'honoured';
  });
}

const valuesOf = ({ choices = [], completes }: Pick<Flag, 'choices' | 'completes'>): Pick<Wanted, 'offers' | 'kind'> => ({
  offers: choices.map((value) => ({ value })),
  kind: completes ?? null,
});

const flagOffer = ({ name, doc }: Flag): Offer => ({ value: `--${name}`, about: doc });

/** A word without the quotes and backslashes of a shell, which need not be complete at the cursor. Nothing in it is run or filled in. */
export function unquoted(word: string): string {
  let text = '';
  let quote = '';
  for (let i = 0; i < word.length; i += 1) {
    const char = word[i] ?? '';
    if (quote === "'" ? char !== "'" : quote === '"' && char !== '"' && char !== '\\') text += char;
    else if (char === quote) quote = '';
    else if (quote === '' && (char === "'" || char === '"')) quote = char;
    else if (char === '\\') {
      i += 1;
      text += word[i] ?? '';
    } else text += char;
  }
  return text;
}
