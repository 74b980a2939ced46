import { flawsOf, Ids, json, makeKit, type Reply, refuse, route, type Simulation, type SimulationOptions, simulate } from './kit/index.ts';

export interface Check {
  readonly uuid: string;
  name: string;
  tags: string;
  desc: string;
  timeout: number;
  grace: number;
}

export interface HealthchecksState {
  checks: Check[];
  checkLimit: number;
}

export interface HealthchecksWorld {
  readonly state: HealthchecksState;
  addCheck(name: string, given?: Partial<Check>): Check;
}

const fields = {
  name: 'string',
  tags: 'string',
  desc: 'string',
  timeout: 'number',
  grace: 'number',
  slug: 'string',
} as const;

/** Checks of one project: https://healthchecks.io/docs/api/ (Management API v3). Names need not be unique. */
export function healthchecks(options: SimulationOptions = {}): Simulation<HealthchecksWorld> {
  const kit = makeKit('healthchecks', options);
  const ids = new Ids('healthchecks');
  const uuid = (): string => [8, 4, 4, 4, 12].map((length) => ids.text(length, '0123456789abcdef')).join('-');
  const make = (given: Partial<Check>): Check => ({ uuid: uuid(), name: '', tags: '', desc: '', timeout: 86_400, grace: 3_600, ...given });
  const shown = (check: Check): object => ({
    ...check,
    slug: check.name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    n_pings: 0,
    status: 'new',
    channels: '',
    ping_url: `https://hc-ping.com/${check.uuid}`,
    update_url: `https://healthchecks.io/api/v3/checks/${check.uuid}`,
  });
  const given = (body: unknown): Partial<Check> => {
    const [flaw] = flawsOf(body, { fields, required: [] });
    if (flaw) throw refuse(400, { error: `json validation error: ${flaw.at.slice(1)} ${flaw.expected}` });
    const change = body as Partial<Check>;
    for (const seconds of [change.timeout, change.grace])
      if (seconds !== undefined && (seconds < 60 || seconds > 31_536_000))
        throw refuse(400, { error: 'json validation error: value is out of range' });
    if ((change.name ?? '').length > 100) throw refuse(400, { error: 'json validation error: name is too long' });
    return change;
  };
  const one = (state: HealthchecksState, id: string): Check => {
    const found = state.checks.find((check) => check.uuid === id);
    if (!found) throw refuse(404, { error: 'not found' });
    return found;
  };
  return simulate<HealthchecksState, HealthchecksWorld>(kit, {
    name: 'healthchecks',
    undescribed: 'its vendor publishes its API as a page and not as a description',
    origin: 'https://healthchecks.io',
    basePath: '/api/v3',
    state: { checks: [], checkLimit: 20 },
    blind: () => ({ checks: [], checkLimit: 20 }),
    world: (state) => ({
      state,
      addCheck: (name, more = {}) => {
        const check = make({ name, ...more });
        state.checks.push(check);
        return check;
      },
    }),
    tokens: kit.tokens,
    secretHeaders: ['x-api-key'],
    credential: ({ headers }) => headers.get('x-api-key'),
    refuseCredential: (_, why): Reply => json(401, { error: why === 'missing' ? 'missing api key' : 'wrong api key' }),
    routes: [
      route('GET', '/api/v3/checks/', ({ state }) => json(200, { checks: state.checks.map(shown) })),
      route('POST', '/api/v3/checks/', ({ state, body }) => {
        const check = make(given(body));
        if (state.checks.length >= state.checkLimit) throw refuse(403, { error: 'the account has hit its check limit' });
        state.checks.push(check);
        return json(201, shown(check));
      }),
      route('POST', '/api/v3/checks/{uuid}', ({ state, body, params }) =>
        json(200, shown(Object.assign(one(state, params.uuid), given(body)))),
      ),
      route('DELETE', '/api/v3/checks/{uuid}', ({ state, params }) => {
        const check = one(state, params.uuid);
        state.checks = state.checks.filter((other) => other !== check);
        return json(200, shown(check));
      }),
    ],
  });
}
