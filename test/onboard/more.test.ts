import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { cloneOf, pilotfish } from './command.ts';

const file = 'release.plan.yaml';

/** A team's own plan: another id for the deployment, a project that is filled in, and no line for Clerk or the database. */
const plan = `version: 1

changes:
  # Ours.
  - id: site # the name that we gave it
    adapter: hosting_a
    op: deploy
    project: shop
`;

async function withPlan(text = plan): Promise<{ readonly cwd: string; readonly read: () => Promise<string> }> {
  const cwd = await cloneOf('nextjs-vercel');
  await writeFile(join(cwd, file), text);
  return { cwd, read: () => readFile(join(cwd, file), 'utf8') };
}

describe('init where a plan is there', () => {
  it('tells what the plan lacks, and how to add it', async () => {
    const { cwd } = await withPlan();
    const { stdout } = await pilotfish(['init', '--json'], { cwd });
    const { found } = JSON.parse(stdout).detected;
    const linesOf = (name: string) => found.find((one: { name: string }) => one.name === name)?.lines;
    expect(linesOf('clerk')).toEqual([{ id: 'sign-in', state: 'new' }]);
    expect(linesOf('neon')).toEqual([{ id: 'database', state: 'new' }]);
    expect(linesOf('vercel')).toContainEqual({ id: 'site', state: 'there' });
    expect((await pilotfish(['init'], { cwd })).stdout).toMatch(/Not in the plan yet; pilotfish init --add [a-z-]+ adds a line\./);
  });

  it('--add splices the line in, with the names and values that the plan has', async () => {
    const { cwd, read } = await withPlan();
    const told = await pilotfish(['init', '--add', 'sign-in'], { cwd });
    expect(told).toMatchObject({ code: 0, stderr: '' });
    expect(told.stdout).toContain(`${file} now has sign-in.`);
    const after = await read();
    expect(after.startsWith(plan)).toBe(true);
    expect(parse(after).changes.at(-1)).toEqual({
      id: 'sign-in',
      adapter: 'clerk',
      op: 'redirect_allow',
      url: { from: 'site.url' },
      path: '/sso-callback',
      // The plan has production as well, and nobody wants a preview's line there.
      environments: ['preview'],
    });
    const again = await pilotfish(['init', '--add', 'sign-in'], { cwd });
    expect(again.code).toBe(2);
    expect(again.stdout + again.stderr).toContain('already has the line sign-in');
    expect(await read()).toBe(after);
  });

  it('--add brings what the line refers to', async () => {
    const { cwd, read } = await withPlan();
    expect((await pilotfish(['init', '--add', 'database-url'], { cwd })).code).toBe(0);
    const { changes } = parse(await read());
    expect(changes.map(({ id }: { id: string }) => id)).toEqual(['site', 'database', 'database-url']);
    expect(changes[2]).toMatchObject({ value: { from: 'database.pooled_connection_uri' }, git_branch: '${ctx.git.branch}' });
  });

  it.each(['--add', '--adopt'])('%s gives a new line what the plan says, where a file of the repository says another', async (flag) => {
    const { cwd, read } = await withPlan();
    expect(await readFile(join(cwd, '.vercel/project.json'), 'utf8')).not.toContain('shop');
    expect((await pilotfish(['init', flag, 'database-url'], { cwd })).code).toBe(0);
    const line = parse(await read()).changes.find(({ id }: { id: string }) => id === 'database-url');
    expect(line).toMatchObject({ adapter: 'vercel', op: 'env', project: 'shop' });
  });

  it('--add takes what a file says where the plan still has a placeholder', async () => {
    const { cwd, read } = await withPlan(plan.replace('project: shop', 'project: the-shop # TODO: ask Ada'));
    expect((await pilotfish(['init', '--add', 'database-url'], { cwd })).code).toBe(0);
    expect(parse(await read()).changes[2]).toMatchObject({ id: 'database-url', project: 'prj_8QfZ2vYk1mN4rT7wX0bC3dE6gH9j' });
  });

  it('a plan whose previews have another name has the lines that it has', async () => {
    const { cwd } = await withPlan(plan.replace('changes:', 'environments: [staging, production]\n\nchanges:'));
    const { found } = JSON.parse((await pilotfish(['init', '--json'], { cwd })).stdout).detected;
    expect(found.find(({ name }: { name: string }) => name === 'vercel').lines).toContainEqual({ id: 'site', state: 'there' });
  });

  it('--add takes over a value of the run as the plan writes it', async () => {
    const { cwd, read } = await withPlan(plan.replace('project: shop', 'project: shop-${ctx.environment}-${ctx.pr.number}'));
    expect((await pilotfish(['init', '--add', 'database-url'], { cwd })).code).toBe(0);
    expect(parse(await read()).changes[2]).toMatchObject({ id: 'database-url', project: 'shop-${ctx.environment}-${ctx.pr.number}' });
  });

  it('--add takes no id that a line of another environment has', async () => {
    const { cwd, read } = await withPlan(
      `${plan}  - id: sign-in\n    recipe: stripe.coupon\n    coupon_id: x\n    environments: [production]\n`,
    );
    expect(await pilotfish(['init', '--add', 'sign-in-clerk'], { cwd })).toMatchObject({ code: 0, stderr: '' });
    expect(parse(await read()).changes.map(({ id }: { id: string }) => id)).toEqual(['site', 'sign-in', 'sign-in-clerk']);
  });

  it('--add leaves the block of a provider alone that the plan writes under its other name', async () => {
    const text = plan.replace('changes:', 'providers:\n  hosting_a:\n    team_id: team_ours\n\nchanges:');
    const { cwd, read } = await withPlan(text);
    expect((await pilotfish(['init', '--add', 'database-url'], { cwd })).code).toBe(0);
    expect(parse(await read()).providers).toEqual({ hosting_a: { team_id: 'team_ours' } });
  });

  it('knows its own comments: they are not new, and --add writes the line in the place of its comment', async () => {
    const cwd = await cloneOf('preview');
    const read = () => readFile(join(cwd, file), 'utf8');
    expect((await pilotfish(['init'], { cwd })).code).toBe(0);
    const before = await read();
    const [, id = ''] = /^ *# - id: (\S+)$/m.exec(before) ?? [];
    const again = await pilotfish(['init', '--json'], { cwd });
    expect(await read()).toBe(before);
    const states = JSON.parse(again.stdout).detected.found.flatMap(({ lines }: { lines: { state: string }[] }) =>
      lines.map(({ state }) => state),
    );
    expect(new Set(states)).toEqual(new Set(['there', 'comment']));
    expect(await pilotfish(['init', '--add', id], { cwd })).toMatchObject({ code: 0, stderr: '' });
    const after = await read();
    expect(after).not.toContain(`# - id: ${id}`);
    expect(parse(after).changes.filter((line: { id: string }) => line.id === id)).toHaveLength(1);
    const third = await pilotfish(['init', '--json'], { cwd });
    expect(await read()).toBe(after);
    expect(JSON.stringify(JSON.parse(third.stdout).detected.found)).not.toContain('"new"');
  });

  it('--adopt keeps the values that stand at the provider', async () => {
    const { cwd, read } = await withPlan();
    expect((await pilotfish(['init', '--adopt', 'database-url'], { cwd })).code).toBe(0);
    const line = parse(await read()).changes.find(({ id }: { id: string }) => id === 'database-url');
    expect(line).toMatchObject({ key: 'DATABASE_URL', value: { keep: true }, target: ['preview'] });
  });

  it.each([
    ['--add', 'payments', 'pilotfish found nothing in this repository that needs a line payments.'],
    ['--add', 'site', 'The plan already has the line site.'],
    ['--adopt', 'sign-in', 'has no value to keep'],
  ])('%s %s is refused with what could be added, and nothing is written', async (flag, id, words) => {
    const { cwd, read } = await withPlan();
    const { code, stdout, stderr } = await pilotfish(['init', flag, id], { cwd });
    expect(code).toBe(2);
    expect(stdout + stderr).toContain(words);
    expect(await read()).toBe(plan);
  });

  it('a plan that is broken is left as it is, and plan is named', async () => {
    const { cwd, read } = await withPlan('changes: [\n');
    const { code, stdout, stderr } = await pilotfish(['init', '--add', 'sign-in'], { cwd });
    expect(code).toBe(2);
    expect(stdout + stderr).toContain('Run `pilotfish plan`');
    expect(await read()).toBe('changes: [\n');
  });
});

it('--add without a plan is refused before anything is written', async () => {
  const cwd = await cloneOf('nextjs-vercel');
  const { code, stdout, stderr } = await pilotfish(['init', '--add', 'sign-in'], { cwd });
  expect(code).toBe(2);
  expect(stdout + stderr).toContain('Run `pilotfish init`');
  await expect(readFile(join(cwd, file), 'utf8')).rejects.toThrow('ENOENT');
});
