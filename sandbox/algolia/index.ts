import {
  type Call,
  Counter,
  flawsOf,
  json,
  makeKit,
  type Refusal,
  refuse,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
} from '../kit/index.ts';
import { isMap } from '../kit/json.ts';
import {
  type AlgoliaState,
  type AlgoliaWorld,
  blank,
  copyNothing,
  emptyState,
  finish,
  type Index,
  indexIn,
  isPending,
  look,
  type Task,
} from './state.ts';

export type { AlgoliaWorld } from './state.ts';

const appId = 'SHOPAPP012';

/**
 * Indices of one application: https://www.algolia.com/doc/rest-api/search/, and what clients were answered beside it. Two headers: a
 * wrong key, one without the right and one for other indices are all 403.
 */
export function algolia(options: SimulationOptions = {}): Simulation<AlgoliaWorld> {
  const kit = makeKit('algolia', options);
  const now = () => new Date(kit.clock.now()).toISOString();
  const state = emptyState();
  const tasks = new Counter(691_200_000_000);

  const queue = (on: AlgoliaState, given: Pick<Task, 'index' | 'source' | 'scope' | 'looksLeft'>): Task => {
    const task: Task = { id: tasks.next(), ...given, isDone: false };
    on.tasks.push(task);
    return task;
  };
  const one = '/1/indexes/{index}';

  return simulate<AlgoliaState, AlgoliaWorld>(kit, {
    name: 'algolia',
    origin: `https://${appId.toLowerCase()}.algolia.net`,
    state,
    blind: () => emptyState([]),
    world: (live) => ({
      state: live,
      appId,
      addIndex: (name, given) => {
        const index: Index = { ...blank(name, now()), createdAt: '2020-03-01T08:00:00.000Z', records: ['a', 'b'], ...given };
        live.indices.push(index);
        return index;
      },
      removeIndex: (name) => {
        live.indices = live.indices.filter((index) => index.name !== name);
      },
      index: (name) => seen(live, name),
      finish: () => {
        for (const task of live.tasks) if (!task.isDone) finish(live, task, now());
      },
    }),
    tokens: kit.tokens,
    secretHeaders: ['x-algolia-api-key'],
    credential: ({ headers }) => headers.get('x-algolia-api-key'),
    tokenOf: (credential, { headers }) => (headers.get('x-algolia-application-id') === appId ? credential : null),
    refuseCredential: (_, why) =>
      error(403, why === 'read-only' ? 'Method not allowed with this API key' : 'Invalid Application-ID or API key').reply,
    routes: [
      route('GET', '/1/indexes', ({ state: on, query }) => {
        for (const { index } of on.tasks.filter(({ isDone }) => !isDone)) look(on, index, now());
        const all = visible(on).map((index) => shown(on, index));
        const page = query.get('page');
        const size = Number(query.get('hitsPerPage') ?? 100);
        if (page === null) return json(200, { items: all, nbPages: 1 });
        return json(200, { items: all.slice(Number(page) * size, (Number(page) + 1) * size), nbPages: Math.ceil(all.length / size) });
      }),

      route('GET', `${one}/settings`, (call) => {
        const name = nameIn(call);
        look(call.state, name, now());
        const index = seen(call.state, name);
        if (!index) throw error(404, 'Index does not exist');
        const { settings, primary, replicas } = index;
        return json(200, { ...defaults, ...settings, ...(primary !== undefined && { primary }), ...(replicas && { replicas }) });
      }),

      route('GET', `${one}/task/{task}`, (call) => {
        const name = nameIn(call);
        const task = call.state.tasks.find(({ id }) => String(id) === call.params.task);
        // Clients ask below the source as well as below the destination.
        if (!task || (task.index !== name && task.source !== name)) throw error(404, 'Task not found');
        look(call.state, task.index, now());
        return json(200, { status: task.isDone ? 'published' : 'notPublished' });
      }),

      route('POST', `${one}/operation`, (call) => {
        const source = nameIn(call);
        const [flaw] = flawsOf(call.body, operation);
        if (flaw || !isMap(call.body)) throw error(400, `Invalid body: ${flaw?.at ?? ''} ${flaw?.problem ?? ''}`);
        const { operation: what, destination, scope } = call.body;
        if (what !== 'copy') throw new Error('the algolia simulation does not move');
        const target = String(destination);
        if (!isAllowed(call.state, target)) throw notAllowed();
        const standing = indexIn(call.state, target);
        if (standing?.replicas?.length) throw error(400, 'Cannot copy to an index with replicas');
        const { full, indices, indexLimit } = call.state;
        if (!standing && indices.length >= indexLimit && full !== 'silent') throw error(full.status, full.message);
        // Neither an index that is there nor a source that is not is a reason to refuse.
        const task = queue(call.state, {
          index: target,
          source,
          scope: Array.isArray(scope) ? scope.map(String) : null,
          looksLeft: laterThan(kit.faults.pollsUntilReady),
        });
        if (!indexIn(call.state, source)) copyNothing(call.state, task, now());
        return json(200, { taskID: task.id, updatedAt: now() });
      }),

      route('DELETE', one, (call) => {
        const name = nameIn(call);
        if (indexIn(call.state, name)?.primary !== undefined) throw error(400, 'Cannot delete a replica index: unlink it first');
        const task = queue(call.state, { index: name, source: null, scope: null, looksLeft: laterThan(call.state.looksUntilGone) });
        return json(200, { taskID: task.id, deletedAt: now() });
      }),
    ],
  });
}

/** Every write is a task, which is done after its answer. */
const laterThan = (looks: number): number => Math.max(1, looks);

type IndexCall = Call<AlgoliaState, { readonly index: string }>;

const error = (status: number, message: string): Refusal => refuse(status, { message, status });
const notAllowed = (): Refusal => error(403, 'Index not allowed with this API key');

const isAllowed = ({ allowed }: AlgoliaState, name: string): boolean => allowed === null || allowed.includes(name);

function nameIn({ state, params }: IndexCall): string {
  if (!isAllowed(state, params.index)) throw notAllowed();
  return params.index;
}

/** Indices that stand, then those that a copy will make. */
function visible(state: AlgoliaState): readonly Index[] {
  const coming = state.tasks.filter(({ index, source, isDone }) => source !== null && !isDone && !indexIn(state, index));
  const names = state.showsCopies ? [...new Set(coming.map(({ index }) => index))] : [];
  return [...state.indices, ...names.map((name) => blank(name, '2020-03-01T08:00:00.000Z'))].filter(({ name }) => isAllowed(state, name));
}

const seen = (state: AlgoliaState, name: string): Index | undefined => visible(state).find((index) => index.name === name);

function shown(state: AlgoliaState, { name, createdAt, updatedAt, records, primary, replicas }: Index): Record<string, unknown> {
  const pending = isPending(state, name);
  return {
    name,
    createdAt,
    updatedAt,
    entries: records.length,
    dataSize: records.length * 120,
    fileSize: records.length * 300,
    lastBuildTimeS: 1,
    numberOfPendingTasks: pending ? 1 : 0,
    pendingTask: pending,
    ...(primary !== undefined && { primary }),
    ...(replicas && { replicas }),
  };
}

const defaults = { hitsPerPage: 20, maxValuesPerFacet: 100, paginationLimitedTo: 1000, searchableAttributes: [], customRanking: [] };

const operation: Shape = {
  fields: {
    operation: { oneOf: ['copy', 'move'] },
    destination: 'string',
    scope: { list: { oneOf: ['settings', 'synonyms', 'rules'] } },
  },
  required: ['operation', 'destination'],
};
