import {
  bearerOf,
  type Call,
  Ids,
  json,
  makeKit,
  type Refusal,
  refuse,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';

/** A schedule as the service keeps it. */
export interface QstashSchedule {
  readonly scheduleId: string;
  readonly createdAt: number;
  cron: string;
  destination: string;
  method: string;
  /** Forwarded headers. */
  header: Readonly<Record<string, readonly string[]>>;
  /** A message that is text; any other stands in `bodyBase64`. */
  body?: string;
  bodyBase64?: string;
  retries: number;
  callback?: string;
  failureCallback?: string;
  labels?: readonly string[];
  delay?: number;
  retryDelayExpression?: string;
  queueName?: string;
  flowControlKey?: string;
  parallelism?: number;
  rate?: number;
  period?: number;
  isPaused: boolean;
  /** In no answer. */
  timeout?: string;
}

export interface QstashState {
  schedules: QstashSchedule[];
  scheduleLimit: number;
}

type Given = Pick<QstashSchedule, 'scheduleId' | 'destination'> & Partial<QstashSchedule>;

/** State, and what a person does in the console. */
export interface QstashWorld {
  readonly state: QstashState;
  /** Live: changing one is a change from outside. */
  schedules(): readonly QstashSchedule[];
  add(schedule: Given): QstashSchedule;
  remove(id: string): void;
}

/**
 * Schedules: https://upstash.com/docs/qstash/api-reference/schedules/create-a-schedule. The destination is the rest of the path, what
 * a schedule does stands in headers, the body is the message, and a POST with an id that is taken replaces that schedule.
 */
export function qstash(options: SimulationOptions = {}): Simulation<QstashWorld> {
  const kit = makeKit('upstash-qstash', options);
  const ids = new Ids('upstash-qstash');
  const make = (given: Given): QstashSchedule => ({
    createdAt: kit.clock.now(),
    cron: '* * * * *',
    method: 'POST',
    header: {},
    retries: 3,
    isPaused: false,
    ...given,
  });

  return simulate<QstashState, QstashWorld>(kit, {
    name: 'upstash-qstash',
    origin: 'https://qstash.upstash.io',
    state: { schedules: [], scheduleLimit: 1000 },
    blind: () => ({ schedules: [], scheduleLimit: 1000 }),
    world: (live) => ({
      state: live,
      schedules: () => live.schedules,
      add: (given) => {
        const schedule = make(given);
        live.schedules.push(schedule);
        return schedule;
      },
      remove: (id) => {
        live.schedules = live.schedules.filter(({ scheduleId }) => scheduleId !== id);
      },
    }),
    tokens: kit.tokens,
    credential: bearerOf,
    refuseCredential: (_, why) => (why === 'read-only' ? json(403, { error: 'readonly token' }) : json(401, { error: 'invalid token' })),
    routes: [
      route('GET', '/v2/schedules', (call) => json(200, call.state.schedules.map(shown))),
      route('POST', '/v2/schedules/{+destination}', (call) => {
        const { state } = call;
        const wanted = wantedOf(call);
        const scheduleId = call.headers.get('upstash-schedule-id') ?? `scd_${ids.text(28)}`;
        if (!/^[A-Za-z0-9._-]+$/.test(scheduleId)) {
          throw refusal(
            400,
            'Schedule ID is invalid. Schedule IDs can only contain alphanumeric characters, hyphens, periods, and underscores.',
          );
        }
        const before = state.schedules.find((one) => one.scheduleId === scheduleId);
        if (!before && state.schedules.length >= state.scheduleLimit) {
          throw refusal(412, 'Exceeded the maximum number of schedules allowed.');
        }
        const schedule = make({ scheduleId, ...wanted, ...(before && { createdAt: before.createdAt, isPaused: before.isPaused }) });
        if (before) state.schedules.splice(state.schedules.indexOf(before), 1, schedule);
        else state.schedules.push(schedule);
        return json(200, { scheduleId });
      }),
      route('GET', '/v2/schedules/{id}', (call) => json(200, shown(scheduleOf(call)))),
      route('DELETE', '/v2/schedules/{id}', (call) => {
        const schedule = scheduleOf(call);
        call.state.schedules = call.state.schedules.filter((one) => one !== schedule);
        return { status: 200 };
      }),
    ],
  });
}

const refusal = (status: number, error: string): Refusal => refuse(status, { error });
const shown = ({ timeout: _timeout, ...schedule }: QstashSchedule) => schedule;

function scheduleOf({ params, state }: Call<QstashState, { readonly id: string }>): QstashSchedule {
  const schedule = state.schedules.find(({ scheduleId }) => scheduleId === params.id);
  if (!schedule) throw refusal(404, 'Schedule not found');
  return schedule;
}

/** What the headers say; a header that the service does not know is refused here. */
function wantedOf({ params, query, headers, text }: Call<QstashState, { readonly destination: string }>) {
  const strange = [...headers.keys()].find((name) => name.startsWith('upstash-') && !known.test(name));
  if (strange !== undefined) throw refusal(400, `${strange} is not a header of a schedule`);
  const of = (name: string): string | null => headers.get(`upstash-${name}`);
  // What follows a question mark belongs to the destination.
  const destination = `${params.destination}${query.size > 0 ? `?${query}` : ''}`;
  if (!/^https?:$/.test(URL.parse(destination)?.protocol ?? '')) throw refusal(400, `invalid destination url: ${destination}`);
  const cron = of('cron');
  if (cron === null || !/^(CRON_TZ=\S+ )?(@\w+|(\S+ ){4}\S+)$/.test(cron)) throw refusal(400, 'invalid cron expression');
  const method = of('method') ?? 'POST';
  if (!['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method)) throw refusal(400, `invalid method ${method}`);
  const retries = Number(of('retries') ?? 3);
  if (!Number.isInteger(retries) || retries < 0) throw refusal(400, 'retries must be a number');
  const timeout = of('timeout');
  if (timeout !== null && !/^\d+[smhd]?$/.test(timeout)) throw refusal(400, 'invalid timeout');
  const callback = address(of('callback'));
  const failureCallback = address(of('failure-callback'));
  const forwarded = [...headers].flatMap(([name, value]) =>
    name.startsWith('upstash-forward-') ? [[name.slice('upstash-forward-'.length), [value]] as const] : [],
  );
  return {
    destination,
    cron,
    method,
    retries,
    header: Object.fromEntries(forwarded),
    ...(text !== '' && (text.includes('\uFFFD') ? { bodyBase64: Buffer.from(text).toString('base64') } : { body: text })),
    ...(timeout !== null && { timeout }),
    ...(callback !== null && { callback }),
    ...(failureCallback !== null && { failureCallback }),
    ...(of('label') !== null && { labels: String(of('label')).split(',') }),
    ...(of('retry-delay') !== null && { retryDelayExpression: String(of('retry-delay')) }),
    ...(of('queue-name') !== null && { queueName: String(of('queue-name')) }),
    ...delayOf(of('delay')),
    ...flowOf(of('flow-control-key'), of('flow-control-value')),
  };
}

function delayOf(given: string | null): Pick<QstashSchedule, 'delay'> {
  if (given === null) return {};
  if (!/^\d+s$/.test(given)) throw refusal(400, `invalid delay ${given}`);
  return { delay: Number.parseInt(given, 10) };
}

/** `parallelism=3, rate=10, period=60`: a key has at least one of them. */
function flowOf(key: string | null, value: string | null): Partial<QstashSchedule> {
  if (key === null && value === null) return {};
  const parts = (value ?? '').split(/,\s*/).map((part) => part.split('='));
  const isKnown = parts.every(([name, number]) => ['parallelism', 'rate', 'period'].includes(name ?? '') && /^\d+$/.test(number ?? ''));
  if (key === null || !isKnown) throw refusal(400, 'invalid flow control');
  return { flowControlKey: key, ...Object.fromEntries(parts.map(([name, number]) => [name, Number(number)])) };
}

const known =
  /^upstash-(schedule-id|cron|method|retries|retry-delay|delay|timeout|callback|failure-callback|label|queue-name|flow-control-key|flow-control-value|forward-.+)$/;

function address(given: string | null): string | null {
  if (given !== null && !URL.canParse(given)) throw refusal(400, `invalid callback url: ${given}`);
  return given;
}
