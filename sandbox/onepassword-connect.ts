import {
  bearerOf,
  type Call,
  Ids,
  json,
  makeKit,
  type Reply,
  refuse,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';

export interface ConnectField {
  readonly label: string;
  /** Left out: the field is empty. */
  readonly value?: string;
  /** Label of the section that it stands in; left out: in none. */
  readonly section?: string;
  readonly id?: string;
}

export interface ConnectItem {
  readonly id: string;
  readonly title: string;
  readonly vault: string;
  readonly sections: readonly { readonly id: string; readonly label: string }[];
  readonly fields: readonly ConnectField[];
}

export interface ConnectState {
  readonly vaults: { readonly id: string; readonly name: string }[];
  readonly items: ConnectItem[];
  /** What a token meets that may see no vault. */
  readonly isClosed: boolean;
}

/** State, and what a person does in the application. */
export interface ConnectWorld {
  readonly state: ConnectState;
  /** Gives the new vault's id. */
  addVault(name: string): string;
  /** Gives the new item's id. Sections are made from those that the fields name. */
  addItem(vault: string, title: string, fields: readonly ConnectField[]): string;
}

/** Vaults and items of a 1Password Connect server, read only: https://developer.1password.com/docs/connect/api-reference (version 1.7.1). */
export function onepasswordConnect(options: SimulationOptions = {}): Simulation<ConnectWorld> {
  const kit = makeKit('onepassword-connect', options);
  const ids = new Ids('onepassword-connect');
  const state: ConnectState = { vaults: [], items: [], isClosed: false };

  return simulate<ConnectState, ConnectWorld>(kit, {
    name: 'onepassword-connect',
    origin: 'https://connect.acme.example',
    basePath: '/v1',
    state,
    blind: () => ({ vaults: [], items: [], isClosed: true }),
    world: (live) => ({
      state: live,
      addVault: (name) => {
        const id = ids.text(26);
        live.vaults.push({ id, name });
        return id;
      },
      addItem: (vault, title, fields) => {
        const id = ids.text(26);
        const labels = new Set(fields.flatMap(({ section }) => section ?? []));
        live.items.push({ id, title, vault, fields, sections: [...labels].map((label) => ({ id: ids.uuid(), label })) });
        return id;
      },
    }),
    tokens: kit.tokens,
    credential: bearerOf,
    refuseCredential: () => json(401, { status: 401, message: 'Invalid bearer token' }),
    routes: [
      route('GET', '/v1/vaults', ({ state: live, query }) =>
        json(
          200,
          live.vaults.filter(({ name }) => isNamed(query, 'name', name)).map((vault) => ({ ...vault, type: 'USER_CREATED' })),
        ),
      ),
      route('GET', '/v1/vaults/{vault}/items', (call) => {
        const { id } = vaultOf(call);
        const items = call.state.items.filter(({ vault, title }) => vault === id && isNamed(call.query, 'title', title));
        return json(200, items.map(summary));
      }),
      route('GET', '/v1/vaults/{vault}/items/{item}', (call): Reply => {
        const { id } = vaultOf(call);
        mustBeId(call.params.item, 'Item');
        const item = call.state.items.find((one) => one.vault === id && one.id === call.params.item);
        if (!item) throw failure(404, `Item ${call.params.item} not found`);
        return json(200, { ...summary(item), sections: item.sections, fields: item.fields.map((field, at) => shown(item, field, at)) });
      }),
    ],
  });
}

const failure = (status: number, message: string) => refuse(status, { status, message });

function mustBeId(text: string, what: 'Vault' | 'Item'): void {
  if (!/^[\da-z]{26}$/.test(text)) throw failure(400, `Invalid ${what} UUID`);
}

function vaultOf({ state, params }: Call<ConnectState, { readonly vault: string }>) {
  mustBeId(params.vault, 'Vault');
  if (state.isClosed) throw failure(403, 'Unauthorized access');
  const found = state.vaults.find(({ id }) => id === params.vault);
  if (!found) throw failure(404, `Vault ${params.vault} not found`);
  return found;
}

/** The one filter of SCIM that is served: `<member> eq "<text>"`, in which a backslash escapes. */
function isNamed(query: URLSearchParams, member: string, name: string): boolean {
  const filter = query.get('filter');
  if (filter === null) return true;
  const match = /^(\w+) eq "((?:[^"\\]|\\.)*)"$/s.exec(filter);
  if (!match || match[1] !== member) throw failure(400, `Invalid filter: ${filter}`);
  return (match[2] ?? '').replace(/\\(.)/gs, '$1') === name;
}

const summary = ({ id, title, vault }: ConnectItem) => ({ id, title, vault: { id: vault }, category: 'API_CREDENTIAL', version: 1 });

function shown({ sections }: ConnectItem, { id, label, value, section }: ConnectField, at: number) {
  const within = sections.find((one) => one.label === section);
  return {
    id: id ?? `field${at}`,
    ...(within && { section: { id: within.id } }),
    type: 'CONCEALED',
    label,
    ...(value !== undefined && { value }),
  };
}
