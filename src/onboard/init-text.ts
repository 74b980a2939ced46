import { relative } from 'node:path';
import type { FoundDoc, InitDoc, TodoDoc } from '../engine/document.ts';
import { ledgerKeyVariable } from '../ops/sealing-credentials.ts';
import type { Styles } from '../report/styles.ts';
import { columns, oneLine } from '../report/text.ts';

/** Nobody reads a longer report. The plan repeats each hint beside its value, so the report may leave hints out. */
const mostWords = 250;

/** The report of `init` for people. Paths are relative to the folder in which it ran. */
export function initText(document: InitDoc, cwd: string, styles: Styles): string {
  let text = textOf(document, { cwd, styles, isBrief: false, rows: Number.POSITIVE_INFINITY });
  for (const rows of [Number.POSITIVE_INFINITY, 8, 4, 2]) {
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
  const files = [planText(plan, show(plan.path)), ...(gitignore.changed ? [`${show(gitignore.path)} now ignores .pilotfish/.`] : [])];
  const found = detected.found.map((one) => [one.title, evidenceText(one.evidence, cwd), linesText(one, isBrief)]);
  const unsupported = detected.unsupported.map(({ title, evidence, why, ask }) => [
    title,
    evidenceText(evidence, cwd),
    isBrief ? '' : oneLine(`${why} ${ask}`),
  ]);
  const mark = ({ path, hint, file, line }: TodoDoc): string[] => [
    line === 0 ? show(file) : `${show(file)}:${line}`,
    ...(path === '' ? [] : [path]),
    isBrief && path !== '' ? '' : oneLine(hint),
  ];
  const missing = credentials.map(({ variable, provider, status }) => [variable, status, `for ${provider}`]);
  const [inPlan, inFiles] = [detected.check.filter(({ path }) => path !== ''), detected.check.filter(({ path }) => path === '')];
  const toFill = [...atMost(columns(detected.todo.map(mark))), ...atMost(columns(missing))];
  const asides = detected.found.flatMap(({ lines }) => lines.filter(({ state }) => state === 'comment')).length;
  const added = detected.found.flatMap(({ lines }) => lines.filter(({ state }) => state === 'new').map(({ id }) => id));
  return [
    ...files,
    ...section(
      'Detected:',
      [
        ...atMost(columns(found)),
        ...(detected.assumed ? ['no known service, so the plan starts from the template for Vercel and Neon'] : []),
      ],
      styles,
    ),
    ...(added.length === 0 ? [] : [`  Not in the plan yet; pilotfish init --add ${added[0]} adds a line.`]),
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
      : section('Please check:', [...atMost(columns(inPlan.map(mark))), ...atMost(columns(inFiles.map(mark)))], styles)),
    ...(unsupported.length === 0 ? [] : section('Not supported yet:', atMost(columns(unsupported)), styles)),
    ...section('Next:', next.command === null ? [next.why] : [next.command, next.why], styles),
    '',
  ].join('\n');
}

function planText({ written, added }: InitDoc['plan'], path: string): string {
  if (written) return `${path} was written.`;
  return added.length === 0 ? `${path} exists and was not changed.` : `${path} now has ${added.join(', ')}.`;
}

/** Shows the first piece of evidence, and the number of the others. */
function evidenceText(evidence: readonly string[], cwd: string): string {
  const [first = ''] = evidence;
  const [path = '', ...what] = first.split(': ');
  const more = evidence.length > 1 ? ` and ${evidence.length - 1} more` : '';
  const inside = what.length === 0 ? '' : ` (${oneLine(what.join(': ').replace(/^\w+ /, ''))})`;
  return `${oneLine(relative(cwd, path) || path)}${inside}${more}`;
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
