import { describe, expect, it } from 'vitest';
import { flawsOf } from './verify.ts';
import { entries, independent, variables } from './wants.ts';
import { byNameOnly, type Told, World } from './world.ts';

function ask(world: World, method: string, target: string, body?: unknown): Told {
  const url = new URL(target, 'http://127.0.0.1');
  return world.answer({ method, path: url.pathname, query: url.searchParams, body });
}

const made = (world: World, name: string): Told => ask(world, 'POST', '/collections/widgets', { name, value: 'a', needs: [] });

describe('the world of the measurements', () => {
  it('lists in pages of 100, each once, also when something goes between two pages', () => {
    const world = World.seeded(independent(1));
    for (let n = 0; n < 230; n += 1) made(world, `w-${n}`);
    const first = ask(world, 'GET', '/collections/widgets').body as { items: { id: string }[]; next: string };
    ask(world, 'DELETE', `/collections/widgets/${first.items[0]?.id}`);
    const second = ask(world, 'GET', `/collections/widgets?cursor=${first.next}`).body as typeof first;
    const third = ask(world, 'GET', `/collections/widgets?cursor=${second.next}`).body as { items: { id: string }[]; next: null };
    const all = [...first.items, ...second.items, ...third.items].map(({ id }) => id);
    expect([first.items.length, second.items.length, third.items.length, third.next]).toEqual([100, 100, 50, null]);
    expect(new Set(all).size).toBe(250);
  });

  it('makes two objects of one name, and finds both by it', () => {
    const world = World.seeded(independent(1));
    made(world, 'twin');
    made(world, 'twin');
    expect(ask(world, 'GET', '/collections/widgets?name=twin').body).toMatchObject({ items: [{ name: 'twin' }, { name: 'twin' }] });
  });

  it('lists a collection of the other kind by a name only', () => {
    const world = World.seeded(independent(1, byNameOnly));
    expect(ask(world, 'GET', `/collections/${byNameOnly}`).status).toBe(400);
    expect(ask(world, 'GET', `/collections/${byNameOnly}?name=others-3`).body).toMatchObject({ items: [{ name: 'others-3' }] });
  });

  it('refuses a member that it does not know, and an object that is gone', () => {
    const world = World.seeded(independent(1));
    expect(ask(world, 'POST', '/collections/widgets', { name: 'a', value: 'b', colour: 'red' }).status).toBe(400);
    const { id } = made(world, 'a').body as { id: string };
    expect(ask(world, 'DELETE', `/collections/widgets/${id}`).status).toBe(204);
    expect(ask(world, 'PATCH', `/collections/widgets/${id}`, { value: 'c' }).status).toBe(404);
    expect(ask(world, 'DELETE', `/collections/widgets/${id}`).status).toBe(404);
  });

  it('writes the list of an application as a whole, and no entry twice', () => {
    const world = World.seeded(entries(2, 1));
    expect(ask(world, 'PATCH', '/apps/app-0', { callbacks: ['https://a.example'] }).body).toEqual({
      id: 'app-0',
      callbacks: ['https://a.example'],
    });
    expect(ask(world, 'PATCH', '/apps/app-0', { callbacks: ['https://a.example', 'https://a.example'] }).status).toBe(400);
  });

  it('makes the variables of one request that are not there yet, and names the others', () => {
    const world = World.seeded(variables(2));
    const one = { key: 'A', value: '1', type: 'plain', target: ['preview'] };
    expect(ask(world, 'POST', '/v10/projects/shop/env', one).status).toBe(201);
    expect(ask(world, 'POST', '/v10/projects/shop/env', one)).toMatchObject({
      status: 403,
      body: { error: { code: 'ENV_ALREADY_EXISTS' } },
    });
    const both = ask(world, 'POST', '/v10/projects/shop/env', [one, { ...one, key: 'B' }]).body;
    expect(both).toMatchObject({ created: [{ key: 'B' }], failed: [{ error: { envVarKey: 'A' } }] });
  });

  it('changes a tenth of ours behind our back, and nothing of others', () => {
    const wanted = independent(40);
    const world = World.seeded(wanted);
    for (const { name, value } of wanted.shape === 'objects' ? wanted.objects : [])
      ask(world, 'POST', '/collections/widgets', { name, value });
    expect(flawsOf(wanted, 'first apply', world.standing())).toEqual([]);
    expect(world.drift()).toBe(4);
    expect(flawsOf(wanted, 'first apply', world.standing())).toEqual([expect.stringContaining('4 are not as wanted')]);
  });
});

describe('what is wrong with a world', () => {
  it('is a second object, one that is missing, and one of others that was touched', () => {
    const wanted = independent(2);
    const world = World.seeded(wanted);
    made(world, 'widget-00000');
    made(world, 'widget-00000');
    ask(world, 'DELETE', '/collections/widgets/thing_00000001');
    expect(flawsOf(wanted, 'destroy', world.standing())).toEqual(['what others made was touched', '2 objects of ours stand there, not 0']);
    expect(flawsOf(wanted, 'unchanged apply', world.standing()).at(-1)).toContain('2 are not as wanted');
  });

  it('is nothing before anything was made', () => {
    for (const wanted of [independent(3), entries(4, 2), variables(3)]) {
      expect(flawsOf(wanted, 'plan', World.seeded(wanted).standing())).toEqual([]);
    }
  });
});
