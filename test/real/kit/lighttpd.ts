import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram, freePort, type Program, type Server, startServer } from './program.ts';

/** Debian's lighttpd, or `null` with a printed reason. */
export const findLighttpd = (): Program | null => findProgram('lighttpd', { args: ['-v'], form: /lighttpd\/[\d.]+/ });

export interface Lighttpd extends Server {
  readonly port: number;
  readonly base: string;
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
  await writeFile(
    file,
    `server.bind = "127.0.0.1"
server.port = ${port}
server.document-root = "${folder}"
server.upload-dirs = ( "${folder}" )
server.modules = ( ${modules.map((name) => `"${name}"`).join(', ')} )
${config}
`,
  );
  const server = await startServer({ file: program.file, args: ['-D', '-f', file], port, ...(env && { env }) });
  return { ...server, port, base: `http://127.0.0.1:${port}` };
}
