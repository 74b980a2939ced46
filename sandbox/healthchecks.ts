import {
  type Call,
  empty,
  flawsOf,
  Ids,
  json,
  makeKit,
  Refusal,
  type Reply,
  refuse,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
  text,
} from './kit/index.ts';

export interface Check {
  readonly uuid: string;
  name: string;
  tags: string;
  desc: string;
  /** Of a simple check; one that has a schedule keeps it and shows it not. */
  timeout: number;
  /** Of a cron check. */
  schedule: string | null;
  tz: string;
  grace: number;
  slug: string;
}

export interface HealthchecksState {
  checks: Check[];
  /** Ids of checks that stand in another project of the account. */
  elsewhere: string[];
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
  schedule: 'string',
  tz: 'string',
  grace: 'number',
  slug: 'string',
} as const;

/** Checks of one project: https://healthchecks.io/docs/api/ (Management API v3). Names need not be unique. */
export function healthchecks(options: SimulationOptions = {}): Simulation<HealthchecksWorld> {
  const kit = makeKit('healthchecks', options);
  const ids = new Ids('healthchecks');
  const uuid = (): string => [8, 4, 4, 4, 12].map((length) => ids.text(length, '0123456789abcdef')).join('-');
  const make = (given: Partial<Check>): Check => ({
    uuid: uuid(),
    name: '',
    tags: '',
    desc: '',
    timeout: 86_400,
    schedule: null,
    tz: 'UTC',
    grace: 3_600,
    // This version makes none of the name.
    slug: '',
    ...given,
  });
  const shown = (check: Check, { credential }: Pick<Call<HealthchecksState>, 'credential'>): object => {
    const { uuid: id, timeout, schedule, tz, ...rest } = check;
    const times = schedule === null ? { timeout } : { schedule, tz };
    const known = { ...rest, ...times, n_pings: 0, status: 'new', started: false, last_ping: null, next_ping: null };
    // A key that may only read learns of nothing by which the check could be pinged or changed.
    if (credential === kit.tokens.readOnly) return { ...known, unique_key: id.replaceAll('-', '').padEnd(40, '0') };
    return {
      ...known,
      uuid: id,
      channels: '',
      ping_url: `https://hc-ping.com/${id}`,
      update_url: `https://healthchecks.io/api/v3/checks/${id}`,
    };
  };
  const given = (body: unknown): Partial<Check> => {
    const [flaw] = flawsOf(body, { fields, required: [] });
    if (flaw) throw refuse(400, { error: `json validation error: ${flaw.at.slice(1)} ${flaw.expected}` });
    const change = body as Partial<Check>;
    for (const seconds of [change.timeout, change.grace])
      if (seconds !== undefined && (seconds < 60 || seconds > 31_536_000))
        throw refuse(400, { error: 'json validation error: value is out of range' });
    if ((change.name ?? '').length > 100) throw refuse(400, { error: 'json validation error: name is too long' });
    return { ...change, ...timesOf(change) };
  };
  const one = (state: HealthchecksState, id: string): Check => {
    const found = state.checks.find((check) => check.uuid === id);
    if (found) return found;
    if (state.elsewhere.includes(id)) throw new Refusal(empty(403));
    throw new Refusal(text(404, '<!DOCTYPE html><title>Page not found</title>', 'text/html; charset=utf-8'));
  };
  return simulate<HealthchecksState, HealthchecksWorld>(kit, {
    name: 'healthchecks',
    origin: 'https://healthchecks.io',
    basePath: '/api/v3',
    state: { checks: [], elsewhere: [], checkLimit: 20 },
    blind: () => ({ checks: [], elsewhere: [], checkLimit: 20 }),
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
      route('GET', '/api/v3/checks/', (call) => json(200, { checks: call.state.checks.map((check) => shown(check, call)) })),
      route('POST', '/api/v3/checks/', (call) => {
        const { state, body } = call;
        const check = make(given(body));
        // The refusal for want of room has nothing in it.
        if (state.checks.length >= state.checkLimit) throw new Refusal(empty(403));
        state.checks.push(check);
        return json(201, shown(check, call));
      }),
      route('POST', '/api/v3/checks/{uuid}', (call) =>
        json(200, shown(Object.assign(one(call.state, call.params.uuid), given(call.body)), call)),
      ),
      route('DELETE', '/api/v3/checks/{uuid}', (call) => {
        const { state, params } = call;
        const check = one(state, params.uuid);
        state.checks = state.checks.filter((other) => other !== check);
        return json(200, shown(check, call));
      }),
    ],
  });
}

/** A timeout makes a check simple, a schedule makes it a cron one and wins; a time zone out of use is kept under its present name. */
const timesOf = ({ timeout, schedule, tz }: Partial<Check>): Partial<Check> => ({
  ...(timeout !== undefined && { schedule: null }),
  ...(schedule !== undefined && { schedule }),
  ...(tz !== undefined && { tz: present[tz] ?? tz }),
});

const present: Readonly<Record<string, string>> = { 'Europe/Kiev': 'Europe/Kyiv' };
