import { cacheFolder } from '../platform/cache-folder.ts';
import { builtIn } from './built-in.ts';

const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = builtIn('node:fs');
const { dirname, join } = builtIn('node:path');
const { cachedDataVersionTag } = builtIn('node:v8');
const { crc32 } = builtIn('node:zlib');

/** What V8 made of a text, as a process before this one left it. */
export interface Kept {
  readonly data: Buffer;
  /** How many runs before now, one after the other, called nothing that it lacks. */
  readonly quiet: number;
  /** When it was written, in ms since 1970. */
  readonly at: number;
}

/**
 * Whether nothing need be added. To ask V8 what a run compiled takes some 20 ms of its end, so a kind of run whose last two had nothing to
 * add is left alone for a day: the plan of tomorrow may be another.
 */
export const isSettled = ({ quiet, at }: Kept, now: number): boolean => quiet >= 2 && Math.abs(now - at) < 24 * 3600_000;

/** What follows the data in its file. After it come its length, and the CRC-32 of all that is before: V8 looks at neither in its data. */
interface Label extends Omit<Kept, 'data'> {
  /** CRC-32 of the text that was compiled: V8 compares no more of it than the length. */
  readonly text: number;
}

/**
 * The compiled code of the program's files, kept between its starts. Node's own compile cache keeps what is compiled while a module
 * is loaded; here it is taken when a run is over, with every function that the run called, so that the next one compiles next to
 * nothing: a third of what a small run takes.
 *
 * What lies there is run: so the folder is one of this person (`platform/cache-folder.ts`), and the one of everybody that Node would take
 * is not used. `NODE_COMPILE_CACHE` names another, `NODE_DISABLE_COMPILE_CACHE` wants none. On a throw-away CI machine it would never be
 * warm, and nothing is kept, unless a job names a folder that it brings along. Nor is anything kept where it cannot be written.
 */
export function compiledFolder(env: NodeJS.ProcessEnv): string | null {
  if (env.NODE_DISABLE_COMPILE_CACHE || (env.CI && !env.NODE_COMPILE_CACHE)) return null;
  // Code of another V8, of another processor or other flags is refused by this one.
  return join(env.NODE_COMPILE_CACHE || join(cacheFolder(env), 'compiled'), `pilotfish-${cachedDataVersionTag()}`);
}

/** `null` where there is none, where it is of another text, or where it is damaged. */
export function readKept(file: string, text: Uint8Array): Kept | null {
  try {
    const bytes = readFileSync(file);
    const end = bytes.length - 8;
    if (crc32(bytes.subarray(0, end + 4)) !== bytes.readUInt32LE(end + 4)) return null;
    const start = end - bytes.readUInt32LE(end);
    const { text: sum, ...label }: Label = JSON.parse(bytes.toString('utf8', start, end));
    return sum === crc32(text) ? { data: bytes.subarray(0, start), ...label } : null;
  } catch {
    return null;
  }
}

/** Whole or not at all, for who reads it at the same time. */
export function writeKept(file: string, text: Uint8Array, { data, ...facts }: Kept): void {
  const label: Label = { text: crc32(text), ...facts };
  const labelBytes = Buffer.from(JSON.stringify(label));
  const before = Buffer.concat([data, labelBytes, numberBytes(labelBytes.length)]);
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(draft, Buffer.concat([before, numberBytes(crc32(before))]), { mode: 0o600 });
      renameSync(draft, file);
    } finally {
      rmSync(draft, { force: true });
    }
    removeOld(dirname(file));
  } catch {
    // The next start compiles, as this one did.
  }
}

function numberBytes(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}

/** Files of versions that are gone. One that is still in use is written again. */
function removeOld(folder: string): void {
  const before = Date.now() - 30 * 24 * 3600_000;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (statSync(file).mtimeMs < before) rmSync(file, { force: true });
  }
}
