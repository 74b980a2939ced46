import assert from 'node:assert/strict';
import { clerk } from 'pilotfish-sandbox/clerk';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { atVercel, deployment, gitBranch, hosted, settled, sha, variable } from './hosted.ts';
import type { Row } from './rows.ts';

const both = [variable(), deployment({ depends_on: ['url'] })];

/** Every path that a provider was asked at, with ids and names left out. */
const pathsOf = (log: readonly { readonly method: string; readonly path: string }[]): readonly string[] => [
  ...new Set(log.map(({ method, path }) => `${method} ${path.replace(/(env|deployments)\/[^/]+/, '$1/{id}')}`)),
];

export const rows: readonly Row[] = [
  atVercel(
    'Path versions in use: deployment list v7, create v13, variable list v10, project get v9; and no older one.',
    both,
    async ({ stage, world, simulation }) => {
      // Older than the variable, so that it is made again.
      world.settle(world.push(gitBranch, sha), 'READY');
      settled(await stage.apply({ sha }));
      world.setEnv('DATABASE_URL', 'by hand', { target: ['preview'], gitBranch });
      settled(await stage.apply({ sha }));
      settled(await stage.destroy());
      assert.deepEqual(pathsOf(simulation.log).toSorted(), [
        'DELETE /v9/projects/shop/env/{id}',
        'GET /v1/projects/shop/env/{id}',
        'GET /v10/projects/shop/env',
        'GET /v13/deployments/{id}',
        'GET /v7/deployments',
        'GET /v9/projects/shop',
        'PATCH /v9/projects/shop/env/{id}',
        'POST /v10/projects/shop/env',
        'POST /v13/deployments',
      ]);
    },
  ),
  hosted(
    'A version header that carries a date goes with every request: without it another shape may be answered.',
    {
      // The simulation refuses every other version, and a request without one.
      simulate: clerk,
      token: 'CLERK_SECRET_KEY',
      lines: [{ id: 'login', adapter: 'clerk', op: 'redirect_allow', url: 'https://pr-12.acme.example/sso-callback' }],
    },
    async ({ stage, simulation }) => {
      settled(await stage.apply());
      settled(await stage.destroy());
      assert.deepEqual(
        [...new Set(simulation.log.map(({ method, status }) => `${method} ${status}`))],
        ['GET 200', 'POST 200', 'DELETE 200'],
      );
    },
  ),
  {
    says: 'A version header or media type that a provider needs is a date: YYYY-MM-DD or YYYYMMDD.',
    check: async () => {
      const registry = await openRegistry({ env: {}, cwd: process.cwd() });
      const families = registry.familyNames().map((name) => registry.family(name));
      const all = await Promise.all([...registry.adapterNames().map((name) => registry.adapter(name)), ...families]);
      const pinned = all.flatMap((one) => {
        const { headers = {}, media_type: type = '' } = one?.provider ?? {};
        return [...Object.values(headers), type].filter((text) => /20\d\d/.test(text));
      });
      assert.ok(pinned.length >= 6, `${pinned.length} providers pin a version`);
      for (const text of pinned) assert.match(text, /(?:^|\.)20\d\d(-?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(?:$|[.+])/);
    },
  },
];
