import { spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Used {
  /** From before the process was started until it was gone. */
  readonly wall_ms: number;
  /** User and system time of the process itself. */
  readonly cpu_ms: number;
  readonly rss_mb: number;
  /** What other programs cost it: it was ready to run, and no core was free. Zero where the system does not tell. */
  readonly waited_ms: number;
}

export interface Ended extends Used {
  readonly stdout: string;
}

/** Runs a program of node as a child, as a job does: nobody reads along, its words go to files. Fails where it did. */
export async function measured(
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Ended> {
  const [out, err] = [join(cwd, '..', 'stdout.txt'), join(cwd, '..', 'stderr.txt')];
  const files = await Promise.all([open(out, 'w'), open(err, 'w')]);
  const began = performance.now();
  const child = spawn(process.execPath, ['--require', usage, ...args], {
    cwd,
    env,
    stdio: ['ignore', files[0].fd, files[1].fd, 'pipe'],
  });
  let told = '';
  const pipe = child.stdio[3];
  if (pipe && 'setEncoding' in pipe) pipe.setEncoding('utf8').on('data', (part: string) => (told += part));
  const gone = Promise.withResolvers<number>();
  child.once('exit', () => gone.resolve(performance.now()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const wall_ms = (await gone.promise) - began;
  await Promise.all(files.map((file) => file.close()));
  const stdout = await readFile(out, 'utf8');
  if (code !== 0) {
    const stderr = await readFile(err, 'utf8');
    throw new Error(`${args.join(' ')} ended with ${code}:\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`);
  }
  const used: Omit<Used, 'wall_ms'> = JSON.parse(told);
  return { wall_ms, ...used, stdout };
}

const usage = fileURLToPath(new URL('./usage.cjs', import.meta.url));
