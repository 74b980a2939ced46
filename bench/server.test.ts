import { describe, expect, it, onTestFinished } from 'vitest';
import { type Counters, startServer, token } from './server.ts';
import { independent } from './wants.ts';

async function open(rate: number | null) {
  const clock = { ms: 0 };
  const server = await startServer(() => clock.ms);
  onTestFinished(() => server.stop());
  const control = async (name: string, body: unknown = null): Promise<unknown> =>
    (await fetch(`${server.base}/control/${name}`, { method: 'POST', body: JSON.stringify(body) })).json();
  await control('reset', { wanted: independent(1), latency: 0, rate });
  const get = (path: string, authorization = `Bearer ${token}`): Promise<Response> =>
    fetch(`${server.base}${path}`, { headers: { authorization } });
  const post = (path: string, body: string): Promise<Response> =>
    fetch(`${server.base}${path}`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body });
  return { clock, control, get, post };
}

describe('the server of the measurements', () => {
  it('answers so many requests in a second, refuses what is above, and says when to come again', async () => {
    const { clock, control, get } = await open(5);
    const answers = await Promise.all(Array.from({ length: 8 }, () => get('/collections/widgets')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1');
    expect((await control('counters')) as Counters).toMatchObject({ reads: 5, writes: 0, refused: 3 });
    clock.ms = 999;
    expect((await get('/collections/widgets')).status).toBe(429);
    clock.ms = 1000;
    expect((await get('/collections/widgets')).status).toBe(200);
  });

  it('counts from zero after the counters were taken, and does not count who takes them', async () => {
    const { control, get, post } = await open(null);
    await get('/collections/widgets');
    await post('/collections/widgets', '{"name":"ü"}');
    expect(await control('counters')).toMatchObject({ reads: 1, writes: 1, bytes: 13 });
    expect(await control('counters')).toEqual({ reads: 0, writes: 0, refused: 0, bytes: 0, atOnce: 0 });
  });

  it('answers nobody without the credential', async () => {
    const { get } = await open(null);
    expect((await get('/collections/widgets', 'Bearer other')).status).toBe(401);
  });
});
