import { asking } from 'pilotfish-sandbox/ask';
import { type Simulation, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { type VercelWorld, vercel } from 'pilotfish-sandbox/vercel/index';
import { afterEach, describe, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';

const list = '/v10/projects/shop/env';
const one = (id: unknown, version = 'v9') => `/${version}/projects/shop/env/${String(id)}`;
let simulations: Simulation<VercelWorld>[] = [];
afterEach(() => {
  verifyHandled(simulations);
  expectContracts(simulations);
  simulations = [];
});

function world() {
  const simulation = vercel();
  simulations.push(simulation);
  simulation.world.addBranch('feat');
  return { simulation, ask: asking(simulation, { authorization: `Bearer ${simulation.tokens.full}` }) };
}

const wanted = (more = {}) => ({ key: 'DATABASE_URL', value: 'postgres://x', type: 'encrypted', target: ['preview'], ...more });

describe('vercel variables', () => {
  it('a create answers 201 with the variable and nothing failed', async () => {
    const { simulation, ask } = world();
    const made = await ask('POST', list, wanted({ gitBranch: 'feat' }));
    expect([made.status, made.at('failed')]).toEqual([201, []]);
    expect(made.at('created')).toMatchObject({ key: 'DATABASE_URL', type: 'encrypted', target: ['preview'], gitBranch: 'feat' });
    expect(simulation.world.env('DATABASE_URL')?.value).toBe('postgres://x');
  });

  it('an encrypted value is readable alone, a sensitive one nowhere, a plain one everywhere', async () => {
    const { simulation, ask } = world();
    const ids = (['encrypted', 'sensitive', 'plain'] as const).map(
      (type) => simulation.world.setEnv(type.toUpperCase(), `value of ${type}`, { type }).id,
    );
    const envs = await ask('GET', list);
    const text = JSON.stringify(envs.body);
    expect([text.includes('value of encrypted'), text.includes('value of sensitive'), text.includes('value of plain')]).toEqual([
      false,
      false,
      true,
    ]);
    const reads = await Promise.all(ids.map((id) => ask('GET', one(id, 'v1'))));
    expect(reads.map((read) => [read.at('value'), read.at('decrypted')])).toEqual([
      ['value of encrypted', true],
      [undefined, false],
      ['value of plain', true],
    ]);
    expect(JSON.stringify((await ask('GET', `${list}?decrypt=true`)).body)).toContain('value of encrypted');
  });

  it('one of the same key, target and branch is refused with 403, another branch is not', async () => {
    const { ask } = world();
    await ask('POST', list, wanted());
    const twice = await ask('POST', list, wanted({ target: ['production', 'preview'] }));
    expect([twice.status, twice.at('error', 'code')]).toEqual([403, 'ENV_ALREADY_EXISTS']);
    expect((await ask('POST', list, wanted({ gitBranch: 'feat' }))).status).toBe(201);
    expect((await ask('POST', list, wanted({ target: ['production'] }))).status).toBe(201);
  });

  it('an upsert changes the one that is there, and fails where targets only overlap', async () => {
    const { simulation, ask } = world();
    const first = await ask('POST', `${list}?upsert=true`, wanted());
    const second = await ask('POST', `${list}?upsert=true`, wanted({ value: 'new' }));
    expect(second.at('created', 'id')).toBe(first.at('created', 'id'));
    expect(simulation.world.env('DATABASE_URL')?.value).toBe('new');
    const overlap = await ask('POST', `${list}?upsert=true`, wanted({ target: ['preview', 'production'] }));
    expect([overlap.status, overlap.at('created'), overlap.at('failed', 0, 'error', 'code')]).toEqual([201, undefined, 'ENV_CONFLICT']);
  });

  it('several at once answer those created and those failed', async () => {
    const { ask } = world();
    await ask('POST', list, wanted());
    const made = await ask('POST', list, [wanted(), wanted({ key: 'OTHER' })]);
    expect(made.status).toBe(201);
    expect([made.at('created', 0, 'key'), made.at('failed', 0, 'error', 'envVarKey')]).toEqual(['OTHER', 'DATABASE_URL']);
  });

  it.each([
    ['a branch with another target', wanted({ gitBranch: 'feat', target: ['preview', 'production'] })],
    ['a branch that does not exist', wanted({ gitBranch: 'none' })],
    ['the production branch', wanted({ gitBranch: 'main' })],
    ['a sensitive development value', wanted({ type: 'sensitive', target: ['development'] })],
    ['an unknown property', wanted({ visibility: 'secret' })],
    ['no type', { key: 'A', value: 'b', target: ['preview'] }],
    ['no target', wanted({ target: [] })],
    ['an unknown target', wanted({ target: ['staging'] })],
    ['a value that is no text', wanted({ value: 1 })],
    ['a key with a dash', wanted({ key: 'DATABASE-URL' })],
    ['a reserved key', wanted({ key: 'VERCEL_URL' })],
  ])('%s is refused', async (_, body) => {
    const { simulation, ask } = world();
    const answer = await ask('POST', list, body);
    expect(answer.status).toBe(400);
    expect(answer.at('error', 'message')).toEqual(expect.any(String));
    expect(simulation.world.project().env).toEqual([]);
  });

  it('a branch on a project without a repository is refused', async () => {
    const { ask } = world();
    expect((await ask('POST', '/v10/projects/plain/env', wanted({ gitBranch: 'feat' }))).status).toBe(400);
    expect((await ask('POST', '/v10/projects/plain/env', wanted())).status).toBe(201);
  });

  it('a form body is refused', async () => {
    const { ask } = world();
    expect((await ask('POST', list, 'key=A', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(400);
  });

  it('a team policy takes only sensitive values for previews', async () => {
    const { simulation, ask } = world();
    simulation.world.state.sensitiveOnly = true;
    expect((await ask('POST', list, wanted())).status).toBe(400);
    expect((await ask('POST', list, wanted({ type: 'sensitive' }))).status).toBe(201);
  });

  it('an edit changes what was sent; a sensitive one stays sensitive', async () => {
    const { simulation, ask } = world();
    const { id } = simulation.world.setEnv('A', 'old', { gitBranch: 'feat' });
    const changed = await ask('PATCH', one(id), { value: 'new', type: 'sensitive' });
    expect([changed.status, changed.at('gitBranch'), changed.at('type')]).toEqual([200, 'feat', 'sensitive']);
    expect((await ask('PATCH', one(id), { type: 'plain' })).status).toBe(400);
    expect((await ask('PATCH', one(id), { visibility: 'config' })).status).toBe(400);
  });

  it('an edit onto the place of another is refused', async () => {
    const { simulation, ask } = world();
    simulation.world.setEnv('A', '1');
    const { id } = simulation.world.setEnv('A', '2', { gitBranch: 'feat' });
    const answer = await ask('PATCH', one(id), { gitBranch: null });
    expect([answer.status, answer.at('error', 'code')]).toEqual([400, 'EXISTING_KEY_AND_TARGET']);
  });

  it('a delete answers the variable, then 404', async () => {
    const { simulation, ask } = world();
    const { id } = simulation.world.setEnv('A', '1');
    const gone = await ask('DELETE', one(id));
    expect([gone.status, gone.at('id')]).toEqual([200, id]);
    expect((await ask('DELETE', one(id))).status).toBe(404);
    expect((await ask('PATCH', one(id), { value: 'x' })).status).toBe(404);
    expect((await ask('GET', one(id, 'v1'))).status).toBe(404);
  });

  it('a list is filtered by branch and paged by time', async () => {
    const { simulation, ask } = world();
    simulation.world.state.envPageSize = 2;
    for (const key of ['A', 'B', 'C']) simulation.world.setEnv(key, key);
    simulation.world.setEnv('A', 'bound', { gitBranch: 'feat' });
    const bound = { key: 'A', gitBranch: 'feat' };
    // The first of a page stands there twice.
    expect((await ask('GET', `${list}?gitBranch=feat`)).at('envs')).toMatchObject([bound, bound]);
    const first = await ask('GET', list);
    expect(first.at('envs')).toMatchObject([bound, { key: 'C' }, bound]);
    expect(first.at('pagination', 'next')).toEqual(expect.any(Number));
  });

  it('the next page is what was made before that time', async () => {
    const simulation = vercel();
    const ask = asking(simulation, { authorization: `Bearer ${simulation.tokens.full}` });
    simulation.world.state.envPageSize = 2;
    for (const key of ['A', 'B', 'C']) simulation.world.setEnv(key, key);
    const next = (await ask('GET', list)).at('pagination', 'next');
    // The notes tell of `until`, the list of parameters does not: this exchange is not held against it.
    const second = await ask('GET', `${list}?until=${String(next)}`);
    expect(second.at('envs')).toMatchObject([{ key: 'A' }, { key: 'A' }]);
    expect(second.at('pagination', 'next')).toBeNull();
  });

  it('a list may come in its other documented forms', async () => {
    const { simulation, ask } = world();
    simulation.world.setEnv('A', '1');
    simulation.world.state.envListForm = 'whole';
    expect(Object.keys((await ask('GET', list)).body as object)).toEqual(['envs', 'hiddenProductionEnvCount']);
    simulation.world.state.envListForm = 'single';
    expect((await ask('GET', list)).at('key')).toBe('A');
  });

  it('an ongoing update is 400, a transfer 409, a full project 400', async () => {
    const { simulation, ask } = world();
    simulation.world.state.ongoingUpdates = 1;
    const ongoing = await ask('POST', list, wanted());
    expect([ongoing.status, ongoing.at('error', 'message')]).toEqual([400, expect.stringContaining('ongoing update')]);
    simulation.world.state.envLimit = 0;
    expect((await ask('POST', list, wanted())).at('error', 'code')).toBe('MAX_ENVS_EXCEEDED');
    simulation.world.project().isTransferring = true;
    expect((await ask('POST', list, wanted())).status).toBe(409);
  });
});

describe('vercel credentials', () => {
  it('a missing, wrong, read-only and blind one are told apart', async () => {
    const { simulation } = world();
    const as = (token: string) => asking(simulation, { authorization: `Bearer ${token}` });
    expect((await asking(simulation, {})('GET', list)).status).toBe(401);
    expect((await as('nonsense')('GET', list)).at('error')).toMatchObject({ code: 'forbidden', invalidToken: true });
    expect((await as(simulation.tokens.readOnly)('GET', list)).status).toBe(200);
    expect((await as(simulation.tokens.readOnly)('POST', list, wanted())).status).toBe(403);
    expect((await as(simulation.tokens.blind)('GET', list)).status).toBe(404);
  });

  it('a team is reached by its id or slug only', async () => {
    const { simulation, ask } = world();
    simulation.world.state.team = { id: 'team_acme', slug: 'acme' };
    expect((await ask('GET', list)).status).toBe(403);
    expect((await ask('GET', `${list}?teamId=team_acme`)).status).toBe(200);
    expect((await ask('GET', `${list}?slug=acme`)).status).toBe(200);
    expect((await ask('GET', `${list}?teamId=team_other`)).status).toBe(403);
  });
});

describe('vercel projects', () => {
  it('are read by id or name, with their repository when one is connected', async () => {
    const { simulation, ask } = world();
    const read = await ask('GET', `/v9/projects/${simulation.world.project().id}`);
    expect(read.body).toMatchObject({
      name: 'shop',
      accountId: 'usr_person',
      nodeVersion: '24.x',
      link: { type: 'github', org: 'acme', productionBranch: 'main' },
    });
    expect((await ask('GET', '/v9/projects/plain')).at('link')).toBeUndefined();
    expect((await ask('GET', '/v9/projects/none')).status).toBe(404);
  });
});
