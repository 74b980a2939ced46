import { github } from 'pilotfish-sandbox/github';
import { json, type Kit, makeKit, mount, nestFields, refuse, route, serve, simulate, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { fetch, request } from 'undici';
import { describe, expect, it } from 'vitest';

interface State {
  readonly notes: Map<string, string>;
}

/** The smallest provider: notes by name. */
function notes(kit: Kit = makeKit('notes')) {
  return simulate<State, State>(kit, {
    name: 'notes',
    origin: 'https://notes.example',
    basePath: '/v1',
    state: { notes: new Map() },
    blind: () => ({ notes: new Map() }),
    world: (state) => state,
    tokens: kit.tokens,
    credential: ({ headers }) => headers.get('x-key'),
    refuseCredential: (_, why) => json(why === 'read-only' ? 403 : 401, { error: why }),
    secretHeaders: ['x-key'],
    routes: [
      route('GET', '/v1/notes/{name}', ({ params, state }) => {
        const text = state.notes.get(params.name);
        if (text === undefined) throw refuse(404, { error: 'no such note' });
        return json(200, { text });
      }),
      route('PUT', '/v1/notes/{name}', ({ params, state, text }) => {
        state.notes.set(params.name, text);
        return json(200, { stored: params.name });
      }),
    ],
  });
}

const key = { 'x-key': 'notes-token-full-0123456789abcdef' };
const url = 'https://notes.example/v1/notes/a';

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  const error: unknown = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) return null;
  const { cause } = error;
  return Reflect.get(cause instanceof Error ? cause : error, 'code');
}

describe('mounted simulations', () => {
  it('answer undici fetch and undici request alike', async () => {
    const dispatcher = mount([notes()]);
    const put = await fetch(url, { method: 'PUT', headers: key, body: 'hello', dispatcher });
    expect(await put.json()).toEqual({ stored: 'a' });
    const read = await request(url, { headers: key, dispatcher });
    expect(read.statusCode).toBe(200);
    expect(await read.body.json()).toEqual({ text: 'hello' });
  });

  it('remember a request that no route serves, and answer 501', async () => {
    const simulation = notes();
    const dispatcher = mount([simulation]);
    const answer = await fetch('https://notes.example/v2/x', { headers: key, dispatcher });
    expect(answer.status).toBe(501);
    expect(simulation.unhandled).toEqual(['notes: GET /v2/x']);
    expect(() => verifyHandled([simulation])).toThrow('GET /v2/x');
    expect(() => dispatcher.verify()).toThrow('GET /v2/x');
  });

  it('fail a request to any other origin', async () => {
    const dispatcher = mount([notes()]);
    await expect(fetch('https://elsewhere.example/', { dispatcher })).rejects.toThrow();
    expect(() => dispatcher.verify()).toThrow('https://elsewhere.example/');
  });

  it('tell a missing, a wrong, a read-only and a blind credential apart', async () => {
    const simulation = notes();
    const dispatcher = mount([simulation]);
    simulation.world.notes.set('a', 'x');
    const status = async (token: string | null, method = 'GET') =>
      (await fetch(url, { method, headers: token === null ? {} : { 'x-key': token }, dispatcher })).status;
    expect(await status(null)).toBe(401);
    expect(await status('nonsense')).toBe(401);
    expect(await status(simulation.tokens.readOnly)).toBe(200);
    expect(await status(simulation.tokens.readOnly, 'PUT')).toBe(403);
    expect(await status(simulation.tokens.blind)).toBe(404);
  });
});

