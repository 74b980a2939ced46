import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ownCommand } from './own-files.ts';

/** The file descriptor of the server that leads to the client. There is no other way to the client. */
export const channel = 3;
/** The word that makes the entry of the tool server the server itself. */
export const serve = '--serve';

/**
 * Starts the tool server, whose entry has this address, as a child. Resolves with its exit code, or with 128 and the number of the signal
 * that ended it. The child's stdout is this process's stderr, and its channel to the client is another descriptor. A plugin, a native
 * module or a program that one of them starts may print to stdout, but only the protocol reaches the client. If this process is killed,
 * the child still writes the ledger.
 */
export async function startToolServer(entry: string): Promise<number> {
  const { file, args, argv0 } = ownCommand(entry);
  const child = spawn(file, [...args, serve], {
    ...(argv0 !== undefined && { argv0 }),
    // Descriptors 0 to 4 of the child: the client's input, this stderr twice, the client's output, and a channel that closes when this
    // process ends.
    stdio: [0, 2, 2, 1, 'ipc'],
    windowsHide: true,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return await new Promise((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`pilotfish could not start its tool server: ${error.message}\n`);
      resolve(1);
    });
    child.on('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128 + constants.signals[signal])));
  });
}
