import { error as annotate, notice, setOutput, summary, warning } from '@actions/core';
import type { ErrorData } from '../core/errors.ts';
import { type MarkdownOptions, markdownOf } from '../report/markdown/markdown.ts';
import { oneLine } from '../report/text.ts';
import type { Log } from './log.ts';
import { errorsOf, type RunDocument } from './powerless.ts';

/** How the action ended. */
export interface Ending {
  readonly exit: number;
  /** Of the run; `planned`, or `skipped` where there was none. */
  readonly status: string;
  readonly document: RunDocument | null;
  /** Why nothing was done, for people. */
  readonly why: string | null;
  /** Whether somebody will look for the reason: it stands in the summary, too. It holds no text of others then. */
  readonly isExplained: boolean;
  /** What the summary tells beside the document. */
  readonly about: Omit<MarkdownOptions, 'longest'>;
}

/** A step's output may be longer than a job's, which is this long together. */
const longestResult = 1_000_000;
/** Bytes. A step's summary of more than 1 MiB is not shown at all. */
const longestSummary = 1_000_000;
/** The host shows ten of each kind. */
const mostAnnotations = 10;

/** Outputs, annotations and the summary of the job. What cannot be written is told and changes nothing else. */
export async function reportEndings(log: Log, endings: readonly Ending[]): Promise<void> {
  const told = endings.find(({ exit }) => exit !== 0) ?? endings.at(-1);
  if (!told) return;
  setOutputs(log, told);
  for (const { why, document } of endings) {
    if (why !== null) log.command(() => notice(oneLine(why), { title: 'pilotfish' }));
    else if (document && !document.ok) for (const error of errorsOf(document).slice(0, mostAnnotations)) annotateError(log, error);
  }
  const longest = Math.floor(longestSummary / endings.length);
  const pages = endings.map((ending) => summaryText(ending, longest)).filter((page) => page !== '');
  if (pages.length === 0) return;
  summary.addRaw(`${pages.join('\n\n')}\n`);
  try {
    await summary.write();
  } catch (thrown) {
    log.command(() => warning(`The summary could not be written: ${thrown instanceof Error ? thrown.message : String(thrown)}`));
  }
}

/** Inputs of the workflow that this run has no use for, by their names. */
export function tellLeftOut(log: Log, inputs: readonly string[]): void {
  if (inputs.length === 0) return;
  const names = inputs.map((name) => `\`${name}\``).join(', ');
  const text = `The pull request was closed, and all that pilotfish made for it is removed. Of an apply alone, and not used here: ${names}.`;
  log.command(() => notice(text, { title: 'pilotfish' }));
}

function summaryText({ document, why, isExplained, about }: Ending, longest: number): string {
  if (why !== null) return isExplained ? `### pilotfish\n\n${why}` : '';
  return document ? markdownOf(document, { ...about, longest }) : '';
}

function setOutputs(log: Log, { status, exit, document }: Ending): void {
  const result = document ? JSON.stringify(document) : '';
  log.command(() => {
    setOutput('status', status);
    setOutput('exit-code', exit);
    setOutput('digest', document && 'digest' in document ? document.digest : '');
    setOutput('receipt', document && 'receipt' in document ? (document.receipt.commit ?? '') : '');
    setOutput('outputs', JSON.stringify(document && 'outputs' in document ? document.outputs : {}));
    if (result.length <= longestResult) setOutput('result', result);
    else warning(`The document has ${result.length} characters; an output that long is not kept. Use \`trace\` for the whole.`);
  });
}

function annotateError(log: Log, { code, detail, fix, place }: ErrorData): void {
  const [, file, line, column] = /^(.*):(\d+):(\d+)$/.exec(place ?? '') ?? [];
  const at = file && line && column ? { file, startLine: Number(line), startColumn: Number(column) } : {};
  log.command(() => annotate(oneLine(`${detail}${fix ? ` ${fix}` : ''}`), { title: `pilotfish: ${code}`, ...at }));
}
