import type { ObjectDoc, PastRunDoc, ShowDoc, UnfinishedDoc } from '../engine/stands-document.ts';
import { indent, joinParts } from './sections.ts';
import { ageText, lastRunText, leaseText, momentText, pullsText } from './stands-words.ts';
import type { Styles } from './styles.ts';
import { columns, counted, oneLine, showJson, showTime } from './text.ts';
import { cutMiddle, widthOf } from './width.ts';
import { fitted, type Window } from './window.ts';

/** Tells people what one scope has. */
export function showText(document: ShowDoc, styles: Styles, window: Window | null = null): string {
  const parts = [
    head(document, styles),
    objects(document, styles, window),
    section('Announced and not recorded:', document.unfinished.map(unfinishedRow), styles),
    section(
      'Lines that the plan does not name (a renamed line is found by the next apply):',
      (document.gone ?? []).map((line) => [oneLine(line)]),
      styles,
    ),
    section(
      'Left on purpose by a destroy:',
      document.left.map((key) => [oneLine(key)]),
      styles,
    ),
    runs(document, styles),
    document.notes.map((note) => `${styles.paint('warn', 'Note:')} ${oneLine(note)}`),
  ];
  return joinParts(parts.map((part) => part.flatMap((line) => (isAddress(line) ? [line] : fitted([line], window)))));
}

/** A terminal opens an address only as long as no line break cuts it. */
const isAddress = (line: string): boolean => /^ *https:\/\/\S+$/.test(line);

function head(document: ShowDoc, styles: Styles): readonly string[] {
  const { scope, plan, environment, ledger, branch, commit, pulls, notAsked, firstRun, lastRun, at, lease, expires } = document;
  const name = `${oneLine(scope)}${plan === null ? '' : ` of ${oneLine(plan)}`}`;
  const rows = columns([
    ['  Pull request', `${pullsText(pulls)}${notAsked === undefined ? '' : ` (not asked: ${oneLine(notAsked)})`}`],
    ['  Age', firstRun === null ? 'unknown' : `${ageText(firstRun, at)}, since ${momentText(firstRun)}`],
    ['  Last run', lastRunText(lastRun, at)],
    ...(lease ? [['  Lease', leaseText(lease)]] : []),
    ...(expires ? [['  Stays until', momentText(expires)]] : []),
    ['  Ledger', oneLine(ledger)],
    ['  Branch', `${branch} at ${commit.slice(0, 12)}`],
  ]);
  return [styles.paint('strong', `${name} in ${oneLine(environment)}: ${counted(document.objectCount, 'object')}`), ...rows];
}

function objects({ objects: all }: ShowDoc, styles: Styles, window: Window | null): readonly string[] {
  if (all.length === 0) return ['Nothing stands.'];
  const left = columns(all.map((one) => [oneLine(one.line), opOf(one), '']));
  const room = window === null ? longest : Math.max(shortest, window.columns - 4 - Math.max(...left.map(widthOf)));
  const rows = columns(all.map((one) => [oneLine(one.line), opOf(one), cutMiddle(oneLine(one.subject ?? one.key), room)]));
  return [
    styles.paint('quiet', 'Objects:'),
    ...all.flatMap((one, i) => [
      `  ${styles.paint(one.state === 'stands' ? 'strong' : 'warn', rows[i] ?? '')}`,
      ...indent(one.console === undefined ? [] : [oneLine(one.console)], 6),
      ...indent(stateOf(one), 6),
      ...indent(outputs(one), 6),
      ...indent(
        (one.superseded ?? []).map((id) => `replaced, not removed yet: ${oneLine(id)}`),
        6,
      ),
    ]),
  ];
}

const outputs = ({ outputs: shown }: ObjectDoc): readonly string[] =>
  Object.entries(shown).map(([name, value]) => `${oneLine(name)} = ${showJson(value)}`);

const opOf = ({ adapter, op, recipe }: ObjectDoc | UnfinishedDoc): string => oneLine(recipe ?? `${adapter}.${op}`);

/** What a run left half done, and what a destroy does with the object where that is not a delete. */
const stateOf = ({ state, destroy, owned }: ObjectDoc): readonly string[] => {
  const words = [
    ...(state === 'stands' ? [] : [state]),
    ...(owned ? [] : ['adopted']),
    ...(destroy === 'delete' ? [] : [`a destroy does: ${destroy}`]),
  ];
  return words.length === 0 ? [] : [words.join(', ')];
};

const longest = 160;
const shortest = 16;

const unfinishedRow = (one: UnfinishedDoc): readonly string[] => [
  oneLine(one.line),
  opOf(one),
  oneLine(one.subject ?? one.key),
  `run ${oneLine(one.run)}`,
];

function runs({ runs: all, at }: ShowDoc, styles: Styles): readonly string[] {
  if (all.length === 0) return [];
  const rows = columns(
    all.map(({ run, at: ended, outcome, ms, event }) => [
      oneLine(run),
      `${ageText(ended, at)} ago`,
      oneLine(outcome),
      ms === undefined ? '' : showTime(ms),
      oneLine(event ?? ''),
    ]),
  );
  return [styles.paint('quiet', 'Last runs:'), ...all.flatMap((run, i) => [`  ${rows[i] ?? ''}`, ...indent(failures(run), 6)])];
}

const failures = ({ failed = [] }: PastRunDoc): readonly string[] =>
  failed.map(({ id, code, state }) => `${oneLine(id)}: ${oneLine(code ?? state)}`);

const section = (title: string, rows: readonly (readonly string[])[], styles: Styles): readonly string[] =>
  rows.length === 0 ? [] : [styles.paint('quiet', title), ...indent(columns(rows), 2)];
