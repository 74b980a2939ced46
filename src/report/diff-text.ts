import { canonicalJson } from '../core/canonical.ts';
import type { Json } from '../core/json.ts';
import type { FieldChange, Side } from '../engine/document.ts';
import { leftText } from './line-words.ts';
import { canBeShown, counted, oneLine, showJson, showSide } from './text.ts';
import { cutEnd, isWithin, letters, widthOf } from './width.ts';

/** The difference of one field, in a form that people can compare. */
export interface FieldDiff {
  /** `+` means new, `-` removed, `~` changed, `=` left as it stands. */
  readonly sign: '+' | '-' | '~' | '=';
  /** The text beside the field's name. */
  readonly text: string;
  /** The text below it: elements, keys or lines that differ, each with a sign. */
  readonly below: readonly string[];
}

/** The columns that are free beside the name of a field, and below it. */
export interface Room {
  readonly beside: number;
  readonly below: number;
}

/** The room without a window. */
export const usualRoom = 160;
const usual: Room = { beside: usualRoom, below: usualRoom };

/** Shows a field change and keeps its difference. Text that is equal on both sides gives way first: it is counted, or becomes `…`. */
export function fieldDiff(change: FieldChange, room: Room = usual): FieldDiff {
  const { before, after } = change;
  if (change.left) return { sign: '=', text: leftText(change, (side) => short(side, Math.floor(room.beside / 2) - 10)), below: [] };
  if (before.state === 'absent') return one('+', after, room);
  if (after.state === 'absent') return one('-', before, room);
  if (canBeShown(before) && canBeShown(after)) {
    const { text, below } = difference(before.value, after.value, room);
    return { sign: '~', text, below };
  }
  const [was, is] = [short(before, room.beside), short(after, room.beside)];
  return { sign: '~', text: was === is ? `${is}, changed` : `${was} -> ${is}`, below: [] };
}

const short = (side: Side, room: number): string => (canBeShown(side) ? showJson(side.value, Math.min(usualRoom, room)) : showSide(side));

/** Shows a value that has no other side. A value that does not fit beside its name is listed by its elements. */
function one(sign: '+' | '-', side: Side, { beside, below: room }: Room): FieldDiff {
  const value = canBeShown(side) ? side.value : undefined;
  const text = short(side, beside);
  if (typeof value === 'string' && value.includes('\n')) {
    const lines = value.split('\n');
    return {
      sign,
      text: `${counted(lines.length, 'line')}:`,
      below: capped(lines.map((line) => `${sign} ${cutEnd(oneLine(line), room)}`)),
    };
  }
  if (typeof value !== 'object' || value === null || isWithin(oneLine(JSON.stringify(value)), beside)) return { sign, text, below: [] };
  const parts = Array.isArray(value)
    ? value.map((item) => showJson(item, room))
    : Object.entries(value).map(([key, item]) => `${oneLine(key)}: ${showJson(item, room)}`);
  const noun = Array.isArray(value) ? counted(parts.length, 'element') : counted(parts.length, 'key');
  return { sign, text: `${noun}:`, below: capped(parts.map((part) => `${sign} ${part}`)) };
}

interface Difference {
  readonly text: string;
  readonly below: readonly string[];
}

