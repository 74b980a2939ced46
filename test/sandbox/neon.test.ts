import { asking } from 'pilotfish-sandbox/ask';
import { type Simulation, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { type NeonOptions, type NeonWorld, neon } from 'pilotfish-sandbox/neon/index';
import { afterEach, describe, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';

const root = '/api/v2/projects/quiet-river-12345678';
let simulations: Simulation<NeonWorld>[] = [];
afterEach(() => {
  verifyHandled(simulations);
  expectContracts(simulations);
  simulations = [];
});

function world(options: NeonOptions = {}, token: 'full' | 'readOnly' | 'blind' = 'full') {
  const simulation = neon(options);
  simulations.push(simulation);
  return { simulation, ask: asking(simulation, { authorization: `Bearer ${simulation.tokens[token]}` }) };
}

const create = (name: string, more = {}) => ({ branch: { name }, endpoints: [{ type: 'read_write' }], ...more });
const missingOf = (value: unknown, names: string): string[] =>
  names.split(' ').filter((name) => typeof value !== 'object' || value === null || Reflect.get(value, name) === undefined);

describe('neon branches', () => {
  it('a fresh project has one ready default branch, main', async () => {
    const { ask } = world();
    const list = await ask('GET', `${root}/branches`);
    expect(list.status).toBe(200);
    expect(list.body).toMatchObject({ branches: [{ name: 'main', default: true, current_state: 'ready' }], annotations: {} });
    const required =
      'id project_id name current_state state_changed_at creation_source default protected cpu_used_sec compute_time_seconds active_time_seconds written_data_bytes data_transfer_bytes created_at updated_at';
    expect(missingOf(list.at('branches', 0), required)).toEqual([]);
  });

  it('a created branch forks from the default one and answers with all that the contract requires', async () => {
    const { simulation, ask } = world();
    const made = await ask('POST', `${root}/branches`, create('pr-1'));
    expect(made.status).toBe(201);
    expect(missingOf(made.body, 'branch endpoints operations roles databases connection_uris')).toEqual([]);
    expect(made.at('branch', 'parent_id')).toBe(simulation.world.branch('main')?.id);
    expect(made.at('branch', 'current_state')).toBe('init');
    expect(made.at('connection_uris', 0, 'connection_uri')).toBe(simulation.world.uri('pr-1'));
    const endpoint =
      'host id project_id branch_id autoscaling_limit_min_cu autoscaling_limit_max_cu region_id type current_state settings pooler_enabled pooler_mode disabled passwordless_access creation_source created_at updated_at proxy_host suspend_timeout_seconds provisioner';
    expect(missingOf(made.at('endpoints', 0), endpoint)).toEqual([]);
    expect(
      missingOf(made.at('operations', 0), 'id project_id action status failures_count created_at updated_at total_duration_ms'),
    ).toEqual([]);
  });

  it('without endpoints a branch has no compute and no connection string', async () => {
    const { ask } = world();
    const made = await ask('POST', `${root}/branches`, { branch: { name: 'bare' } });
    expect(made.at('endpoints')).toEqual([]);
    expect(made.at('connection_uris')).toBeUndefined();
    const path = `${root}/connection_uri?branch_id=${String(made.at('branch', 'id'))}&database_name=neondb&role_name=neondb_owner`;
    expect((await ask('GET', path)).status).toBe(404);
  });

  it('a branch, its compute and its operations are ready with the n-th poll', async () => {
    const { simulation, ask } = world();
    simulation.faults.readyAfter(2);
    const made = await ask('POST', `${root}/branches`, create('pr-1'));
    const path = `${root}/branches/${String(made.at('branch', 'id'))}`;
    expect((await ask('GET', path)).at('branch', 'current_state')).toBe('init');
    const operation = `${root}/operations/${String(made.at('operations', 0, 'id'))}`;
    expect((await ask('GET', operation)).at('operation', 'status')).toBe('finished');
    expect((await ask('GET', path)).at('branch', 'current_state')).toBe('ready');
    expect((await ask('GET', `${path}/endpoints`)).at('endpoints', 0, 'current_state')).toBe('active');
  });

  it('a second branch of one name is a conflict, and so is a rename to it', async () => {
    const { ask } = world();
    await ask('POST', `${root}/branches`, create('pr-1'));
    const twice = await ask('POST', `${root}/branches`, create('pr-1'));
    expect([twice.status, twice.at('message')]).toEqual([409, 'branch already exists']);
    const other = await ask('POST', `${root}/branches`, create('pr-2'));
    const renamed = await ask('PATCH', `${root}/branches/${String(other.at('branch', 'id'))}`, { branch: { name: 'pr-1' } });
    expect(renamed.status).toBe(409);
  });

  it('only name, protection and expiry can be changed', async () => {
    const { simulation, ask } = world({ clock: { now: () => 0, mono: () => 0, sleep: async () => {} } });
    const id = simulation.world.addBranch('pr-1').id;
    const body = { branch: { name: 'pr-1b', protected: true, expires_at: '1971-01-01T00:00:00Z' } };
    const changed = await ask('PATCH', `${root}/branches/${id}`, body);
    expect(changed.status).toBe(200);
    expect(changed.at('branch')).toMatchObject(body.branch);
    expect((await ask('PATCH', `${root}/branches/${id}`, { branch: { expires_at: null } })).at('branch', 'expires_at')).toBeUndefined();
    expect((await ask('PATCH', `${root}/branches/${id}`, { branch: { expires_at: '1969-01-01T00:00:00Z' } })).status).toBe(400);
  });

  it('deleting answers the operations, a second delete 422 or 404 while they run, and 204 for ever', async () => {
    const { simulation, ask } = world();
    const { id } = simulation.world.addBranch('pr-1');
    const gone = await ask('DELETE', `${root}/branches/${id}`);
    expect([gone.status, gone.at('operations', 1, 'action')]).toEqual([200, 'delete_timeline']);
    for (const status of [422, 404, 204, 204]) expect((await ask('DELETE', `${root}/branches/${id}`)).status).toBe(status);
    expect((await ask('GET', `${root}/branches/${id}`)).status).toBe(404);
    expect((await ask('POST', `${root}/branches`, create('pr-1'))).status).toBe(201);
  });

  it('a deleted branch is listed only on demand, and carries its recovery', async () => {
    const { simulation, ask } = world();
    const { id } = simulation.world.addBranch('pr-1');
    simulation.world.removeBranch('pr-1');
    expect((await ask('GET', `${root}/branches?search=pr-`)).at('branches')).toEqual([]);
    const all = await ask('GET', `${root}/branches?search=pr-&include_deleted=true`);
    expect(all.at('branches')).toMatchObject([{ id, recovery: { deletion_method: 'user' } }]);
  });

  it('the default, a protected one and a parent are not deleted', async () => {
    const { simulation, ask } = world();
    const parent = simulation.world.addBranch('parent');
    simulation.world.addBranch('child', { parent: 'parent' });
    const safe = simulation.world.addBranch('safe');
    safe.isProtected = true;
    for (const id of [simulation.world.branch('main')?.id, parent.id, safe.id]) {
      expect((await ask('DELETE', `${root}/branches/${String(id)}`)).status).toBe(422);
    }
  });

  it('a list is paged by cursor, searched in parts, and sorted', async () => {
    const { simulation, ask } = world();
    for (const name of ['pr-3', 'pr-1', 'pr-2', 'other']) simulation.world.addBranch(name);
    const names: unknown[] = [];
    let cursor = '';
    do {
      const page = await ask('GET', `${root}/branches?search=pr-&sort_by=name&sort_order=asc&limit=2${cursor && `&cursor=${cursor}`}`);
      names.push(page.at('branches', 0, 'name'), page.at('branches', 1, 'name'));
      cursor = String(page.at('pagination', 'next') ?? '');
    } while (cursor !== '');
    expect(names).toEqual(['pr-1', 'pr-2', 'pr-3', undefined]);
    simulation.world.state.pageSize = 3;
    expect((await ask('GET', `${root}/branches`)).at('branches')).toHaveLength(3);
  });

  it.each(['limit=0', 'limit=10001', 'limit=x', 'sort_by=size', 'sort_order=up', 'cursor=nonsense'])(
    'a list with %s is refused',
    async (query) => {
      const { ask } = world();
      expect((await ask('GET', `${root}/branches?${query}`)).status).toBe(400);
    },
  );

  it.each([
    ['a name that is empty', create('')],
    ['a name of 257 characters', create('x'.repeat(257))],
    ['a name that is no text', create(7 as never)],
    ['an endpoint without type', create('a', { endpoints: [{}] })],
    ['two writers', create('a', { endpoints: [{ type: 'read_write' }, { type: 'read_write' }] })],
  ])('a create with %s is refused', async (_, body) => {
    const { simulation, ask } = world();
    const answer = await ask('POST', `${root}/branches`, body);
    expect(answer.status).toBe(400);
    expect(missingOf(answer.body, 'code message')).toEqual([]);
    expect(simulation.world.branches()).toHaveLength(1);
  });

  it('a body of another content type, and an unreadable one, are refused', async () => {
    const { ask } = world();
    expect((await ask('POST', `${root}/branches`, 'branch[name]=a', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(
      400,
    );
    expect((await ask('POST', `${root}/branches`, '{"branch":', { 'content-type': 'application/json' })).status).toBe(400);
  });

  it('an unknown parent, project, branch and operation are 404', async () => {
    const { ask } = world();
    expect((await ask('POST', `${root}/branches`, { branch: { name: 'a', parent_id: 'br-none' } })).status).toBe(404);
    expect((await ask('GET', '/api/v2/projects/none/branches')).status).toBe(404);
    expect((await ask('GET', `${root}/branches/br-none`)).status).toBe(404);
    expect((await ask('GET', `${root}/operations/00000000-0000-4000-8000-000000000000`)).status).toBe(404);
  });

  it('a full project refuses one more', async () => {
    const { simulation, ask } = world();
    simulation.world.state.branchLimit = 1;
    expect((await ask('POST', `${root}/branches`, create('a'))).at('code')).toBe('BRANCHES_LIMIT_EXCEEDED');
  });

  it('a locked project answers 423, and while it is busy where that is asked for', async () => {
    const { simulation, ask } = world();
    simulation.world.state.lockedWrites = 1;
    expect((await ask('POST', `${root}/branches`, create('a'))).status).toBe(423);
    expect((await ask('POST', `${root}/branches`, create('a'))).status).toBe(201);
    simulation.world.state.locksWhileBusy = true;
    expect((await ask('POST', `${root}/branches`, create('b'))).status).toBe(423);
    expect((await ask('POST', `${root}/branches`, create('b'))).status).toBe(201);
  });
});

describe('neon connection strings', () => {
  it('are direct or pooled, of the default branch or a named one', async () => {
    const { simulation, ask } = world();
    const { id } = simulation.world.addBranch('pr-1');
    const path = `${root}/connection_uri?database_name=neondb&role_name=neondb_owner`;
    expect((await ask('GET', path)).body).toEqual({ uri: simulation.world.uri('main') });
    const pooled = await ask('GET', `${path}&branch_id=${id}&pooled=true`);
    expect(pooled.body).toEqual({ uri: simulation.world.uri('pr-1', true) });
    expect(pooled.at('uri')).toMatch(/^postgresql:\/\/neondb_owner:npg_\w{24}@ep-\w+-\d+-pooler\.eu-central-1\.aws\.neon\.tech\/neondb\?/);
  });

  it('need a database and a role that exist', async () => {
    const { ask } = world();
    expect((await ask('GET', `${root}/connection_uri?role_name=neondb_owner`)).status).toBe(400);
    expect((await ask('GET', `${root}/connection_uri?database_name=neondb`)).status).toBe(400);
    expect((await ask('GET', `${root}/connection_uri?database_name=none&role_name=neondb_owner`)).status).toBe(404);
    expect((await ask('GET', `${root}/connection_uri?database_name=neondb&role_name=none`)).status).toBe(404);
  });

  it('keep the password of the parent unless the parent is protected', async () => {
    const { simulation } = world();
    const password = (name: string) => /:([^:@]+)@/.exec(simulation.world.uri(name))?.[1];
    simulation.world.addBranch('same');
    const main = simulation.world.branch('main');
    if (main) main.isProtected = true;
    simulation.world.addBranch('own');
    expect(password('same')).toBe(password('main'));
    expect(password('own')).not.toBe(password('main'));
  });

  it('roles and databases are listed without passwords', async () => {
    const { simulation, ask } = world();
    const path = `${root}/branches/${String(simulation.world.branch('main')?.id)}`;
    expect((await ask('GET', `${path}/databases`)).at('databases', 0)).toMatchObject({ name: 'neondb', owner_name: 'neondb_owner' });
    const roles = await ask('GET', `${path}/roles`);
    expect(roles.at('roles', 0)).toMatchObject({ name: 'neondb_owner' });
    expect(JSON.stringify(roles.body)).not.toContain('npg_');
  });
});

describe('neon credentials', () => {
  it('a wrong one is 401, a read-only one 403 for writes, a blind one sees no project', async () => {
    const { simulation } = world();
    const wrong = await asking(simulation, { authorization: 'Bearer nonsense' })('GET', `${root}/branches`);
    expect([wrong.status, wrong.at('message')]).toEqual([401, 'supplied credentials do not pass authentication']);
    expect((await asking(simulation, {})('GET', `${root}/branches`)).status).toBe(401);
    const readOnly = world({}, 'readOnly');
    expect((await readOnly.ask('GET', `${root}/branches`)).status).toBe(200);
    expect((await readOnly.ask('POST', `${root}/branches`, create('a'))).status).toBe(403);
    expect((await world({}, 'blind').ask('GET', `${root}/branches`)).status).toBe(404);
  });
});
