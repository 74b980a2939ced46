import type { DraftedLine } from './draft.ts';

/** A line that stands in a plan as a comment, as `init` drafts it. */
export interface CommentedLine {
  readonly id: string;
  /** `neon.branch`, `stripe.webhook_endpoint`. */
  readonly op: string;
  /** Its rows from 0: the sentence above it, and the line itself. `end` is the row after it. */
  readonly start: number;
  readonly end: number;
}

const first = /^([ \t]*)# - id: *(["']?)([\w-]+)\2[ \t]*$/;

/** Finds the lines that stand in a plan as comments. One ends at an empty row, or where no comment of its form goes on. */
export function commentedLines(text: string): readonly CommentedLine[] {
  const rows = text.split(/\r?\n/);
  return rows.flatMap((row, i): CommentedLine[] => {
    const [, indent = '', , id] = first.exec(row) ?? [];
    if (id === undefined) return [];
    let end = i + 1;
    const goesOn = (one: string | undefined): boolean => one?.startsWith(`${indent}#   `) === true;
    while (goesOn(rows[end])) end += 1;
    let start = i;
    while (rows[start - 1]?.startsWith(`${indent}# `) === true && !first.test(rows[start - 1] ?? '') && !goesOn(rows[start - 1]))
      start -= 1;
    const said = (key: string): string | undefined =>
      rows.slice(i, end).flatMap((one) => new RegExp(`#   ${key}: *([\\w.-]+)[ \\t]*$`).exec(one)?.[1] ?? [])[0];
    return [{ id, op: said('recipe') ?? `${said('adapter') ?? ''}.${said('op') ?? ''}`, start, end }];
  });
}

/** Tells whether a comment of the plan is the drafted line. */
export const isCommented = (commented: readonly CommentedLine[], { id, provider, op }: DraftedLine): boolean =>
  commented.some((one) => one.id === id && one.op === `${provider.adapter.name}.${op}`);

/** The text without the comment of a line, and without the empty row that it leaves. Row ends are `\n`. */
export function withoutComment(text: string, { start, end }: CommentedLine): string {
  const rows = text.split('\n');
  const gap = rows[end] === '' && (start === 0 || rows[start - 1] === '' || /^[\w-]+:$/.test(rows[start - 1] ?? '')) ? 1 : 0;
  return [...rows.slice(0, start), ...rows.slice(end + gap)].join('\n');
}

/** The text without the comment of a provider's block, and without heads above it that have nothing left below them. */
export function withoutBlockComment(text: string, provider: string): string {
  const rows = text.split('\n');
  const depthOf = (row: string | undefined): number => /^#( +)[\w-]+:/.exec(row ?? '')?.[1]?.length ?? 0;
  const at = rows.findIndex((row) => new RegExp(`^# {3,}${provider}:[ \\t]*$`).test(row));
  if (at < 0) return text;
  let end = at + 1;
  while (depthOf(rows[end]) > depthOf(rows[at])) end += 1;
  let start = at;
  const isHead = (row: string | undefined): boolean => /^# (?:providers| {2}http):$/.test(row ?? '');
  while (isHead(rows[start - 1]) && depthOf(rows[end]) <= depthOf(rows[start - 1])) start -= 1;
  const gap = rows[end] === '' && rows[start - 1] === '' ? 1 : 0;
  return [...rows.slice(0, start), ...rows.slice(end + gap)].join('\n');
}
