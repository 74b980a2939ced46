import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { announce } from '../../real/kit/program.ts';

/** Packages of the npm registry that hold servers. `npm run live -- --servers` installs them into a folder outside of the checkout. */
export const packages = {
  'unleash-server': '8.2.0',
  s3rver: '3.7.1',
  'json-server': '0.17.4',
} as const;
export type ServerName = keyof typeof packages;

/** The folder of these packages. */
export const serversFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  env.PILOTFISH_LIVE_SERVERS || join(tmpdir(), 'pilotfish-live-servers');

/** The folder of one package, for a process of its own that starts it; `null`, with a printed reason, where it is not installed. */
export function findServer(name: ServerName): { readonly folder: string; readonly version: string } | null {
  const folder = join(serversFolder(), name, 'node_modules', name);
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) {
    console.log(`Skipped: ${name} is not installed. \`npm run live -- --servers\` installs it.`);
    return null;
  }
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
  announce(`${name}/${version}`);
  return { folder, version };
}
