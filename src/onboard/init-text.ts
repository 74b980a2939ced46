import { relative } from 'node:path';
import type { FoundDoc, InitDoc, TodoDoc } from '../engine/init-document.ts';
import { ledgerKeyVariable } from '../ops/sealing-credentials.ts';
import type { Styles } from '../report/styles.ts';
import { columns, oneLine } from '../report/text.ts';

/** Nobody reads a longer report. The plan repeats each hint beside its value, so the report may leave hints out. */
const mostWords = 250;

/** The report of `init` for people. Paths are relative to the folder in which it ran. */
export function initText(document: InitDoc, cwd: string, styles: Styles): string {
  let text = textOf(document, { cwd, styles, isBrief: false, rows: Number.POSITIVE_INFINITY });
  for (const rows of [Number.POSITIVE_INFINITY, 8, 4, 2, 1]) {
    if (text.split(/\s+/).length <= mostWords) break;
    text = textOf(document, { cwd, styles, isBrief: true, rows });
  }
  return text;
}

interface TextOptions {
  readonly cwd: string;
  readonly styles: Styles;
  /** The report leaves out hints. */
  readonly isBrief: boolean;
  /** The most rows of a section. */
  readonly rows: number;
}

function textOf({ plan, gitignore, detected, credentials, unsealed, next }: InitDoc, { cwd, styles, isBrief, rows }: TextOptions): string {
  const atMost = (all: readonly string[]): readonly string[] =>
    all.length <= rows ? all : [...all.slice(0, rows), `and ${all.length - rows} more, which pilotfish init --json names`];
  const show = (path: string): string => oneLine(relative(cwd, path) || path);
  const said = (text: string): string => (isBrief ? '' : oneLine(text));
  const files = [planText(plan, show(plan.path)), ...(gitignore.changed ? [`${show(gitignore.path)} now ignores .pilotfish/.`] : [])];
  const services = (all: InitDoc['detected']['found']): readonly string[] =>
    columns(all.map((one) => [oneLine(one.title), evidenceText(one.evidence, cwd), linesText(one, isBrief)]));
  const made = detected.made_by_host.map(({ title, evidence, what }) => [oneLine(title), evidenceText(evidence, cwd), said(what)]);
  const engines = detected.engines.map(({ title, evidence, ways }) => [
    oneLine(title),
    evidenceText(evidence, cwd),
    waysText(ways, isBrief),
  ]);
  const unsupported = detected.unsupported.map(({ title, evidence, why, ask }) => [
    oneLine(title),
    evidenceText(evidence, cwd),
    said(`${why} ${ask}`),
  ]);
  const mark = ({ path, hint, file, line }: TodoDoc, others = 0): string[] => [
    line === 0 ? show(file) : `${show(file)}:${line}`,
    ...(path === '' ? [] : [path + more(others)]),
    isBrief && path !== '' ? '' : oneLine(hint),
  ];
  const missing = credentials.map(({ variable, provider, status }) => [variable, status, `for ${provider}`]);
  const [inPlan, inFiles] = [detected.check.filter(({ path }) => path !== ''), detected.check.filter(({ path }) => path === '')];
  const toFill = [...atMost(columns(detected.todo.map((one) => mark(one)))), ...atMost(columns(missing))];
  const asides = [...detected.found, ...detected.engines.flatMap(({ ways }) => ways)].flatMap(({ lines }) =>
    lines.filter(({ state }) => state === 'comment'),
  ).length;
  const added = detected.found.flatMap(({ lines }) => lines.filter(({ state }) => state === 'new').map(({ id }) => id));
  const optional = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : section(title, atMost(lines), styles);
  return [
    ...files,
    ...section('Detected:', detectedRows(detected, { services, atMost, isBrief }), styles),
    ...(added.length === 0 ? [] : [`  Not in the plan yet; pilotfish init --add ${added[0]} adds a line.`]),
    ...optional('Made by your host:', columns(made)),
    ...optional('Databases without a known provider:', columns(engines)),
    ...optional('Not supported yet:', columns(unsupported)),
    ...optional('Not read:', columns(unreadRows(detected, show))),
    ...section(
      'To fill in:',
      toFill.length === 0 && asides > 0 ? [`${asides} ${asides === 1 ? 'line stands' : 'lines stand'} in the plan as comments`] : toFill,
      styles,
    ),
    ...(unsealed.length === 0
      ? []
      : [`  ${ledgerKeyVariable} seals the records of ${unsealed.join(', ')}; pilotfish init --setup makes it.`]),
    ...(detected.check.length === 0
      ? []
      : section(
          'Please check:',
          [...atMost(columns(onceEach(inPlan, mark))), ...atMost(columns(inFiles.map((one) => mark(one))))],
          styles,
        )),
    ...section('Next:', next.command === null ? [next.why] : [next.command, next.why], styles),
    '',
  ].join('\n');
}

