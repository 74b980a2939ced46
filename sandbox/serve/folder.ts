import { randomBytes } from 'node:crypto';
import { closeSync, lstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'devalue';
import { Problem } from './problem.ts';
import type { Provider } from './providers.ts';

/** What a sandbox remembers beside its providers. */
export interface Kept {
  /** Scopes remember the addresses of their providers, so a sandbox comes back at its port. `0` before it had one. */
  port: number;
  readonly password: string;
  readonly ledgerKey: string;
}

/**
 * The folder of one sandbox: `sandbox.json`, a file for each provider, and the git remote. States are plain data that `structuredClone`
 * copies: maps, sets, dates, and values that stand in two places. `devalue` writes and reads all of these, and a file that somebody else
 * made can do no more there than be wrong data.
 */
export class Folder {
  readonly path: string;
  readonly kept: Kept;
  readonly #version: string;

  private constructor(path: string, version: string, kept: Kept) {
    this.path = path;
    this.kept = kept;
    this.#version = version;
  }

  /** Opens a folder, and makes it where there is none. Throws a `Problem` where another sandbox runs in it, or another version wrote it. */
  static open(path: string, version: string): Folder {
    make(path);
    lock(path);
    try {
      return new Folder(path, version, keptIn(path, version));
    } catch (error) {
      rmSync(join(path, 'lock'), { force: true });
      throw error;
    }
  }

  /** Puts what the folder has of a provider into its simulation. A provider without a file stays as it is. */
  read({ name, simulation, counting }: Provider): void {
    const file = this.#fileOf(name);
    const text = readText(file);
    if (text === null) return;
    const { counts, state } = parsed(file, text, () => parse(text) as { readonly counts: readonly number[]; readonly state: object });
    simulation.restore(state);
    for (const [i, one] of counting.entries()) one.count = counts[i] ?? one.count;
  }

  /** Keeps a provider as it is now. Before an answer leaves, what it says is in the folder. */
  write({ name, simulation, counting }: Provider): void {
    writeWhole(this.#fileOf(name), stringify({ counts: counting.map(({ count }) => count), state: simulation.dump() }));
  }

  keep(port: number): void {
    this.kept.port = port;
    writeWhole(join(this.path, 'sandbox.json'), `${JSON.stringify({ version: this.#version, ...this.kept }, null, 2)}\n`);
  }

  close(): void {
    rmSync(join(this.path, 'lock'), { force: true });
  }

  #fileOf(name: string): string {
    return join(this.path, 'providers', `${name}.json`);
  }
}

function keptIn(path: string, version: string): Kept {
  const file = join(path, 'sandbox.json');
  const text = readText(file);
  if (text === null) return { port: 0, password: secret(), ledgerKey: secret() };
  const kept = parsed(file, text, () => JSON.parse(text) as Kept & { readonly version: string });
  if (kept.version !== version) {
    throw new Problem(
      `${path} holds the state of pilotfish-sandbox ${kept.version}, and this is ${version}. Its simulations may keep other things.`,
      `Name another folder with --state, remove ${path}, or run pilotfish-sandbox@${kept.version}.`,
    );
  }
  return { port: Number(kept.port), password: String(kept.password), ledgerKey: String(kept.ledgerKey) };
}

/** The port of the sandbox that a folder keeps; `null` where none has started there. */
export function keptPort(path: string): number | null {
  const file = join(path, 'sandbox.json');
  const text = readText(file);
  return text === null ? null : Number(parsed(file, text, () => JSON.parse(text) as Kept).port);
}

const secret = (): string => randomBytes(24).toString('base64url');

function make(path: string): void {
  const fix = 'Name another folder with --state.';
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (!lstatSync(path).isDirectory()) throw new Problem(`${path} is a link.`, fix);
    mkdirSync(join(path, 'providers'), { recursive: true });
    // What stands here is nobody's source. The file keeps git from seeing it before `init` writes its own entry.
    writeFileSync(join(path, '.gitignore'), '*\n');
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem(`The sandbox cannot write into ${path}: ${error instanceof Error ? error.message : String(error)}.`, fix);
  }
}

/** One sandbox in a folder at a time: two would overwrite each other's files. */
function lock(path: string): void {
  const file = join(path, 'lock');
  for (const isLast of [false, true]) {
    try {
      const handle = openSync(file, 'wx', 0o600);
      writeSync(handle, String(process.pid));
      closeSync(handle);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = Number(readText(file));
    if (isLast || isRunning(owner)) {
      throw new Problem(`A sandbox runs in ${path}, as process ${owner}.`, 'Use that one, end it, or name another folder with --state.');
    }
    rmSync(file, { force: true });
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Nobody reads half a file: another name first, then its own. */
function writeWhole(file: string, text: string): void {
  const beside = `${file}.new`;
  writeFileSync(beside, text, { mode: 0o600 });
  renameSync(beside, file);
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function parsed<T>(file: string, text: string, read: () => T): T {
  try {
    const value = read();
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The words of a parser name no file.
  }
  throw new Problem(`${file} is damaged: ${text.length} characters that are no state.`, 'Remove the file. Its provider then begins anew.');
}
