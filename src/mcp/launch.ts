import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ownCommand } from '../platform/own-files.ts';

/** The file descriptor of the server that leads to the client. There is no other way to the client. */
export const channel = 3;
const serve = '--serve';

/**
 * Starts the server as a child. The child's stdout is this process's stderr, and its channel to the client is another descriptor. A plugin,
 * a native module or a program that one of them starts may print to stdout, but only the protocol reaches the client. If this process is
 * killed, the child still writes the ledger.
 */
export async function launch(entry: string): Promise<void> {
  const [word, ...more] = process.argv.slice(2);
  if (word === serve && process.send !== undefined) {
    const { start } = await import('./process.ts');
    start();
    return;
  }
  if (word === '--version' && more.length === 0) {
    const { version } = await import('../core/version.ts');
    process.stdout.write(`${version}\n`);
    return;
  }
  if (word !== undefined) {
    process.stderr.write(usage);
    process.exitCode = word === '--help' ? 0 : 2;
    return;
  }
  const { file, args, argv0 } = ownCommand(entry);
  const child = spawn(file, [...args, serve], {
    ...(argv0 !== undefined && { argv0 }),
    // Descriptors 0 to 4 of the child: the client's input, this stderr twice, the client's output, and a channel that closes when this
    // process ends.
    stdio: [0, 2, 2, 1, 'ipc'],
    windowsHide: true,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`pilotfish-mcp could not start its server: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exit(code ?? (signal === null ? 1 : 128 + constants.signals[signal]));
  });
}

const usage = `Usage: pilotfish-mcp

A tool server for agents. An agent's program starts it and speaks the Model Context Protocol on its standard input and output.
Start it in the repository with release.plan.yaml. It takes credentials from its environment, like \`pilotfish\`.
`;