const unreadRows = ({ unread }: InitDoc['detected'], show: (path: string) => string): string[][] =>
  [...Map.groupBy(unread, ({ format }) => format)].map(([format, all]) => [
    oneLine(format),
    show(all[0]?.file ?? '') + more(all.length - 1),
  ]);

interface RowOptions {
  readonly services: (all: InitDoc['detected']['found']) => readonly string[];
  readonly atMost: (all: readonly string[]) => readonly string[];
  readonly isBrief: boolean;
}

/** The services, below the deployables that use them where there are several, and what lines cannot reach. */
function detectedRows(detected: InitDoc['detected'], { services, atMost, isBrief }: RowOptions): readonly string[] {
  const { found, deployables, template, library, wired } = detected;
  const kinds = [
    ...(library === null ? [] : ['This is a published package: nothing here is deployed.']),
    ...(template === null ? [] : ['This repository is a template: its services are those of repositories made from it.']),
  ];
  const jobs = [...new Set(wired.flatMap(({ where, variable }) => (where === 'job' ? [variable] : [])))];
  const told = [
    ...(isBrief ? [] : deployables.flatMap(({ why, host }) => (why === null || hasLines(detected, host) ? [] : [oneLine(why)]))),
    ...(jobs.length === 0 ? [] : [oneLine(`CI builds the app, so its job must hand over ${jobs.join(', ')}: see the plan.`)]),
  ];
  if (new Set(deployables.map(({ folder }) => folder)).size < 2)
    return [...kinds, ...(found.length === 0 && kinds.length === 0 ? ['no known service'] : atMost(services(found))), ...atMost(told)];
  const nameOf = (folder: string): string => deployables.find((one) => one.folder === folder)?.name ?? folder;
  const groups = Map.groupBy(found, ({ deployables: folders }) => folders.map(nameOf).sort().join(', '));
  const rows = [...groups].flatMap(([names, all]) => [
    oneLine(names === '' ? 'the repository' : names),
    ...services(all).map((row) => `  ${row}`),
  ]);
  return [...kinds, ...atMost(rows), ...atMost(told)];
}

/** A backend such as Convex is a service with lines of its own. It needs none of a host. */
const hasLines = ({ found }: InitDoc['detected'], host: string | null): boolean =>
  found.some(({ name, lines }) => name === host && lines.length > 0);

function waysText(ways: InitDoc['detected']['engines'][number]['ways'], isBrief: boolean): string {
  const drafted = ways.filter(({ lines }) => lines.length > 0).map(({ title }) => title);
  return isBrief || drafted.length === 0 ? '' : `as comments: ${drafted.join(', ')}`;
}

/** Lines of one kind have the same hint, and it is told once. */
const onceEach = (marks: readonly TodoDoc[], row: (mark: TodoDoc, others: number) => string[]): string[][] =>
  [...Map.groupBy(marks, ({ hint }) => hint).values()].flatMap(([first, ...others]) => (first ? [row(first, others.length)] : []));

const more = (n: number): string => (n > 0 ? ` and ${n} more` : '');

function planText({ written, added }: InitDoc['plan'], path: string): string {
  if (written) return `${path} was written.`;
  return added.length === 0 ? `${path} exists and was not changed.` : `${path} now has ${added.join(', ')}.`;
}

/** Shows the first piece of evidence, and the number of the others. */
function evidenceText(evidence: readonly string[], cwd: string): string {
  const [first = ''] = evidence;
  const [path = '', ...what] = first.split(': ');
  const inside = what.length === 0 ? '' : ` (${oneLine(what.join(': ').replace(/^\w+ /, ''))})`;
  return `${oneLine(relative(cwd, path) || path)}${inside}${more(evidence.length - 1)}`;
}

function linesText({ lines }: FoundDoc, isBrief: boolean): string {
  const words = { line: '', there: '', comment: isBrief ? ' (comment)' : ' (as a comment)', new: ' (new)' } as const;
  return lines.map(({ id, state }) => `${id}${words[state]}`).join(', ');
}

const section = (title: string, lines: readonly string[], styles: Styles): string[] => [
  '',
  styles.paint('strong', title),
  ...(lines.length === 0 ? ['  nothing'] : lines.map((line) => `  ${line}`)),
];
