import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { pilotfish } from './command.ts';

const plan = `version: 1
changes:
  - { id: database, adapter: neon, op: branch, project_id: quiet-river-12345678, name: "shop-\${ctx.scope}" }
  - id: key
    adapter: vercel
    op: env
    project: shop
    key: STRIPE_KEY
    value: { secret: "env://STRIPE_KEY" }
    target: [preview]
    depends_on: [database]
`;

/** What a person reads in the log of a job that was given the token of Vercel and nothing else. */
async function logOf(env: NodeJS.ProcessEnv): Promise<string> {
  const cwd = await tempFolder('missing');
  await writeFile(join(cwd, 'release.plan.yaml'), plan);
  const { code, stdout, stderr } = await pilotfish(['plan', '--pr', '12'], { cwd, env: { VERCEL_TOKEN: 'vcp_0123456789', ...env } });
  expect(code).toBe(2);
  return stdout + stderr;
}

it.each([
  ['a terminal', {}, ['Set NEON_API_KEY.', 'Set STRIPE_KEY.'], ['secrets.', 'in the settings']],
  [
    'a job of GitHub, where a secret that is not there is an empty variable',
    { CI: 'true', GITHUB_ACTIONS: 'true', NEON_API_KEY: '', STRIPE_KEY: '' },
    ['Add the secret NEON_API_KEY in the settings of the repository', '`STRIPE_KEY: ${{ secrets.STRIPE_KEY }}`'],
    ['Set NEON_API_KEY'],
  ],
  [
    'a job of GitLab',
    { CI: 'true', GITLAB_CI: 'true' },
    ['Add the variable NEON_API_KEY in the settings of the project', 'Add the variable STRIPE_KEY'],
    ['secrets.'],
  ],
  ['another CI', { CI: 'true' }, ['Add NEON_API_KEY to the secrets of this CI', 'Add STRIPE_KEY to'], ['in the settings']],
] as const)('a credential and a secret that are missing are told for %s, with the line that needs them', async (_, env, has, hasNot) => {
  const log = await logOf(env);
  for (const words of [...has, 'release.plan.yaml:3', 'release.plan.yaml:9', 'https://console.neon.tech']) expect(log).toContain(words);
  for (const words of hasNot) expect(log).not.toContain(words);
});
