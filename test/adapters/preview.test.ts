import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { neon as simulateNeon } from 'pilotfish-sandbox/neon/index';
import { vercel as simulateVercel } from 'pilotfish-sandbox/vercel/index';
import { expect, test } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { openStage } from '../support/stage.ts';

const sha = 'a'.repeat(40);

test('a preview gets its own database: branch, variable, a deployment that saw it; again writes nothing; destroy leaves nothing', async () => {
  const [neon, vercel] = [simulateNeon(), simulateVercel()];
  const stage = await openStage({
    simulations: [neon, vercel],
    env: { NEON_API_KEY: neon.tokens.full, VERCEL_TOKEN: vercel.tokens.full },
    plan: `
changes:
  - { id: db, adapter: neon, op: branch, project_id: ${neon.world.project}, name: "\${ctx.scope}" }
  - { id: url, adapter: vercel, op: env, project: shop, key: DATABASE_URL, value: { from: db.pooled_connection_uri }, git_branch: feat/x }
  - { id: site, adapter: hosting_a, op: deploy, project: shop, depends_on: [url] }
`,
  });
  // The host begins to build with the push, before anybody could have written the variable.
  const early = vercel.world.push('feat/x', sha);
  const first = await stage.apply({ sha });
  expect(first.status).toBe('complete');
  const uri = neon.world.uri('pr-12', true);
  expect(vercel.world.env('DATABASE_URL')).toMatchObject({ value: uri, gitBranch: 'feat/x' });
  const built = vercel.world.deployments().at(-1);
  expect(built?.id).not.toBe(early.id);
  expect(built?.env).toMatchObject({ DATABASE_URL: uri });
  expect(first.outputs.site).toMatchObject({ id: built?.id, url: `https://${built?.host}` });
  expect(await stage.bytes()).not.toContain('npg_');
  expect(JSON.stringify(first)).not.toContain('npg_');

  const watched = stage.watch();
  expect((await stage.apply({ sha })).status).toBe('complete');
  expect(watched.writes()).toEqual([]);

  const gone = await stage.destroy({ sha });
  expect(gone.status).toBe('complete');
  expect(neon.world.branch('pr-12')).toBeUndefined();
  expect(vercel.world.env('DATABASE_URL')).toBeUndefined();
  await stage.close();
  verifyHandled([neon, vercel]);
  expectContracts([neon, vercel]);
});
