import type { Simulation } from 'pilotfish-sandbox/kit/types';
import { neon } from 'pilotfish-sandbox/neon/index';
import { type Manners, untidied } from 'pilotfish-sandbox/untidy/manners';
import { describe, expect, it } from 'vitest';

/** A provider that keeps the last body it was sent and shows it, behind a switch. */
function echoing() {
  let kept: unknown = null;
  const manners: Manners = { isUntidy: true };
  const handle: Simulation['handle'] = async (request) => {
    if (request.method !== 'GET') kept = await request.json();
    return Response.json(kept);
  };
  const provider = untidied({ ...neon(), handle }, manners);
  const at = 'https://echo.example/things/1';
  const headers = { 'content-type': 'application/json' };
  return {
    manners,
    kept: () => kept,
    write: async (body: unknown): Promise<unknown> =>
      (await provider.handle(new Request(at, { method: 'PUT', headers, body: JSON.stringify(body) }))).json(),
    read: async (): Promise<unknown> => (await provider.handle(new Request(at))).json(),
  };
}

describe('a provider that spells values in other ways', () => {
  const thing = { id: 'a', url: 'https://pr-12.acme.example/hook', about: 'preview 12 of shop', links: [{ sys: { id: 'main' } }] };

  it('shows addresses and sentences in another form, and members that nobody sent', async () => {
    const { write, read, kept } = echoing();
    await write(thing);
    expect(kept()).toEqual(thing);
    const added = { _revision: 1, _labels: [] };
    expect(await read()).toEqual({
      ...{ id: 'a', ...added, links: [{ sys: { id: 'main', ...added } }] },
      url: 'HTTPS://PR-12.ACME.EXAMPLE:443/hook',
      about: 'PREVIEW 12 OF SHOP',
    });
  });

  it('takes back what it shows for what it stands for, without the members that it added', async () => {
    const { write, read, kept } = echoing();
    await write(thing);
    await write(await read());
    expect(kept()).toEqual(thing);
  });

  it('shows what was written while the switch is off', async () => {
    const { write, read, manners } = echoing();
    await write(thing);
    manners.isUntidy = false;
    expect(await read()).toEqual(thing);
  });
});
