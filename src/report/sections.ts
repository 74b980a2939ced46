import { door } from '../core/door.ts';
import type { HostDoc } from '../engine/document.ts';
import type { Styles } from './styles.ts';
import { columns, counted, oneLine } from './text.ts';

/** The commands that a report proposes, with the flags for the same environment and scope. */
export interface NextCommands {
  readonly apply: string;
  /** The apply that also removes orphans. */
  readonly prune: string;
  /** The report is of a destroy. */
  readonly isDestroy: boolean;
  /** The person is asked next, so the report proposes no command. */
  readonly isAsked?: boolean;
}

/** Joins parts of a report with an empty line between them, and leaves out empty parts. */
export const joinParts = (parts: readonly (readonly string[])[]): string =>
  `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n')}\n`;

export const indent = (lines: readonly string[], by: number): string[] =>
  lines.map((line) => (line === '' ? '' : `${' '.repeat(by)}${line}`));

/** The lines that a narrowed destroy leaves alone, and whether it takes only orphans. */
export interface Staying {
  readonly stays?: readonly string[];
  readonly orphansOnly?: true;
}

/** Says which lines a narrowed destroy leaves alone. `shown` has their names as they may be shown, `all` counts them. */
export function staysText(shown: readonly string[], all: number, orphansOnly = false): string {
  const it = all === 1 ? 'it' : 'them';
  const why = orphansOnly
    ? `, because the plan has ${it}, may have ${it}, or something that stays uses ${it}`
    : `, because ${door.named('only')} leaves ${it} out`;
  const more = all > shown.length ? ` and ${all - shown.length} more` : '';
  return `${counted(all, 'line')} ${all === 1 ? 'stays' : 'stay'}${why}: ${shown.join(', ')}${more}.`;
}

export const staysLines = ({ stays = [], orphansOnly }: Staying): string[] =>
  stays.length === 0 ? [] : [staysText(stays.slice(0, mostStays).map(oneLine), stays.length, orphansOnly)];

const mostStays = 20;

/** The hosts that are not the provider's own, each with its first lines. No host is left out: a person looks for the wrong one. */
export function hostLines(hosts: readonly HostDoc[] = [], styles: Styles): string[] {
  if (hosts.length === 0) return [];
  const rows = columns(hosts.map(({ origin, lines }) => [oneLine(origin), namesText(lines.map(oneLine))]));
  return [styles.paint('warn', hostsText), ...indent(rows, 2)];
}

export const hostsText = "Hosts that are not the provider's own:";

export const namesText = (names: readonly string[]): string =>
  names.length > mostNames ? `${names.slice(0, mostNames).join(', ')} and ${names.length - mostNames} more` : names.join(', ');

const mostNames = 5;

export const warningLines = (warnings: readonly string[], styles: Styles): string[] =>
  warnings.map((warning) => `${styles.paint('warn', 'Warning:')} ${oneLine(warning)}`);

/** Names the command that writes back what others changed and lines leave. */
export const leftLines = (command: string | undefined): string[] =>
  command === undefined ? [] : [`What others changed is left so. To write it back: ${oneLine(command)}`];
