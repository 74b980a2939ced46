import { error as annotate, notice, setOutput, summary, warning } from '@actions/core';
import { type Cause, causesOf } from '../report/causes.ts';
import { type MarkdownOptions, markdownOf } from '../report/markdown/markdown.ts';
import { oneLine } from '../report/text.ts';
import { waitingText } from '../report/waiting.ts';
import type { Log } from './log.ts';
import type { RunDocument } from './powerless.ts';

/** The ending of one run of the action. */
export interface Ending {
  readonly exit: number;
  /** The status of the run; `planned` for a plan, `skipped` without a run. */
  readonly status: string;
  readonly document: RunDocument | null;
  /** The reason why nothing was done, for people. */
  readonly why: string | null;
  /** Whether somebody will look for the reason. The summary then shows it too, and it holds no text of others. */
  readonly isExplained: boolean;
  /** Facts for the summary that the document does not hold. */
  readonly about: Omit<MarkdownOptions, 'longest'>;
}

/** The outputs of a job may have this length together. One step could write more. */
const longestResult = 1_000_000;
/** Bytes. The host shows no summary of more than 1 MiB. */
const longestSummary = 1_000_000;
/** The host shows ten of each kind. */
const mostAnnotations = 10;

/** Writes outputs, annotations and the summary of the job. A failure to write one gives a warning and changes nothing else. */
export async function reportEndings(log: Log, endings: readonly Ending[]): Promise<void> {
  const told = endings.find(({ exit }) => exit !== 0) ?? endings.at(-1);
  if (!told) return;
  setOutputs(log, told);
  for (const { why, document } of endings) {
    if (why !== null) log.command(() => notice(oneLine(why), { title: 'pilotfish' }));
    else if (document && !document.ok) for (const cause of causesOf(document).slice(0, mostAnnotations)) annotateError(log, cause);
  }
  const longest = Math.floor(longestSummary / endings.length);
  const pages = endings.map((ending) => summaryText(ending, longest)).filter((page) => page !== '');
  if (pages.length === 0) return;
  summary.addRaw(`${pages.join('\n\n')}\n`);
  try {
    await summary.write();
  } catch (thrown) {
    log.command(() => warning(`pilotfish could not write the summary: ${thrown instanceof Error ? thrown.message : String(thrown)}`));
  }
}

/** Names the inputs of the workflow that this run does not use. */
export function tellLeftOut(log: Log, inputs: readonly string[]): void {
  if (inputs.length === 0) return;
  const names = inputs.map((name) => `\`${name}\``).join(', ');
  const text = `pilotfish removes everything that it made for the pull request. These inputs are only for an apply and were not used: ${names}.`;
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
    else warning(`The document has ${result.length} characters, too many for the output \`result\`. Use \`trace\` for the whole document.`);
  });
}

function annotateError(log: Log, { error: { code, detail, fix, place }, waiting }: Cause): void {
  const [, file, line, column] = /^(.*):(\d+):(\d+)$/.exec(place ?? '') ?? [];
  const at = file && line && column ? { file, startLine: Number(line), startColumn: Number(column) } : {};
  const waits = waitingText(waiting);
  const said = [detail, ...(waits === '' ? [] : [waits]), fix].filter(Boolean).join(' ');
  log.command(() => annotate(oneLine(said), { title: `pilotfish: ${code}`, ...at }));
}
