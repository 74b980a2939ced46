import type { Simulation } from 'pilotfish-sandbox/kit/index';
import { type PrismaWorld, prismaPostgres } from 'pilotfish-sandbox/prisma-postgres';
import { describe, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';
import type { Subject } from '../support/suite/subject.ts';

const project_id = 'proj_cmf3k2v9x0001';
const name = 'shop-pr-12';

/** Databases of one name and of like ones beside the line's own, which stands on a later page. */
function subjectIn({ world, faults }: Simulation<PrismaWorld>, more: Readonly<Record<string, unknown>>): Subject {
  const [, otherBranch = ''] = world.addProject(project_id);
  world.state.pageSize = 1;
  world.addProject('proj_cmf3k2v9x0009');
  world.addDatabase('proj_cmf3k2v9x0009', { name, logicalId: name });
  world.addDatabase(project_id, { name: 'main', isDefault: true });
  world.addDatabase(project_id, { name });
  world.addDatabase(project_id, { name, logicalId: 'shop-pr-13' });
  const isMine = (one: { readonly projectId: string; readonly logicalId: string | null }) =>
    one.projectId === project_id && one.logicalId === name;
  const mine = () => world.state.databases.filter(isMine);
  return {
    credential: 'PRISMA_SERVICE_TOKEN',
    params: { project_id, name, region: 'eu-central-1', ...more },
    mine,
    others: () => world.state.databases.filter((one) => !isMine(one) && !one.logicalId?.startsWith('crowd-')),
    stands: { name, logicalId: name, region: 'eu-central-1' },
    edits: {},
    undeclared: { name: 'renamed in the console', region: 'us-east-1' },
    remove: () => {
      for (const { id } of mine()) world.removeDatabase(id);
    },
    // A logical id is unique within its branch: the second one stands in another.
    foreign: () => world.addDatabase(project_id, { name, logicalId: name, ...(mine().length > 0 && { branchId: otherBranch }) }),
    slow: {
      hangs: () => faults.readyAfter(Number.POSITIVE_INFINITY),
      goesOn: () => {
        faults.readyAfter(0);
        for (const one of world.state.databases) one.pending = 0;
      },
      fails: () => {
        world.state.fails = true;
      },
    },
    // A full page of the filtered list, and none after it.
    crowd: { fill: () => void ['a', 'b', 'c'].map((one) => world.addDatabase(project_id, { name, logicalId: `crowd-${one}` })), looks: 1 },
    gives: () => {
      const [{ password } = { password: '' }] = mine().map(({ connection }) => connection);
      const at = (host: string) => `postgres://prisma:${password}@${host}:5432/postgres?sslmode=require`;
      return { connection_string: at('db.prisma.io'), pooled_connection_string: at('pooled.db.prisma.io') };
    },
    secrets: () => mine().map(({ connection }) => connection.password),
  };
}

describeRecipe('prisma_postgres.database', {
  simulate: prismaPostgres,
  subject: (simulation) => subjectIn(simulation, {}),
});

describeRecipe('prisma_postgres.database_copy', {
  simulate: prismaPostgres,
  subject: (simulation) => {
    const id = 'db_cmf3k2v9x0002';
    const subject = subjectIn(simulation, { source_database_id: id });
    simulation.world.addDatabase(project_id, { id, name: 'source' });
    return { ...subject, stands: { name, logicalId: name, source: { type: 'database', databaseId: id } } };
  },
});

describe('a database of a branch', () => {
  it.each([
    ['database', {}],
    ['database_copy', { source_database_id: 'db_cmf3k2v9x0002' }],
  ])('is told from one of the same name in the default branch, and only it is removed: %s', async (op, more) => {
    const simulation = prismaPostgres();
    const { world } = simulation;
    world.state.pageSize = 1;
    const [, branch_id = ''] = world.addProject(project_id);
    const theirs = world.addDatabase(project_id, { id: 'db_cmf3k2v9x0002', name, logicalId: name });
    const stage = await openStage({
      simulations: [simulation],
      env: { PRISMA_SERVICE_TOKEN: simulation.tokens.full },
      plan: JSON.stringify({
        version: 1,
        changes: [{ id: 'db', recipe: `prisma_postgres.${op}`, project_id, name, branch_id, ...more }],
      }),
    });
    expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'create' }] });
    const watched = stage.watch();
    expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'none' }] });
    // The list has nothing of another branch in it, so it is one page.
    expect(watched.all()).toHaveLength(1);
    expect(world.state.databases).toMatchObject([{ id: theirs.id }, { branchId: branch_id, logicalId: name }]);
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(world.state.databases).toEqual([theirs]);
    expectContracts([simulation]);
    await stage.close();
  });

  it('that somebody made between the look and the create is theirs', async () => {
    const simulation = prismaPostgres();
    const { world } = simulation;
    world.addProject(project_id);
    const stop = simulation.watch(({ phase, method }) => {
      if (phase === 'before' && method === 'POST') world.addDatabase(project_id, { name, logicalId: name });
    });
    const stage = await openStage({
      simulations: [simulation],
      env: { PRISMA_SERVICE_TOKEN: simulation.tokens.full },
      plan: JSON.stringify({ version: 1, changes: [{ id: 'db', recipe: 'prisma_postgres.database', project_id, name }] }),
    });
    expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
    stop();
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(world.state.databases).toHaveLength(1);
    expectContracts([simulation]);
    await stage.close();
  });
});