function difference(before: Json | undefined, after: Json | undefined, room: Room): Difference {
  if (typeof before === 'string' && typeof after === 'string' && (before.includes('\n') || after.includes('\n'))) {
    const { text, below } = diffLines(before.split('\n'), after.split('\n'));
    return { text, below: capped(below.map((line) => cutEnd(oneLine(line), room.below))) };
  }
  const [was, is] = [oneLine(JSON.stringify(before) ?? 'absent'), oneLine(JSON.stringify(after) ?? 'absent')];
  if (was === is) return { text: `${showJson(after)}, changed`, below: [] };
  if (isList(before) && isList(after)) return elements(before, after, room.below);
  if (isObject(before) && isObject(after)) return keys(before, after, room.below);
  const both = `${was} -> ${is}`;
  if (isWithin(both, room.beside)) return { text: both, below: [] };
  return apart(was, is, room);
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Letters of shared text to show before and after the difference. The first number that fits is used. */
const contexts = [48, 24, 12];

/** Compares two long texts. Their shared beginning and end are left out. If they still do not fit, they stand below each other. */
function apart(was: string, is: string, { beside, below }: Room): Difference {
  const [a, b] = [letters(was), letters(is)];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const around = (context: number): [string, string] => {
    const from = start > context + 1 ? start - context : 0;
    const until = end > context + 1 ? end - context : 0;
    const part = (all: readonly string[]): string =>
      `${from > 0 ? '…' : ''}${all.slice(from, all.length - until).join('')}${until > 0 ? '…' : ''}`;
    return [part(a), part(b)];
  };
  const parts = contexts.map(around);
  const inOne = parts.map(([left, right]) => `${left} -> ${right}`).find((text) => isWithin(text, beside));
  if (inOne !== undefined) return { text: inOne, below: [] };
  const [left, right] = parts.find((pair) => pair.every((part) => isWithin(part, below - 2))) ?? parts.at(-1) ?? [was, is];
  return { text: '', below: [`- ${sized(left, a.length, below - 2)}`, `+ ${sized(right, b.length, below - 2)}`] };
}

function sized(text: string, length: number, room: number): string {
  if (isWithin(text, room)) return text;
  const size = ` (${length} characters)`;
  return size.length < room / 2 ? `${cutEnd(text, room - size.length)}${size}` : cutEnd(text, room);
}

/** Compares lists as sets, because their order seldom means anything at a provider. */
function elements(before: readonly Json[], after: readonly Json[], room: number): Difference {
  const gone = without(before, after);
  const fresh = without(after, before);
  const same = after.length - fresh.length;
  if (gone.length + fresh.length === 0) return { text: `the same ${counted(same, 'element')} in another order`, below: [] };
  const below = [...gone.map((item) => `- ${showJson(item, room)}`), ...fresh.map((item) => `+ ${showJson(item, room)}`)];
  return { text: numbers(fresh.length, gone.length, 0, same), below: capped(below) };
}

/** The elements of `all` that `others` holds less often. */
function without(all: readonly Json[], others: readonly Json[]): Json[] {
  const left = new Map<string, number>();
  for (const item of others) left.set(canonicalJson(item), (left.get(canonicalJson(item)) ?? 0) + 1);
  return all.filter((item) => {
    const count = left.get(canonicalJson(item)) ?? 0;
    left.set(canonicalJson(item), count - 1);
    return count <= 0;
  });
}

/** Compares a map by its keys, and a nested map by the path. */
function keys(before: { readonly [name: string]: Json }, after: { readonly [name: string]: Json }, room: number): Difference {
  const [old, young] = [flat(before), flat(after)];
  const gone = [...old.keys()].filter((key) => !young.has(key));
  const fresh = [...young.keys()].filter((key) => !old.has(key));
  const moved = [...young.keys()].filter((key) => old.has(key) && canonicalJson(old.get(key)) !== canonicalJson(young.get(key)));
  const changes = moved.flatMap((key) => {
    const { text, below } = difference(old.get(key), young.get(key), { beside: room - widthOf(key) - 4, below: room - 4 });
    return [`~ ${oneLine(key)}: ${text}`.trimEnd(), ...below.map((line) => `    ${line}`)];
  });
  const below = [
    ...gone.map((key) => `- ${oneLine(key)}: ${showJson(old.get(key), room)}`),
    ...fresh.map((key) => `+ ${oneLine(key)}: ${showJson(young.get(key), room)}`),
    ...changes,
  ];
  return { text: numbers(fresh.length, gone.length, moved.length, young.size - fresh.length - moved.length), below: capped(below) };
}

function flat(map: { readonly [name: string]: Json }, path = ''): Map<string, Json> {
  const all = new Map<string, Json>();
  for (const [key, value] of Object.entries(map)) {
    if (!isObject(value) || Object.keys(value).length === 0) all.set(path + key, value);
    else for (const [inner, item] of flat(value, `${path}${key}.`)) all.set(inner, item);
  }
  return all;
}

const numbers = (fresh: number, gone: number, moved: number, same: number): string =>
  [
    ...(fresh > 0 ? [`${fresh} added`] : []),
    ...(gone > 0 ? [`${gone} removed`] : []),
    ...(moved > 0 ? [`${moved} changed`] : []),
    ...(same > 0 ? [`${same} the same`] : []),
  ].join(', ');

/** The most rows below a field. `--json` holds all of them. */
const most = 20;

const capped = (lines: readonly string[]): readonly string[] =>
  lines.length <= most + 1 ? lines : [...lines.slice(0, most), `… ${lines.length - most} more`];

/** Shows the lines that differ in two texts of several lines, and their place. Lines that both begin or end with are only counted. */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
): { readonly text: string; readonly below: readonly string[] } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const gone = before.slice(start, before.length - end);
  const fresh = after.slice(start, after.length - end);
  if (gone.length + fresh.length === 0) return { text: `the same ${counted(after.length, 'line')}`, below: [] };
  const last = before.length - end;
  const which = gone.length === 0 ? `after line ${start}` : last === start + 1 ? `line ${last}` : `lines ${start + 1} to ${last}`;
  return {
    text: `${which} of ${before.length}:`,
    below: [...gone.map((line) => `- ${line}`), ...fresh.map((line) => `+ ${line}`)],
  };
}
