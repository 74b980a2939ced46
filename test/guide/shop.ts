import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Company } from '../checkouts/company.ts';
import { binary, type Ended, execute } from '../cli/program.ts';

/** A repository with the remote of the company, and a shell in it that knows the command `pilotfish`. */
export async function openShop(company: Company, name: string) {
  const cwd = join(await company.folder(name), 'shop');
  const bin = join(company.root, 'bin');
  await Promise.all([mkdir(cwd), mkdir(bin, { recursive: true })]);
  await writeFile(join(bin, 'pilotfish'), `#!/bin/sh\nexec '${process.execPath}' '${binary}' "$@"\n`);
  await chmod(join(bin, 'pilotfish'), 0o755);
  await company.git(cwd, 'init', '--quiet', '--initial-branch=main');
  await company.git(cwd, 'remote', 'add', 'origin', company.remote.urlWithAuth);
  const env: Record<string, string> = { ...company.env, PATH: [bin, company.env.PATH ?? process.env.PATH ?? ''].join(delimiter) };
  return {
    cwd,
    env,
    run: (script: string, own: NodeJS.ProcessEnv = env): Promise<Ended> => execute('sh', ['-ec', script], { cwd, env: own }),
  };
}
