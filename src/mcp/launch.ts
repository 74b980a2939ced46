import { serve, startToolServer } from '../platform/tool-server.ts';

/** Runs `pilotfish-mcp`, whose entry has this address. The entry is also that of the server, which this process starts as its child. */
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
  process.exit(await startToolServer(entry));
}

const usage = `Usage: pilotfish-mcp

A tool server for agents. An agent's program starts it and speaks the Model Context Protocol on its standard input and output.
Start it in the repository with release.plan.yaml. It takes credentials from its environment, like \`pilotfish\`.
\`pilotfish mcp\` is the same.
`;
