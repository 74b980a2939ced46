import { closeSync, existsSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ErrorData } from '../../core/errors.ts';
import type { RunEvent } from '../../engine/document.ts';
import { checkoutTop } from '../../platform/checkout-top.ts';
import { type Ground, groundOf, makeFolder, openNew, removeFile, writeNew } from '../../platform/safe-files.ts';

/** Raised by a change that would break who reads an older file. */
const version = 1;

/** Where the last run of a checkout is kept, from its top. */
export const keptFolder = '.pilotfish/last-run';

export interface RunKeeper {
  listen(event: RunEvent): void;
  /** Writes what is left and closes the file, once. `errors` are those that the run ended with. */
  end(errors?: readonly ErrorData[]): void;
}

/** A run as it was kept. */
export interface KeptRun {
  /** `apply preview/pr-12` */
  readonly title: string;
  /** Version of the program that ran. */
  readonly version: string;
  readonly events: readonly RunEvent[];
  readonly errors: readonly ErrorData[];
}

/**
 * Keeps the events of the last run of this checkout, so that its trace can be asked for afterwards. They go to disk a moment after
 * they happen: of a run that is killed, what it did in its last thirtieth of a second may be missing. A run that never began takes the
 * place of none. Where nothing can be written, nothing is kept, and the run goes on: nobody asked for it yet.
 */
export function keepRun(cwd: string, about: Pick<KeptRun, 'title' | 'version'>): RunKeeper {
  let file: number | null = null;
  let mayWrite = true;
  let told: unknown[] = [{ type: 'kept', v: version, ...about }];
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const text = told.map((event) => `${JSON.stringify(event)}\n`).join('');
    told = [];
    if (!mayWrite) return;
    try {
      file ??= begin(folderFor(cwd), groundOf(cwd));
      writeSync(file, text);
    } catch {
      mayWrite = false;
    }
  };
  return {
    listen: (event) => {
      if (hasEnded) return;
      told.push(event);
      if (told.length >= most) write();
      else timer ??= setTimeout(write, patienceMs).unref();
    },
    end: (errors = []) => {
      const hasBegun = file !== null || told.length > 1;
      if (hasEnded || !hasBegun) return;
      hasEnded = true;
      told.push({ type: 'ended', errors });
      write();
      if (file !== null) close(file);
    },
  };
}

function close(file: number): void {
  try {
    closeSync(file);
  } catch {
    // A disk over a network may refuse only now what it was given: nothing is kept, and the run was as it was.
  }
}

/** How many events wait for the disk at most, and how long: until the first requests of a run are under way. */
const most = 512;
const patienceMs = 30;

/** The last run that was kept for the checkout of `cwd`; `null` where none was, or its file cannot be read. */
export function readKeptRun(cwd: string): KeptRun | null {
  const [first, ...rest] = newestText(folderFor(cwd)).split('\n').flatMap(partsOf);
  if (first?.type !== 'kept' || first.v !== version) return null;
  return {
    title: String(first.title),
    version: String(first.version),
    events: rest.filter(isEvent),
    errors: rest.flatMap((line) => (line.type === 'ended' && Array.isArray(line.errors) ? line.errors : [])),
  };
}

/** At the top of the checkout, or in `cwd` itself outside of one, beside whatever else `.pilotfish/` holds. */
const folderFor = (cwd: string): string => join(checkoutTop(cwd) ?? cwd, keptFolder);

/** A file of its own for this run, so that two at once do not write into one; those of earlier runs go. */
function begin(folder: string, ground: Ground): number {
  // A local ledger stands beside it, which others of a team may share.
  makeFolder(dirname(folder), ground);
  makeFolder(folder, ground, 0o700);
  // A checkout whose .gitignore does not name .pilotfish/ stays clean, too.
  if (!existsSync(join(folder, '.gitignore'))) writeNew(join(folder, '.gitignore'), '*\n', ground);
  for (const name of runsIn(folder)) {
    try {
      removeFile(join(folder, name), ground);
    } catch {
      // Windows lets nobody remove a file that another run still writes; the newest one counts.
    }
  }
  return openNew(join(folder, `${String(Date.now()).padStart(15, '0')}-${process.pid}.jsonl`), ground, 0o600);
}

/** Empty where there is none, or it cannot be read. */
function newestText(folder: string): string {
  const newest = runsIn(folder).at(-1);
  try {
    return newest === undefined ? '' : readFileSync(join(folder, newest), 'utf8');
  } catch {
    return '';
  }
}

/** The oldest first. */
function runsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+-\d+\.jsonl$/.test(name))
      .sort();
  } catch {
    return [];
  }
}

interface Part {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A run that was killed while it wrote leaves half a line. */
function partsOf(line: string): readonly Part[] {
  try {
    const value: unknown = JSON.parse(line);
    return isPart(value) ? [value] : [];
  } catch {
    return [];
  }
}

const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** What stands in the file was an event when it was written, of this version. */
const isEvent = (part: Part): part is Part & RunEvent => typeof part.at === 'number';
