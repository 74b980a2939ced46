import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findProgram, freePort, type Program, type Server, startServer } from './program.ts';

/** Debian's lighttpd, or `null` with a printed reason. */
export const findLighttpd = (): Program | null => findProgram('lighttpd', { args: ['-v'], form: /lighttpd\/[\d.]+/ });

export interface Lighttpd extends Server {
  readonly port: number;
  readonly base: string;
  /** Takes another configuration as an administrator does: what is under way is answered, then all begins anew. */
  reload(config: string): Promise<void>;
}

export interface LighttpdOptions {
  readonly program: Program;
  /** Holds the configuration; removed by the caller. */
  readonly folder: string;
  readonly modules: readonly string[];
  /** Further lines of the configuration. */
  readonly config: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** A lighttpd of this test alone, on a port of the loopback. */
export async function startLighttpd(options: LighttpdOptions): Promise<Lighttpd> {
  const { program, folder, modules, config, env } = options;
  const port = await freePort();
  const file = join(folder, 'lighttpd.conf');
  const write = (lines: string): Promise<void> =>
    writeFile(
      file,
      `server.bind = "127.0.0.1"
server.port = ${port}
server.document-root = "${folder}"
server.upload-dirs = ( "${folder}" )
server.modules = ( ${modules.map((name) => `"${name}"`).join(', ')} )
${lines}
`,
    );
  await write(config);
  const server = await startServer({ file: program.file, args: ['-D', '-f', file], port, ...(env && { env }) });
  const reload = async (lines: string): Promise<void> => {
    await write(lines);
    process.kill(server.pid, 'SIGUSR1');
    // From then on it takes no connection until it has read the new configuration.
    for (let looks = 0; looks < 250 && !server.output().includes('graceful'); looks += 1) await delay(10);
  };
  return { ...server, port, base: `http://127.0.0.1:${port}`, reload };
}
