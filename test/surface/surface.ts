import { EventEmitter } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { vi } from 'vitest';
import { openLog } from '../../src/action/log.ts';
import type { RunDocument } from '../../src/action/powerless.ts';
import { reportEndings } from '../../src/action/report.ts';
import { main } from '../../src/cli/main.ts';
import { createOutput } from '../../src/cli/output.ts';
import { runApply, runClosed, runPlan } from '../../src/engine/run.ts';
import type { RunWorld } from '../../src/engine/types.ts';
import { markdownOf } from '../../src/report/markdown/markdown.ts';
import type { Stage } from '../support/stage.ts';

/** Everything that people and programs see of one run, in words that no moment changes. */
export interface Surface {
  readonly exit: number;
  readonly document: RunDocument;
  readonly text: string;
  readonly log: string;
  readonly json: string;
  readonly comment: string;
  readonly annotations: string;
  readonly summary: string;
}

class Sink extends Writable {
  text = '';
  readonly isTTY = true;
  readonly columns = 80;
  readonly rows = 100;
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Runs the command line on a stage. The report is as in a terminal of 80 columns, and the progress as in the log of a job. */
export async function surfaceOf(stage: Stage, argv: readonly string[], world: Pick<RunWorld, 'clock'> = {}): Promise<Surface> {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const run: RunWorld = { dispatcher: stage.dispatcher, store: stage.store(), repository: null, ...world };
  const cli = {
    cwd: stage.folder,
    env: { ...stage.request().env, NO_COLOR: '1' },
    stdout,
    stderr,
    signals: new EventEmitter(),
    now: () => 0,
    exit: null,
    loadRunner: () =>
      Promise.resolve({
        runPlan: (request: Parameters<typeof runPlan>[0], more: RunWorld = {}) => runPlan(request, { ...more, ...run }),
        runApply: (request: Parameters<typeof runApply>[0], more: RunWorld = {}) => runApply(request, { ...more, ...run }),
        runClosed,
      }),
  };
  let document: RunDocument | null = null;
  const words = [...argv, '--progress=plain'];
  const exit = await main(
    words,
    cli,
    createOutput(cli, words, (told) => {
      document = told as RunDocument;
    }),
  );
  if (document === null) throw new Error('the run gave no document');
  const { annotations, summary } = await actionOf(document, exit);
  const comment = markdownOf(document, { longest: 65_000, next: { apply: 'pilotfish apply', prune: 'pilotfish apply --prune' } });
  const json = `${JSON.stringify(document, null, 2)}\n`;
  const all = { text: stdout.text, log: stderr.text, json, comment, annotations, summary };
  return { exit, document, ...(Object.fromEntries(Object.entries(all).map(([name, text]) => [name, steady(text)])) as typeof all) };
}

/** The library of the runner looks up the file of the summary once in a process. */
const folder = mkdtempSync(join(tmpdir(), 'pilotfish-surface-'));

/** The annotations and the summary that the action gives of a document. */
async function actionOf(document: RunDocument, exit: number): Promise<{ readonly annotations: string; readonly summary: string }> {
  const written: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  vi.stubEnv('GITHUB_STEP_SUMMARY', join(folder, 'summary'));
  vi.stubEnv('GITHUB_OUTPUT', join(folder, 'output'));
  try {
    for (const name of ['summary', 'output']) await writeFile(join(folder, name), '');
    const status = 'status' in document ? document.status : 'failed';
    await reportEndings(openLog(new PassThrough()), [{ exit, status, document, why: null, isExplained: false, about: {} }]);
    return { annotations: written.join(''), summary: await readFile(join(folder, 'summary'), 'utf8') };
  } finally {
    spy.mockRestore();
    vi.unstubAllEnvs();
  }
}

/** Words in place of ids and times of this very run. */
const steady = (text: string): string =>
  text
    .replace(/"runId": "[^"]*"/g, '"runId": "RUN"')
    .replace(/(Run +)[\w-]{8,}/g, '$1RUN')
    .replace(/(Run <code>)[^<]*/g, '$1RUN')
    .replace(/\b(?:\d+(?:\.\d+)? m?s|\d+ min \d\d s)\b/g, 'TIME')
    .replace(/"ms": \d+/g, '"ms": 0')
    .replace(/( at (?:<code>)?)[0-9a-f]{12}\b/g, '$1COMMIT')
    .replace(/("commit": ")[0-9a-f]+/g, '$1COMMIT')
    .replace(/("digest": "|Digest (?:<code>)?|--expect )[0-9a-f]{8,}/g, '$1DIGEST')
    .replace(/ {2,}TIME/g, '  TIME')
    .replace(/"(fetches|pushes|lockPushes)": \d+/g, '"$1": 0')
    .replace(/\d+ fetch(?:es)? and \d+ push(?:es)? of the ledger/g, 'FETCHES of the ledger');
