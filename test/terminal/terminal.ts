import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { withColorsInWords } from './colors.ts';

const run = promisify(execFile);

/** Whether tmux is there, which is the terminal of these tests. */
export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

export interface TerminalOptions {
  readonly columns: number;
  readonly rows: number;
  /** What a shell in it runs, without quotes of its own. */
  readonly command: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A real terminal with a shell in it that runs one command, tells its exit code, and stays. */
export async function openTerminal({ columns, rows, command, cwd, env = {} }: TerminalOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-terminal-'));
  await writeFile(
    join(folder, 'tmux.conf'),
    'set -g status off\nset -g history-limit 5000\nset -g default-terminal tmux-256color\nset -g escape-time 0\n',
  );
  await writeFile(join(folder, 'run.sh'), `trap : INT\necho '$ pilotfish'\n${command}\necho "exit $?"\nexec cat\n`);
  const tmux = async (...args: string[]): Promise<string> => {
    const whole = ['-u', '-S', join(folder, 'socket'), '-f', join(folder, 'tmux.conf'), ...args];
    const { stdout } = await run('tmux', whole, {
      env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', HOME: folder, ...env },
      ...(cwd && { cwd }),
    });
    return stdout;
  };
  const stop = async (): Promise<void> => {
    await tmux('kill-server').catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), `sh ${join(folder, 'run.sh')}`);
  } catch (thrown) {
    await stop();
    throw thrown;
  }

  const capture = async (...args: string[]): Promise<string> => `${(await tmux('capture-pane', '-p', '-t', ':0', ...args)).trimEnd()}\n`;
  /** Waits, for half a minute at most, and no longer than the command runs. */
  const until = async <T>(look: () => Promise<T | null>, what: string): Promise<T> => {
    let hasEnded = false;
    for (let i = 0; i < 600; i += 1) {
      const seen = await look();
      if (seen !== null) return seen;
      if (hasEnded) break;
      hasEnded = /^exit \d+$/m.test(await capture());
      await delay(50);
    }
    throw new Error(`${what} did not come; the screen is:\n${await capture()}`);
  };
  /** What stands there once it no longer changes. */
  const still = async (...args: string[]): Promise<string> => {
    let before = '';
    for (let i = 0; i < 100; i += 1) {
      const now = await capture(...args);
      if (now === before) return now;
      before = now;
      await delay(170);
    }
    throw new Error(`the screen does not stand still:\n${before}`);
  };
  return {
    folder,
    /** What a person sees. */
    screen: () => still(),
    /** The same with what scrolled out. */
    scrolled: () => still('-S', '-'),
    /** The same with its colours, in words. */
    colored: async () => withColorsInWords(await still('-e')),
    shows: (text: string) => until(async () => ((await capture()).includes(text) ? true : null), `"${text}"`),
    becomes: (isIt: (screen: string) => boolean, what: string) => until(async () => (isIt(await capture()) ? true : null), what),
    /** The program says that it came to this point of its play. */
    reaches: (point: string) => until(() => readFile(join(folder, `at-${point}`), 'utf8').catch(() => null), `the point ${point}`),
    /** Lets it go on from there. */
    go: (point: string) => writeFile(join(folder, `go-${point}`), ''),
    press: (key: string) => tmux('send-keys', '-t', ':0', key),
    /** Types a text as it is. */
    type: (text: string) => tmux('send-keys', '-t', ':0', '-l', '--', text),
    resize: (x: number, y: number) => tmux('resize-window', '-t', ':0', '-x', String(x), '-y', String(y)),
    /** Modes that a program may leave behind: all must be as a shell expects them. */
    isWhole: async () =>
      (
        await tmux('display-message', '-p', '-t', ':0', '#{cursor_flag}#{wrap_flag}#{alternate_on}#{insert_flag}#{mouse_any_flag}')
      ).trim() === '11000',
    stop,
  };
}

export type Terminal = Awaited<ReturnType<typeof openTerminal>>;
