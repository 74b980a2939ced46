import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../core/errors.ts';
import type { RunEvent } from '../document.ts';
import { chromeTrace } from './chrome.ts';

export interface Trace {
  listen(event: RunEvent): void;
  /** Writes both files once, at once, so that it also works while the process ends. Returns what went wrong, or nothing. */
  write(): string | null;
}

/** Collects the events of a run for `trace.json` and `events.jsonl` in `folder`, which is made now: a wrong folder ends the run before it begins. */
export function openTrace(folder: string, shown: string): Trace {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw new Failure('USAGE', {
      detail: `The trace folder ${shown} could not be made: ${reason(cause)}.`,
      fix: 'Give `--trace` a folder that can be written.',
      cause,
    });
  }
  const events: RunEvent[] = [];
  let isWritten = false;
  return {
    listen: (event) => {
      events.push(event);
    },
    write: () => {
      if (isWritten) return null;
      isWritten = true;
      try {
        writeFileSync(join(folder, 'events.jsonl'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
        writeFileSync(join(folder, 'trace.json'), `${JSON.stringify(chromeTrace(events))}\n`);
        return null;
      } catch (cause) {
        return `The trace could not be written to ${shown}: ${reason(cause)}.`;
      }
    },
  };
}

const reason = (cause: unknown): string => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const words: { readonly [code: string]: string } = {
    EACCES: 'permission denied',
    EEXIST: 'a file of that name exists',
    ENOTDIR: 'part of the path is a file',
    ENOSPC: 'the disk is full',
    EROFS: 'the file system is read-only',
  };
  return words[code] ?? (code || 'unknown reason');
};
