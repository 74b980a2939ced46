import { readFile, writeFile } from 'node:fs/promises';
import type { Entry, Variable, Wish } from '../wish.ts';
import type { App, ProjectVariable, Thing } from '../world.ts';
import { connect, inOrder, neededBy, readTask } from './pool.ts';

/**
 * The script to beat: for each object a look by its name, and a create or a change where that is called for, on sixteen
 * connections. It keeps the ids, and removes what it made by them. It survives nothing: killed between a create and its end, it
 * knows of no object, and a name that somebody else gave is taken for its own.
 */
const task = await readTask();
const { send, close } = connect(task);
const { purpose, wanted } = task;

if (wanted.shape === 'objects') await objects(wanted.objects);
if (wanted.shape === 'entries') await entries(wanted.entries);
if (wanted.shape === 'variables') await variables(wanted.project, wanted.variables);
await close();

async function objects(wishes: readonly Wish[]): Promise<void> {
  if (purpose === 'destroy') {
    const ids = JSON.parse(await readFile('ids.json', 'utf8'));
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
  const settle = async ({ collection, name, value }: Wish, needs: readonly string[]): Promise<string> => {
    const path = `/collections/${collection}`;
    const found = (await send<{ items: Thing[] }>('GET', `${path}?name=${name}`)).items[0];
    if (purpose === 'plan') return found?.id ?? '';
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
  if (purpose === 'apply') await writeFile('ids.json', JSON.stringify(Object.fromEntries(ids)));
}

/** One after the other where they share an application: each writes the whole list. */
async function entries(wanted: readonly Entry[]): Promise<void> {
  const settle = async ({ app, url }: Entry): Promise<void> => {
    const { callbacks } = await send<App>('GET', `/apps/${app}`);
    const isThere = callbacks.includes(url);
    if (purpose === 'apply' && !isThere) await send('PATCH', `/apps/${app}`, { callbacks: [...callbacks, url] });
    if (purpose === 'destroy' && isThere) await send('PATCH', `/apps/${app}`, { callbacks: callbacks.filter((one) => one !== url) });
  };
  const last = new Map<string, Promise<void>>();
  for (const entry of wanted)
    last.set(
      entry.app,
      (last.get(entry.app) ?? Promise.resolve()).then(() => settle(entry)),
    );
  await Promise.all(last.values());
}

/** The API has no look by key, so they are listed once. */
async function variables(project: string, wanted: readonly Variable[]): Promise<void> {
  if (purpose === 'destroy') {
    const ids = JSON.parse(await readFile('ids.json', 'utf8'));
    await Promise.all(wanted.map(({ key }) => send('DELETE', `/v9/projects/${project}/env/${ids[key]}`)));
    return;
  }
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
  const settle = async ({ key, value }: Variable): Promise<readonly [string, string]> => {
    const found = there.get(key);
    const body = { key, value, type: 'plain', target: ['preview'] };
    if (!found) return [key, (await send<{ created: ProjectVariable }>('POST', `/v10/projects/${project}/env`, body)).created.id];
    if (found.value !== value) await send('PATCH', `/v9/projects/${project}/env/${found.id}`, { value });
    return [key, found.id];
  };
  await writeFile('ids.json', JSON.stringify(Object.fromEntries(await Promise.all(wanted.map(settle)))));
}
