import { closeSync, existsSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ErrorData } from '../../core/errors.ts';
import type { RunEvent } from '../../engine/document.ts';
import { checkoutTop } from '../../platform/checkout-top.ts';
import { type Ground, groundOf, makeFolder, openNew, removeFile, writeNew } from '../../platform/safe-files.ts';

/** A change that would break the reading of an older file raises this number. */
const version = 1;

/** The folder of the last run, from the top of the checkout. */
export const keptFolder = '.pilotfish/last-run';

export interface RunKeeper {
  listen(event: RunEvent): void;
  /** Writes the remaining events and closes the file, once. `errors` are the errors that the run ended with. */
  end(errors?: readonly ErrorData[]): void;
}

/** A run that was read back from its file. */
export interface KeptRun {
  /** `apply preview/pr-12` */
  readonly title: string;
  /** Version of the program that ran. */
  readonly version: string;
  readonly events: readonly RunEvent[];
  readonly errors: readonly ErrorData[];
}

/**
 * Keeps the events of the last run of this checkout, so that a user can ask for its trace afterwards. Events go to disk a moment after they
 * happen: a run that is killed may lose the events of its last thirtieth of a second. A run that never began replaces no kept run. If the
 * folder cannot be written, nothing is kept and the run goes on, because nobody has asked for a trace yet.
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
    // A network disk may refuse earlier writes only now. Nothing is kept then, and the run itself is not affected.
  }
}

/** The most events that wait for the disk, and how long they wait: until the first requests of a run are under way. */
const most = 512;
const patienceMs = 30;

/** The last run that was kept for the checkout of `cwd`; `null` if there is none, or its file cannot be read. */
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

/** The folder at the top of the checkout; outside a checkout, the folder in `cwd`. */
const folderFor = (cwd: string): string => join(checkoutTop(cwd) ?? cwd, keptFolder);

/** Makes a file of its own for this run, so that two runs at once never share one. Removes the files of earlier runs. */
function begin(folder: string, ground: Ground): number {
  // A local ledger is in the same folder, and a team may share it.
  makeFolder(dirname(folder), ground);
  makeFolder(folder, ground, 0o700);
  // The checkout must stay clean even if its .gitignore does not name .pilotfish/.
  if (!existsSync(join(folder, '.gitignore'))) writeNew(join(folder, '.gitignore'), '*\n', ground);
  for (const name of runsIn(folder)) {
    try {
      removeFile(join(folder, name), ground);
    } catch {
      // Windows refuses to remove a file that another run still writes. The newest file counts, so the old one does no harm.
    }
  }
  return openNew(join(folder, `${String(Date.now()).padStart(15, '0')}-${process.pid}.jsonl`), ground, 0o600);
}

/** Empty if there is no file, or the newest one cannot be read. */
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

/** Skips a line that is no JSON: a run that was killed while it wrote leaves half a line. */
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

/** A part with a time is a `RunEvent`, because this version wrote the file. */
const isEvent = (part: Part): part is Part & RunEvent => typeof part.at === 'number';
