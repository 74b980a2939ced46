import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { vercel } from 'pilotfish-sandbox/vercel/index';
import { expect, it, onTestFinished } from 'vitest';
import { openStage } from '../support/stage.ts';

const create = 'POST /v10/projects/{idOrName}/env';

interface Wanted {
  readonly key?: string;
  readonly target?: readonly string[];
  readonly branch?: string;
}

/** Variables of one project, which one request makes, and what the provider says of it. */
async function applied(wanted: Readonly<Record<string, Wanted>>, failed: readonly object[], created: readonly string[] = []) {
  const simulation = vercel();
  simulation.world.addBranch('feat');
  const changes = Object.entries(wanted).map(([id, { key = 'KEY', target = ['preview'], branch }]) => ({
    ...{ id, adapter: 'vercel', op: 'env', project: 'shop', key, value: { public: id }, target: [...target] },
    ...(branch && { git_branch: branch }),
  }));
  const plan = JSON.stringify({ version: 1, changes });
  const stage = await openStage({ simulations: [simulation], env: { VERCEL_TOKEN: simulation.tokens.full }, plan });
  onTestFinished(async () => {
    verifyHandled([simulation]);
    await stage.close();
  });
  const made = created.map((id) => ({ id: `env_${id}`, key: 'KEY', type: 'encrypted', target: ['preview'], ...wanted[id] }));
  simulation.faults.once(create, 201, { created: made, failed: failed.map((error) => ({ error })) });
  const doc = await stage.apply();
  expect(simulation.writes().filter(({ method }) => method === 'POST')).toHaveLength(1);
  return new Map(doc.lines.map(({ id, state, error }) => [id, error?.detail ?? state]));
}

const reason = (message: string, more: object = {}) => ({ code: 'BAD', message, envVarKey: 'KEY', ...more });

it('two of one key and other targets have each its own reason, in whatever order they come', async () => {
  const wanted = { one: { target: ['preview'] }, two: { target: ['development'] } };
  const reasons = [reason('The first is too long.', { target: ['preview'] }), reason('The second is reserved.', { target: 'development' })];
  for (const failed of [reasons, reasons.toReversed()]) {
    const told = await applied(wanted, failed);
    expect(told.get('one')).toMatch(/The first is too long\.$/);
    expect(told.get('two')).toMatch(/The second is reserved\.$/);
    expect([told.get('one')?.includes('reserved'), told.get('two')?.includes('too long')]).toEqual([false, false]);
  }
});

it('two of one key and other branches have each its own reason', async () => {
  const told = await applied({ one: { branch: 'feat' }, two: {} }, [
    reason('For all branches.', { target: ['preview'] }),
    reason('For one branch.', { target: ['preview'], gitBranch: 'feat' }),
  ]);
  expect([told.get('one'), told.get('two')]).toEqual([expect.stringMatching(/one branch\.$/), expect.stringMatching(/all branches\.$/)]);
});

it('one that is named by some of its targets, or by a name of another member, has its reason', async () => {
  const told = await applied({ one: { target: ['preview', 'development'] }, two: { key: 'OTHER' } }, [
    { code: 'BAD', message: 'Not for previews.', key: 'OTHER', target: 'preview' },
    reason('Not for developers.', { target: 'development' }),
  ]);
  expect([told.get('one'), told.get('two')]).toEqual([expect.stringMatching(/developers\.$/), expect.stringMatching(/previews\.$/)]);
});

it('a reason that names nothing is the one of whom its words name', async () => {
  const told = await applied({ one: { key: 'URL' }, two: { key: 'DATABASE_URL' } }, [
    { code: 'BAD', message: 'The value of DATABASE_URL is empty.' },
    { code: 'BAD', message: 'The value of URL is empty.' },
  ]);
  expect([told.get('one'), told.get('two')]).toEqual([expect.stringMatching(/ of URL is/), expect.stringMatching(/ of DATABASE_URL is/)]);
});

it('a reason that may be the one of several is told to each of them as one of several', async () => {
  const told = await applied({ one: { target: ['preview'] }, two: { target: ['development'] }, three: { key: 'OTHER' } }, [
    reason('Too long.'),
    reason('Reserved.'),
    { code: 'BAD', message: 'Of another.', envVarKey: 'OTHER' },
  ]);
  for (const id of ['one', 'two']) expect(told.get(id)).toMatch(/one of: .*Too long\..*Reserved\./);
  expect(told.get('three')).toMatch(/OTHER: Of another\.$/);
});

it('a reason that fits none is told to those that were not made, and to nobody else', async () => {
  const told = await applied(
    { one: { target: ['preview'] }, two: { target: ['development'] } },
    [reason('Lost.', { envVarKey: 'NOBODY' })],
    ['one'],
  );
  expect(told.get('one')).toBe('settled');
  expect(told.get('two')).toContain('Lost.');
});

it('what stands in the way of one is seen, also where the answer does not say whose reason it is', async () => {
  const simulation = vercel();
  const changes = ['preview', 'development'].map((target) => ({
    ...{ id: target, adapter: 'vercel', op: 'env', project: 'shop', key: 'KEY', value: { public: target }, target: [target] },
  }));
  const plan = JSON.stringify({ version: 1, changes });
  const stage = await openStage({ simulations: [simulation], env: { VERCEL_TOKEN: simulation.tokens.full }, plan });
  onTestFinished(() => stage.close());
  simulation.world.setEnv('KEY', 'theirs', { target: ['preview', 'production'] });
  const failed = [{ error: { code: 'ENV_CONFLICT', message: 'It exists.', envVarKey: 'KEY' } }, { error: reason('Reserved.') }];
  simulation.faults.once(create, 201, { created: [], failed });
  const { lines } = await stage.apply();
  expect(lines.map(({ error }) => error?.code)).toEqual(['RESOURCE_FOREIGN', 'PROVIDER_INVALID']);
  expect(lines[1]?.error?.detail).toContain('Reserved.');
});
