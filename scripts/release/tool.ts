import { run } from '../tasks.ts';

/** Runs tools in a folder. A tool that fails throws with what it printed. */
export const toolIn =
  (cwd: string, env: NodeJS.ProcessEnv = {}) =>
  async (command: string, ...args: readonly string[]): Promise<string> => {
    const { code, output } = await run(command, args, { cwd, env });
    if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`);
    return output;
  };
