import { open, readFile } from 'node:fs/promises';
import type { Entry, Variable, Wish } from '../wish.ts';
import type { App, ProjectVariable, Thing } from '../world.ts';
import { connect, inOrder, neededBy, readTask } from './pool.ts';

/**
 * The limit: the fewest requests that the same guarantees allow, sixteen in flight. A collection is listed once; what is to be
 * made is on the disk before the first of it is sent, and its ids before the script ends; what is removed is known by its id; a list
 * that others write to as well is read again after the write. Nothing else is asked.
 */
const mostAtOnce = 50;
const task = await readTask();
const { send, close } = connect(task);
const { purpose, wanted } = task;

if (wanted.shape === 'objects') await objects(wanted.objects, wanted.isListed);
if (wanted.shape === 'entries') await entries(wanted.entries);
if (wanted.shape === 'variables') await variables(wanted.project, wanted.variables);
await close();

async function objects(wishes: readonly Wish[], isListed: boolean): Promise<void> {
  if (purpose === 'destroy') {
    const ids = await recorded();
    const users = neededBy(wishes);
    const remove = ({ name, collection }: Wish): Promise<unknown> => send('DELETE', `/collections/${collection}/${ids[name]}`);
    await inOrder(
      wishes.toReversed(),
      ({ name }) => name,
      ({ name }) => users.get(name) ?? [],
      remove,
    );
    return;
  }
  const there = isListed ? await listed(wishes) : await filtered(wishes);
  if (purpose === 'plan') return;
  const missing = wishes.filter(({ name }) => !there.has(name));
  if (missing.length > 0) await keep('intents.json', missing);
  const settle = async ({ collection, name, value }: Wish, needs: readonly string[]): Promise<string> => {
    const found = there.get(name);
    const path = `/collections/${collection}`;
    if (!found) return (await send<Thing>('POST', path, { name, value, needs })).id;
    if (found.value !== value || found.needs.join() !== needs.join()) await send('PATCH', `${path}/${found.id}`, { name, value, needs });
    return found.id;
  };
  const ids = await inOrder(
    wishes,
    ({ name }) => name,
    ({ needs }) => needs,
    settle,
  );
  await keep('ids.json', Object.fromEntries(ids));
}

async function listed(wishes: readonly Wish[]): Promise<Map<string, Thing>> {
  const there = new Map<string, Thing>();
  const list = async (collection: string): Promise<void> => {
    for (let next: string | null = ''; next !== null; ) {
      const page: { items: Thing[]; next: string | null } = await send('GET', `/collections/${collection}${next && `?cursor=${next}`}`);
      for (const one of page.items) there.set(one.name, one);
      next = page.next;
    }
  };
  await Promise.all([...new Set(wishes.map(({ collection }) => collection))].map(list));
  return there;
}

async function filtered(wishes: readonly Wish[]): Promise<Map<string, Thing>> {
  const look = ({ collection, name }: Wish): Promise<{ items: Thing[] }> => send('GET', `/collections/${collection}?name=${name}`);
  const pages = await Promise.all(wishes.map(look));
  return new Map(pages.flatMap(({ items }) => items.map((item) => [item.name, item])));
}

async function entries(wanted: readonly Entry[]): Promise<void> {
  const settle = async ([app, ours]: [string, Entry[] | undefined]): Promise<void> => {
    const urls = (ours ?? []).map(({ url }) => url);
    const { callbacks } = await send<App>('GET', `/apps/${app}`);
    const others = callbacks.filter((one) => !urls.includes(one));
    const now = purpose === 'destroy' ? others : [...others, ...urls];
    if (purpose === 'plan' || now.toSorted().join() === callbacks.toSorted().join()) return;
    await send('PATCH', `/apps/${app}`, { callbacks: now });
    const after = await send<App>('GET', `/apps/${app}`);
    if (after.callbacks.join() !== now.join()) throw new Error(`somebody else wrote to ${app}`);
  };
  if (purpose === 'apply') await keep('intents.json', wanted);
  await Promise.all(Object.entries(Object.groupBy(wanted, ({ app }) => app)).map(settle));
}

async function variables(project: string, wanted: readonly Variable[]): Promise<void> {
  if (purpose === 'destroy') {
    const ids = await recorded();
    await Promise.all(wanted.map(({ key }) => send('DELETE', `/v9/projects/${project}/env/${ids[key]}`)));
    return;
  }
  const ids = new Map<string, string>();
  const there = new Map<string, ProjectVariable>();
  for (let next: string | null = ''; next !== null; ) {
    const page: { envs: ProjectVariable[]; pagination: { next: string | null } } = await send(
      'GET',
      `/v10/projects/${project}/env${next && `?until=${next}`}`,
    );
    for (const one of page.envs) there.set(one.key, one);
    next = page.pagination.next;
  }
  if (purpose === 'plan') return;
  const missing = wanted.filter(({ key }) => !there.has(key));
  if (missing.length > 0) await keep('intents.json', missing);
  const make = async (some: readonly Variable[]): Promise<void> => {
    const bodies = some.map(({ key, value }) => ({ key, value, type: 'plain', target: ['preview'] }));
    const { created } = await send<{ created: ProjectVariable[] }>('POST', `/v10/projects/${project}/env`, bodies);
    for (const { key, id } of created) ids.set(key, id);
  };
  const change = async ({ key, value }: Variable): Promise<void> => {
    const found = there.get(key);
    if (!found) return;
    ids.set(key, found.id);
    if (found.value !== value) await send('PATCH', `/v9/projects/${project}/env/${found.id}`, { value });
  };
  const parts = Array.from({ length: Math.ceil(missing.length / mostAtOnce) }, (_, n) =>
    missing.slice(n * mostAtOnce, (n + 1) * mostAtOnce),
  );
  await Promise.all([...parts.map(make), ...wanted.map(change)]);
  await keep('ids.json', Object.fromEntries(ids));
}

async function recorded(): Promise<{ readonly [name: string]: string }> {
  return JSON.parse(await readFile('ids.json', 'utf8'));
}

/** On the disk when it resolves. */
async function keep(name: string, value: unknown): Promise<void> {
  const file = await open(name, 'w');
  await file.writeFile(JSON.stringify(value));
  await file.sync();
  await file.close();
}
