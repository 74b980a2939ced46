import type { Scene, Site } from '../scene.ts';
import { type HarborWorld, harbor } from './harbor.ts';

const id = 'line';
const name = 'pr-12';

interface Line {
  readonly family: string;
  readonly kind?: Scene['kind'];
  readonly first: object;
  readonly updated?: object;
  readonly replaced?: object;
  readonly isAdopted?: true;
  /** What stands for the line, and the rest of the same kind. */
  readonly mine: (world: HarborWorld) => readonly unknown[];
  readonly others: (world: HarborWorld) => unknown;
  readonly seed: (world: HarborWorld) => void;
  readonly drift?: (world: HarborWorld) => void;
  readonly remove?: (world: HarborWorld) => void;
}

/** Operations of the generic adapter as a plan writes them by hand, without a recipe. */
export const byHand: readonly Scene[] = lines().map((line) => ({
  family: line.family,
  kind: line.kind ?? 'object',
  open: (clock) => {
    const simulation = harbor({ clock });
    const { world, origin, basePath, tokens } = simulation;
    line.seed(world);
    const api = { base_url: origin + basePath, auth: { bearer_env: 'HARBOR_TOKEN' } };
    const plan = (change: object = {}): string =>
      JSON.stringify({
        version: 1,
        providers: { http: { harbor: api } },
        changes: [{ id, adapter: 'http', api: 'harbor', ...line.first, ...change }],
      });
    const { updated, replaced, drift, remove } = line;
    const site: Site = {
      simulations: [simulation],
      env: { HARBOR_TOKEN: tokens.full },
      plans: { first: plan(), ...(updated && { updated: plan(updated) }), ...(replaced && { replaced: plan(replaced) }) },
      mine: () => line.mine(world),
      others: () => line.others(world),
      ...(!line.isAdopted && { recreate: [id] }),
      ...(drift && { drift: () => drift(world) }),
      ...(remove && { remove: () => remove(world) }),
    };
    return site;
  },
}));

function lines(): readonly Line[] {
  const berth = {
    op: 'resource',
    find: { path: '/berths', list_path: '/items', match: { name } },
    create: { path: '/berths', body: { name } },
    update: { path: '/berths/{id}' },
    delete: { path: '/berths/{id}' },
    immutable: ['depth'],
    outputs: { id: 'id' },
  };
  const fields = { length: 12, flag: 'red', depth: 3 };
  const berths = {
    seed: (world: HarborWorld): void => void world.addBerth({ name: 'pr-13', length: 9 }),
    mine: (world: HarborWorld) => world.berths().filter((one) => one.name === name),
    others: (world: HarborWorld) => world.berths().filter((one) => one.name !== name),
    drift: (world: HarborWorld) => {
      for (const one of world.berths()) if (one.name === name) one.flag = 'blue';
    },
  };
  const office = { path: '/office', method: 'PATCH' };
  const mine = 'https://pr-12.acme.example';
  const theirs = 'https://pr-13.acme.example';
  return [
    {
      ...berths,
      family: 'http.resource',
      first: { ...berth, fields },
      updated: { fields: { ...fields, length: 14 } },
      replaced: { fields: { ...fields, depth: 5 } },
      remove: (world) => world.removeBerth(name),
    },
    {
      ...berths,
      family: 'http.resource.partly-kept',
      first: { ...berth, fields: { ...fields, length: { keep: true } } },
      updated: { fields: { ...fields, length: { keep: true }, flag: 'green' } },
      remove: (world) => world.removeBerth(name),
    },
    {
      ...berths,
      family: 'http.resource.hidden',
      first: { ...berth, fields: { ...fields, mark: 'anchor' }, compare: { mark: { hidden: 'always' } } },
      updated: { fields: { ...fields, mark: 'star' } },
      remove: (world) => world.removeBerth(name),
    },
    {
      ...berths,
      family: 'http.resource.hidden-fixed',
      first: { ...berth, fields: { ...fields, mark: 'anchor' }, compare: { mark: { hidden: 'always' } }, immutable: ['mark'] },
      replaced: { fields: { ...fields, mark: 'star' } },
      remove: (world) => world.removeBerth(name),
    },
    {
      family: 'http.resource.adopted',
      isAdopted: true,
      first: { ...berth, immutable: [], fields: { length: { keep: true }, flag: { keep: true } } },
      seed: (world) => {
        world.addBerth({ name: 'pr-13', length: 9 });
        world.addBerth({ name, length: 10, flag: 'white' });
      },
      mine: () => [],
      others: (world) => world.berths(),
    },
    {
      family: 'http.list_item.array',
      first: { op: 'list_item', parent: office, list_path: 'origins', item: mine },
      seed: ({ office: parent }) => void parent.origins.push(theirs),
      mine: ({ office: parent }) => parent.origins.filter((one) => one === mine),
      others: ({ office: parent }) => ({ ...parent, origins: parent.origins.filter((one) => one !== mine) }),
      remove: ({ office: parent }) => {
        parent.origins = parent.origins.filter((one) => one !== mine);
      },
    },
    {
      family: 'http.list_item.delimited',
      first: { op: 'list_item', shape: 'delimited', parent: office, list_path: 'domains', item: 'pr-12.acme.example' },
      seed: ({ office: parent }) => {
        parent.domains = 'pr-13.acme.example';
      },
      mine: ({ office: parent }) => parent.domains.split(',').filter((one) => one === 'pr-12.acme.example'),
      others: ({ office: parent }) => ({ ...parent, domains: parent.domains.split(',').filter((one) => one !== 'pr-12.acme.example') }),
      remove: ({ office: parent }) => {
        parent.domains = 'pr-13.acme.example';
      },
    },
    {
      family: 'http.list_item.map',
      first: { op: 'list_item', shape: 'map', parent: office, list_path: 'settings', item: 'PR_12', value: 'https' },
      updated: { value: 'http' },
      seed: ({ office: parent }) => {
        parent.settings.PR_13 = 'http';
      },
      mine: ({ office: parent }) => Object.entries(parent.settings).filter(([key]) => key === 'PR_12'),
      others: ({ office: parent }) => ({ ...parent, settings: Object.entries(parent.settings).filter(([key]) => key !== 'PR_12') }),
      drift: ({ office: parent }) => {
        parent.settings.PR_12 = 'ftp';
      },
      remove: ({ office: parent }) => {
        delete parent.settings.PR_12;
      },
    },
    {
      family: 'http.action',
      kind: 'message',
      first: notice('4f2a91c'),
      updated: notice('5a3b02d'),
      seed: () => undefined,
      mine: (world) => world.notices,
      others: (world) => world.berths(),
    },
  ];
}

function notice(revision: string): object {
  return { op: 'action', trigger: { revision }, request: { path: '/notices', body: { revision } } };
}
