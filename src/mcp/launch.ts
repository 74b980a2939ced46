import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The file descriptor of the server that is the client's end: the only way to it. */
export const channel = 3;
const serve = '--serve';

/**
 * Starts the server as a child whose stdout is this process's stderr, and whose channel to the client is another descriptor. So
 * whatever prints there, be it a plugin, a native module or a program that one of them starts, nothing but the protocol reaches the
 * client. The child goes on to write the ledger when this process is ended without a chance to say so.
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
  const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(entry), serve], {
    // Descriptors 0 to 4 of the child: the client's input, this stderr twice, the client's output, and what tells that this one ended.
    stdio: [0, 2, 2, 1, 'ipc'],
    windowsHide: true,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`pilotfish-mcp could not be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exit(code ?? (signal === null ? 1 : 128 + constants.signals[signal]));
  });
}

const usage = `Usage: pilotfish-mcp

A tool server for agents: it speaks the Model Context Protocol on its standard input and output, and is started by an agent's program.
Its working directory is the repository with release.plan.yaml; credentials come from its environment, as those of \`pilotfish\` do.
`;