describe('faults', () => {
  it('lose an answer after the effect, and a request before it', async () => {
    const simulation = notes();
    const dispatcher = mount([simulation]);
    simulation.faults.loseAnswer('PUT /v1/notes/{name}');
    expect(await codeOf(fetch(url, { method: 'PUT', headers: key, body: 'one', dispatcher }))).toBe('UND_ERR_SOCKET');
    expect(simulation.world.notes.get('a')).toBe('one');
    simulation.faults.loseRequest('PUT /v1/notes/{name}');
    expect(await codeOf(fetch(url, { method: 'PUT', headers: key, body: 'two', dispatcher }))).toBe('ECONNRESET');
    expect(simulation.world.notes.get('a')).toBe('one');
    expect(simulation.log.map(({ outcome }) => outcome)).toEqual(['answer lost', 'request lost']);
  });

  it('cut an answer in its body', async () => {
    const simulation = notes();
    const dispatcher = mount([simulation]);
    simulation.faults.cutAnswer({ method: 'PUT' });
    const answer = await request(url, { method: 'PUT', headers: key, body: 'one', dispatcher });
    expect(answer.statusCode).toBe(200);
    await expect(answer.body.text()).rejects.toThrow('other side closed');
    expect(simulation.world.notes.get('a')).toBe('one');
  });

  it('answer a status a number of times without any effect', async () => {
    const simulation = notes();
    const dispatcher = mount([simulation]);
    const armed = simulation.faults.times(2, (call) => call.method === 'PUT', 429, { error: 'slow down' }, { 'retry-after': '3' });
    const put = () => fetch(url, { method: 'PUT', headers: key, body: 'x', dispatcher });
    expect([(await put()).status, (await put()).headers.get('retry-after'), (await put()).status]).toEqual([429, '3', 200]);
    expect([armed.hits, armed.left]).toEqual([2, 0]);
    expect(simulation.exchanges.map(({ injected }) => injected)).toEqual([true, true, false]);
  });

  it('hang until the client gives up', async () => {
    const simulation = notes();
    const dispatcher = mount([simulation]);
    simulation.faults.hang('GET /v1/notes/{name}');
    const stop = new AbortController();
    const pending = fetch(url, { headers: key, dispatcher, signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(pending).rejects.toThrow('enough');
    simulation.faults.hang('GET /v1/notes/{name}');
    const late = new AbortController();
    const second = request(url, { headers: key, dispatcher, signal: late.signal });
    await new Promise((resolve) => setImmediate(resolve));
    late.abort(new Error('enough too'));
    await expect(second).rejects.toThrow('enough too');
  });

  it('take their time on the injected clock', async () => {
    const slept: number[] = [];
    const clock = { now: () => 5000, mono: () => 0, sleep: async (ms: number) => void slept.push(ms) };
    const simulation = notes(makeKit('notes', { clock, ahead: 0 }));
    simulation.faults.slow('GET /v1/notes/{name}', 40);
    await fetch(url, { headers: key, dispatcher: mount([simulation]) });
    expect(slept).toEqual([40]);
    expect(simulation.log[0]?.at).toBe(5000);
  });

  it('read what was there before the last writes', async () => {
    const simulation = notes();
    const dispatcher = mount([simulation]);
    const put = (body: string) => fetch(url, { method: 'PUT', headers: key, body, dispatcher });
    const get = async () => (await fetch(url, { headers: key, dispatcher })).json();
    simulation.faults.staleRead('GET /v1/notes/{name}', 2, 1);
    for (const body of ['1', '2', '3']) await put(body);
    expect(await get()).toEqual({ text: '1' });
    expect(await get()).toEqual({ text: '3' });
  });

  it('read what was there some time ago, where reads lag', async () => {
    let now = 0;
    const simulation = notes(makeKit('notes', { clock: { now: () => now, mono: () => now, sleep: () => Promise.resolve() }, ahead: 0 }));
    const dispatcher = mount([simulation]);
    const at = async (moment: number, body?: string): Promise<unknown> => {
      now = moment;
      const answer = await fetch(url, { headers: key, dispatcher, ...(body !== undefined && { method: 'PUT', body }) });
      return body === undefined ? await answer.json() : answer.status;
    };
    simulation.faults.lags('GET /v1/notes/{name}', 1_000);
    await at(100, '1');
    await at(900, '2');
    expect(await at(1_000)).toEqual({ error: 'no such note' });
    expect(await at(1_100)).toEqual({ text: '1' });
    expect(await at(1_899)).toEqual({ text: '1' });
    expect(await at(1_900)).toEqual({ text: '2' });
    expect(simulation.log.map(({ outcome }) => outcome)).toEqual(['answered', 'answered', 'stale', 'stale', 'stale', 'answered']);
  });

  it('store nothing and answer a success', async () => {
    const simulation = notes();
    const dispatcher = mount([simulation]);
    simulation.faults.dropWrite('PUT /v1/notes/{name}');
    const answer = await fetch(url, { method: 'PUT', headers: key, body: 'x', dispatcher });
    expect(answer.status).toBe(200);
    expect(simulation.world.notes.size).toBe(0);
  });

  it('show a watcher each effect from both sides, and let it cut the run there', async () => {
    const simulation = notes();
    const dispatcher = mount([simulation]);
    const seen: string[] = [];
    const stop = simulation.watch(({ phase, write }) => {
      seen.push(`${phase} ${write}`);
      if (phase === 'after') throw new Error('cut here');
    });
    await expect(fetch(url, { method: 'PUT', headers: key, body: 'x', dispatcher })).rejects.toThrow();
    stop();
    expect(seen).toEqual(['before true', 'after true']);
    expect(simulation.world.notes.get('a')).toBe('x');
  });
});

describe('recordings', () => {
  it('hold the request and the answer without the credential', async () => {
    const simulation = notes();
    await fetch(`${url}?deep=1&tag=x&tag=y`, {
      method: 'PUT',
      headers: { ...key, authorization: 'Bearer hidden', 'content-type': 'application/json' },
      body: '{"n":1}',
      dispatcher: mount([simulation]),
    });
    const [exchange] = simulation.exchanges;
    expect(exchange).toMatchObject({
      provider: 'notes',
      method: 'PUT',
      path: '/v1/notes/a',
      query: { deep: '1', tag: ['x', 'y'] },
      contentType: 'application/json',
      body: { n: 1 },
      status: 200,
      answer: { contentType: 'application/json', body: { stored: 'a' } },
    });
    expect(JSON.stringify(exchange)).not.toMatch(/hidden|token-full/);
  });
});

describe('served simulations', () => {
  it('answer over a loopback port, under their name and base path', async () => {
    const simulation = notes();
    const served = await serve([simulation]);
    try {
      expect(served.env).toEqual({ NOTES_API_URL: served.base('notes') });
      const answer = await fetch(`${served.base('notes')}/notes/a`, { method: 'PUT', headers: key, body: 'hello' });
      expect(await answer.json()).toEqual({ stored: 'a' });
      expect(simulation.log[0]?.path).toBe('/v1/notes/a');
      const nameless = await fetch(new URL('/v1/notes/a', served.base('notes')), { headers: key });
      expect(await nameless.json()).toEqual({ text: 'hello' });
      expect((await fetch(new URL('/v2/other', served.base('notes')))).status).toBe(502);
      simulation.faults.loseAnswer('PUT /v1/notes/{name}');
      expect(await codeOf(fetch(`${served.base('notes')}/notes/a`, { method: 'PUT', headers: key, body: 'lost' }))).toBe('UND_ERR_SOCKET');
      expect(simulation.world.notes.get('a')).toBe('lost');
      simulation.faults.cutAnswer('GET /v1/notes/{name}');
      const cut = await fetch(`${served.base('notes')}/notes/a`, { headers: key });
      await expect(cut.text()).rejects.toThrow();
    } finally {
      await served.stop();
    }
  });
});

describe('headers of served simulations', () => {
  it('lead back to where the client asked', async () => {
    const simulation = github();
    simulation.world.addRepository('acme/shop');
    for (let i = 0; i < 3; i += 1) simulation.world.addHook('acme/shop', { url: `https://pr-${i}.acme.example` });
    const served = await serve([simulation]);
    try {
      const answer = await fetch(`${served.base('github')}/repos/acme/shop/hooks?per_page=2`, {
        headers: { authorization: `Bearer ${simulation.tokens.full}` },
      });
      const next = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? '';
      expect(next).toMatch(served.base('github'));
      expect(await (await fetch(next, { headers: { authorization: `Bearer ${simulation.tokens.full}` } })).json()).toHaveLength(1);
    } finally {
      await served.stop();
    }
  });
});

describe('form bodies', () => {
  it('nest by brackets, lists with and without an index', () => {
    expect(
      nestFields([
        ['a[b]', '1'],
        ['c[]', 'x'],
        ['c[]', 'y'],
        ['d[0]', 'p'],
        ['d[1]', 'q'],
        ['e', ''],
      ]),
    ).toEqual({
      a: { b: '1' },
      c: ['x', 'y'],
      d: ['p', 'q'],
      e: '',
    });
  });

  it('are refused where names contradict each other', () => {
    expect(() =>
      nestFields([
        ['a', '1'],
        ['a', '2'],
      ]),
    ).toThrow('given twice');
    expect(() =>
      nestFields([
        ['a', '1'],
        ['a[b]', '2'],
      ]),
    ).toThrow('both a value and a group');
    expect(() => nestFields([['a[1]', 'x']])).toThrow('skips an index');
    expect(() => nestFields([['a[b', 'x']])).toThrow('bracket notation');
  });
});

it('a late write is answered at once, and done with the first request after its time', async () => {
  let time = 0;
  const provider = notes(makeKit('notes', { clock: { now: () => time, mono: () => time, sleep: async () => undefined }, ahead: 0 }));
  provider.faults.late({ method: 'PUT' }, 1_000);
  const ask = (method: string, body?: string) =>
    provider.handle(new Request(url, { method, headers: key, ...(body !== undefined && { body }) }));
  expect((await ask('PUT', 'late')).status).toBe(200);
  expect((await ask('GET')).status).toBe(404);
  time = 1_001;
  expect(await (await ask('GET')).json()).toEqual({ text: 'late' });
});

it('a request that was written anew on its way is judged by how it was sent, and served as it came', async () => {
  const kit = makeKit('sealed');
  const provider = simulate<{ got: string }, { got: string }>(kit, {
    name: 'sealed',
    undescribed: 'no vendor has it',
    origin: 'https://sealed.example',
    state: { got: '' },
    blind: () => ({ got: '' }),
    world: (state) => state,
    tokens: kit.tokens,
    // The seal is over the body.
    credential: ({ headers, text }) => (headers.get('x-seal') === text ? kit.tokens.full : 'wrong'),
    refuseCredential: () => json(401, {}),
    routes: [
      route('PUT', '/notes', ({ state, text }) => {
        state.got = text;
        return json(200, {});
      }),
    ],
  });
  const put = (body: string) => new Request('https://sealed.example/notes', { method: 'PUT', body, headers: { 'x-seal': 'as sent' } });
  expect((await provider.handle(put('anew'))).status).toBe(401);
  expect((await provider.handle(put('anew'), put('as sent'))).status).toBe(200);
  expect(provider.world.got).toBe('anew');
});
