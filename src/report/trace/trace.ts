import { join, resolve } from 'node:path';
import { door } from '../../core/door.ts';
import { type ErrorData, Failure } from '../../core/errors.ts';
import type { RunEvent } from '../../engine/document.ts';
import { groundOf, makeFolder, replaceFile, truePath } from '../../platform/safe-files.ts';
import { otlpJson, type TraceOf } from '../telemetry/otlp.ts';
import { spansOf } from '../telemetry/spans.ts';
import { chromeTrace } from './chrome.ts';
import { type MachineSource, machinesDiagram, machinesText } from './machine-source.ts';
import type { PageAbout } from './page/data.ts';
import { traceHtml } from './page/page.ts';
import { readPageFiles } from './page/page-files.ts';

export interface TraceAbout extends Pick<PageAbout, 'title' | 'version' | 'receipt'> {
  readonly machines: readonly MachineSource[];
  /** The place of the run among the traces of OpenTelemetry. */
  readonly telemetry: TraceOf;
}

export interface Trace {
  listen(event: RunEvent): void;
  /**
   * Writes all files once, without waiting, so that it also works while the process ends. `errors` are the errors that the run ended with.
   * Returns a sentence about the failure, or `null`.
   */
  write(errors?: readonly ErrorData[]): string | null;
}

/**
 * Collects the events of a run for the files of a trace. It makes the folder `shown` now: a wrong folder must end the run before it begins.
 */
export function openTrace(shown: string, cwd: string, about: TraceAbout): Trace {
  const folder = resolve(cwd, shown);
  const ground = groundOf(cwd);
  try {
    makeFolder(folder, ground);
    for (const name of traceFiles) truePath(join(folder, name), ground);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure('USAGE', {
      detail: `The trace folder ${shown} could not be made: ${reason(cause)}.`,
      fix: `Give ${door.named('trace')} a folder that you can write.`,
      cause,
    });
  }
  const events: RunEvent[] = [];
  let isWritten = false;
  return {
    listen: (event) => {
      events.push(event);
    },
    write: (errors = []) => {
      if (isWritten) return null;
      isWritten = true;
      try {
        // The events come first, because all other files can be made from them.
        for (const [name, text] of filesOf(events, errors, about)) replaceFile(join(folder, name), text(), ground);
        return null;
      } catch (cause) {
        return `The trace could not be written to ${shown}: ${reason(cause)}.`;
      }
    },
  };
}

/** The files of a trace, in the order in which they are written. */
export const traceFiles = ['events.jsonl', 'trace.json', 'otlp.json', 'machines.ts', 'machines.mmd', 'trace.html'] as const;

type Files = readonly (readonly [name: string, text: () => string])[];

const filesOf = (events: readonly RunEvent[], errors: readonly ErrorData[], { machines, telemetry, ...about }: TraceAbout): Files => [
  ['events.jsonl', () => events.map((event) => `${JSON.stringify(event)}\n`).join('')],
  ['trace.json', () => `${JSON.stringify(chromeTrace(events))}\n`],
  ['otlp.json', () => otlpJson(spansOf(events, { title: about.title, errors }), telemetry)],
  ['machines.ts', () => machinesText(machines)],
  ['machines.mmd', () => machinesDiagram(machines)],
  ['trace.html', () => traceHtml(events, { about: { ...about, errors }, machines, files: readPageFiles() })],
];

const reason = (cause: unknown): string => {
  if (cause instanceof Failure) return cause.detail;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const words: { readonly [code: string]: string } = {
    EACCES: 'permission denied',
    EEXIST: 'a file of that name exists',
    EISDIR: 'a folder of that name exists',
    ENOENT: 'a folder or a part of this program is missing',
    ENOTDIR: 'part of the path is a file',
    ENOSPC: 'the disk is full',
    EROFS: 'the file system is read-only',
  };
  return words[code] ?? (code || 'unknown reason');
};
