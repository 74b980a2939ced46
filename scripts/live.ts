import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packages, serversFolder } from '../test/live/servers/installed.ts';
import { run } from './tasks.ts';

const usage = `npm run live -- <operation> [flags]          proves an operation, as \`pilotfish live\` does
npm run live -- --sandbox [--all | <operation>…]  proves operations at the simulations
npm run live -- --servers                     installs the servers of npm beside the checkout, and proves what they answer`;

/** Proves operations: at a real service, at every simulation, or at servers that others wrote. */
async function main([first, ...rest]: readonly string[]): Promise<number> {
  if (first === undefined) {
    console.log(usage);
    return 2;
  }
  if (first === '--help') {
    console.log(usage);
    return 0;
  }
  if (first.startsWith('-') && first !== '--sandbox' && first !== '--servers') {
    console.error(`${first} is no option here.\n\n${usage}`);
    return 2;
  }
  if (first === '--sandbox') return await shown('node', ['test/live/main.ts', ...rest]);
  if (first === '--servers')
    return (await install()) || (await shown('vitest', ['run', '--reporter=verbose', 'test/live/servers.test.ts']));
  return (await shown('node', ['scripts/build.ts'])) || (await shown('node', ['dist/pilotfish.js', 'live', first, ...rest]));
}

/** Each server has a folder of its own outside of the checkout: none of them is a dependency of anything here. */
async function install(): Promise<number> {
  for (const [name, version] of Object.entries(packages)) {
    const prefix = join(serversFolder(), name);
    if (existsSync(join(prefix, 'node_modules', name))) continue;
    console.log(`Installing ${name}@${version} in ${prefix}`);
    const code = await shown('npm', ['install', '--prefix', prefix, '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`]);
    if (code !== 0) return code;
  }
  return 0;
}

async function shown(command: string, args: readonly string[]): Promise<number> {
  const { code } = await run(command, args, { isShown: true, env: { PILOTFISH_REAL: '1', PILOTFISH_LIVE_SERVERS: serversFolder() } });
  return code;
}

process.exitCode = await main(process.argv.slice(2));
