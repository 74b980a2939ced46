import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A folder of little programs for a PATH. Each is a Node script of its own; `args`, `env`, `out(text)` and `fail(code, text)` stand at
 * hand in it, and every start of one is noted.
 */
export async function openPrograms() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pilotfish-programs-'));
  const bin = path.join(folder, 'bin');
  const log = path.join(folder, 'log');
  await mkdir(bin);
  await writeFile(log, '');
  return {
    folder,
    /** Nothing but these programs. */
    PATH: bin,
    add: async (name: string, body: string): Promise<void> => {
      const file = path.join(bin, name);
      await writeFile(file, `#!${process.execPath}\n${prelude(name, log)}\n${body}\n`);
      await chmod(file, 0o755);
    },
    /** Starts so far, in order: the name and the arguments. */
    starts: async (): Promise<readonly { readonly name: string; readonly pid: number; readonly args: readonly string[] }[]> =>
      (await readFile(log, 'utf8'))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

export type Programs = Awaited<ReturnType<typeof openPrograms>>;

const prelude = (name: string, log: string): string => `
const fs = require('node:fs');
const { env } = process;
const args = process.argv.slice(2);
const out = (text) => fs.writeSync(1, text);
const fail = (code, text) => { fs.writeSync(2, text); process.exit(code); };
const hang = () => { setInterval(() => undefined, 60_000); };
fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify({ name: ${JSON.stringify(name)}, pid: process.pid, args }) + '\\n');
`;

/** Whether a process runs; one that ended and was not waited for does not. */
export async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    return !/\) [ZX] /.test(stat);
  } catch {
    return false;
  }
}

/** Waits for what another process does. */
export async function until(what: string, is: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 1_000; turn += 1) {
    if (await is()) return;
    await delay(10);
  }
  throw new Error(`it never came to be that ${what}`);
}
