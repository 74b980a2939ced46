import { Ids, json, makeKit, route, type Simulation, simulate } from 'pilotfish-sandbox/kit/index';

/** A thing of the bakery. `stamp` is kept and never shown. */
export interface Ware {
  readonly id: string;
  readonly kind: string;
  [field: string]: unknown;
}

interface BakeryState {
  wares: Ware[];
}

/** A provider that pilotfish knows nothing of: named things of a few kinds. */
export function bakery(): Simulation<{ readonly wares: (kind: string) => readonly Ware[] }> {
  const kit = makeKit('bakery');
  const ids = new Ids('bakery');
  const shown = ({ kind: _, stamp: __, ...ware }: Ware): object => ware;
  const missing = json(404, { error: 'no such thing' });
  return simulate<BakeryState, { readonly wares: (kind: string) => readonly Ware[] }>(kit, {
    name: 'bakery',
    origin: 'https://bakery.example',
    basePath: '/v1',
    state: { wares: [] },
    blind: () => ({ wares: [] }),
    world: (state) => ({ wares: (kind) => state.wares.filter((ware) => ware.kind === kind) }),
    tokens: kit.tokens,
    credential: ({ headers }) => headers.get('authorization')?.replace(/^Bearer /, '') ?? null,
    refuseCredential: (_call, why) => json(why === 'read-only' ? 403 : 401, { error: `the key is ${why}` }),
    routes: [
      route('GET', '/v1/{kind}', ({ params, state }) =>
        json(200, { items: state.wares.filter((ware) => ware.kind === params.kind).map(shown) }),
      ),
      route('POST', '/v1/{kind}', ({ params, body, state }) => {
        const id = `w${ids.next()}`;
        const ware: Ware = { ...fieldsOf(body), id, kind: params.kind, shelf: `shelf-${id}` };
        state.wares.push(ware);
        return json(201, shown(ware));
      }),
      route('PATCH', '/v1/{kind}/{id}', ({ params, body, state }) => {
        const ware = state.wares.find((one) => one.id === params.id);
        return ware ? json(200, shown(Object.assign(ware, fieldsOf(body)))) : missing;
      }),
      route('DELETE', '/v1/{kind}/{id}', ({ params, state }) => {
        const left = state.wares.filter((one) => one.id !== params.id);
        const isThere = left.length < state.wares.length;
        state.wares = left;
        return isThere ? json(200, {}) : missing;
      }),
    ],
  });
}

const fieldsOf = (body: unknown): object => (typeof body === 'object' && body !== null ? body : {});
