import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { execute, root } from '../cli/program.ts';
import { openSetup, tokens } from '../onboard/setup-stage.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { copySources } from './sources.ts';

it('a package that a tag published writes a workflow that is pinned to the commit of that tag', async () => {
  const { folder, run } = await copySources();
  const { version }: { readonly version: string } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  await run('git', ['tag', '--annotate', `v${version}`, '--message', 'a tag with an object of its own']);
  const commit = await run('git', ['rev-parse', 'HEAD']);
  const place = await tempFolder('published');
  // The step before `npm publish`, and what that does: it packs what `prepack` builds.
  await run('bash', ['-ec', await namingRepository()], {
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'acme-tools/pilotfish',
  });
  await run('npm', ['pack', '--pack-destination', place], { PILOTFISH_RELEASE: 'acme-tools/pilotfish' });
  const [tarball = ''] = await readdir(place);

  const installed = join(place, 'installed');
  await mkdir(installed);
  await writeFile(join(installed, 'package.json'), '{ "private": true }');
  const env = { PATH: process.env.PATH ?? '', HOME: place, npm_config_cache: join(place, 'cache') };
  const install = await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', join(place, tarball)], { cwd: installed, env });
  expect(install.code, install.stderr).toBe(0);
  const program = join(installed, 'node_modules/pilotfish/dist/pilotfish.js');

  const manifest = JSON.parse(await readFile(join(installed, 'node_modules/pilotfish/package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    version,
    repository: { type: 'git', url: 'git+https://github.com/acme-tools/pilotfish.git' },
    homepage: 'https://github.com/acme-tools/pilotfish#readme',
    bugs: { url: 'https://github.com/acme-tools/pilotfish/issues' },
    mcpName: 'io.github.acme-tools/pilotfish',
  });

  const stage = await openSetup({ env: { NEON_API_KEY: tokens.neon, VERCEL_TOKEN: tokens.vercel } });
  const session = stage.alone(['init', '--setup', '--yes'], program);
  expect(await session.ended, session.text).toBe(0);
  expect(await stage.read('.github/workflows/pilotfish.yml')).toContain(`uses: acme-tools/pilotfish/action@${commit} # v${version}\n`);
});

async function namingRepository(): Promise<string> {
  const { jobs } = parse(await readFile(join(root, '.github/workflows/release.yml'), 'utf8'));
  const step = jobs.publish.steps.find(({ run = '' }: { readonly run?: string }) => run.startsWith('node scripts/release/fill.ts'));
  return step.run;
}
