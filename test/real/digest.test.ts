import { describe, expect, it, onTestFinished } from 'vitest';
import { openField } from './kit/field.ts';
import { type GuardOptions, startGuard } from './kit/guarded.ts';
import { findLighttpd } from './kit/lighttpd.ts';
import { type Doorkeeper, planOfThings, serveThings } from './kit/things.ts';

const program = findLighttpd();
const user = 'public-key';
/** Beyond ASCII: lighttpd says that it takes UTF-8. */
const password = 'a:private, "key" \\ of Jürgen 0123456789';

describe.skipIf(program === null)('an API behind lighttpd', () => {
  const open = async (
    o: {
      readonly names?: readonly string[];
      readonly password?: string;
      readonly door?: Doorkeeper;
      readonly form?: string;
    } & Partial<GuardOptions>,
  ) => {
    if (program === null) throw new Error('there is no lighttpd');
    const { names = ['one'], form = 'digest', door, ...guarding } = o;
    const things = await serveThings(door);
    onTestFinished(() => things.stop());
    const guard = await startGuard({ program, port: things.port, user, algorithm: 'SHA-256', ...guarding, password });
    onTestFinished(() => guard.stop());
    const block = `
      base_url: ${guard.base}
      auth: { ${form}: { user_env: THINGS_USER, password_env: THINGS_PRIVATE_KEY } }`;
    const env = { THINGS_USER: user, THINGS_PRIVATE_KEY: o.password ?? password };
    return { things, guard, block, field: await openField({ plan: planOfThings(block, names), env }) };
  };

  const paramsOf = (header: string): ReadonlyMap<string, string> =>
    new Map(
      [...header.matchAll(/([a-z]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g)].map(([, name = '', quoted, plain]) => [
        name,
        quoted ?? plain ?? '',
      ]),
    );

  describe.each(['SHA-256', 'MD5', 'SHA-256|MD5', 'MD5|SHA-256'])('with Digest %s', (algorithm) => {
    it('is written, read and cleared by runs that are challenged once each', async () => {
      const { things, field } = await open({ algorithm });
      expect(await field.apply()).toMatchObject({ ok: true, status: 'complete', stats: { requests: 3 } });
      expect(things.seen.map(({ method }) => method)).toEqual(['GET', 'POST']);
      const second = await field.apply();
      expect(second).toMatchObject({ ok: true, stats: { writes: 0 } });
      expect(await field.destroy()).toMatchObject({ ok: true });
      expect(things.things.size).toBe(0);
    });

    it('answers the strongest challenge that it offers', async () => {
      const { things, field } = await open({ algorithm });
      await field.apply();
      const told = things.seen.map(({ authorization }) => paramsOf(authorization).get('algorithm'));
      expect(new Set(told)).toEqual(new Set([algorithm.includes('SHA-256') ? 'SHA-256' : 'MD5']));
    });
  });

  it('is challenged once for many requests at a time, which count the uses of one nonce', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `thing-${i}`);
    const { things, field } = await open({ names });
    const applied = await field.apply();
    expect(applied).toMatchObject({ ok: true, status: 'complete' });
    expect([...things.things.values()].map((thing) => thing.name).sort()).toEqual([...names].sort());
    expect(applied.stats.requests).toBe(things.seen.length + 1);
    const proofs = things.seen.map(({ authorization }) => paramsOf(authorization));
    expect(new Set(proofs.map((proof) => proof.get('nonce'))).size).toBe(1);
    const counts = proofs.map((proof) => Number.parseInt(proof.get('nc') ?? '', 16)).sort((a, b) => a - b);
    expect(counts).toEqual(Array.from({ length: things.seen.length }, (_, i) => i + 1));
    expect(new Set(proofs.map((proof) => proof.get('cnonce'))).size).toBe(things.seen.length);
  });

  it('proves the path as it is sent, query and escapes included', async () => {
    const { things, field, block } = await open({});
    const text = planOfThings(block, ['one']).replace('path: /things, list_path', 'path: "/things?q=a%20b&c=%C3%BC+%2F,%22", list_path');
    await field.write(text);
    expect(await field.apply()).toMatchObject({ ok: true });
    expect(things.seen[0]).toMatchObject({ path: '/things?q=a%20b&c=%C3%BC+%2F,%22', status: 200 });
  });

  it('takes a write that is the first request of a run once', async () => {
    const { things, field, block } = await open({});
    await field.write(`version: 1
providers:
  http:
    things:${block.replaceAll('\n  ', '\n    ').replaceAll('\n        ', '\n      ')}
changes:
  - id: tell
    adapter: http
    op: action
    api: things
    trigger: { revision: '1' }
    request: { path: /things, body: { name: told } }
    outputs: { id: /id }
`);
    expect(await field.apply()).toMatchObject({ ok: true, stats: { requests: 2, writes: 1 } });
    expect([...things.things.values()]).toEqual([{ id: 't1', name: 'told' }]);
  });

  it('proves itself anew to a server that wants another proof since, and sends the write once', async () => {
    const door: { hold: () => Promise<void> } = { hold: async () => undefined };
    const { things, guard, field } = await open({
      door: async () => {
        await door.hold();
        return null;
      },
    });
    door.hold = async () => {
      door.hold = async () => undefined;
      await guard.change('MD5');
    };
    const applied = await field.apply();
    expect(applied).toMatchObject({ ok: true, stats: { requests: 4, writes: 1 } });
    expect(things.seen.map(({ method }) => method)).toEqual(['GET', 'POST']);
    const told = things.seen.map(({ authorization }) => paramsOf(authorization).get('algorithm'));
    expect(told).toEqual(['SHA-256', 'MD5']);
  });

  it('refuses a wrong password: the error names the variables and shows no value', async () => {
    const { things, field } = await open({ password: 'not-the-private-key-0123' });
    const applied = await field.apply();
    expect(applied.lines[0]?.error).toMatchObject({ code: 'PROVIDER_AUTH', fix: expect.stringContaining('THINGS_PRIVATE_KEY') });
    expect(JSON.stringify(applied)).not.toContain('not-the-private-key-0123');
    expect(applied.stats.requests).toBe(2);
    expect(things.seen).toEqual([]);
  });

  it('refuses a user that it does not know', async () => {
    const { things, field } = await open({});
    const applied = await field.apply({ env: { THINGS_USER: 'somebody' } });
    expect(applied.lines[0]?.error).toMatchObject({ code: 'PROVIDER_AUTH', fix: expect.stringContaining('THINGS_USER') });
    expect(things.seen).toEqual([]);
  });

  it('keeps the proof of a key apart from a 401 of the API behind it', async () => {
    const { things, field } = await open({ door: async ({ method }) => (method === 'POST' ? 401 : null) });
    const applied = await field.apply();
    expect(applied.lines[0]?.error).toMatchObject({ code: 'PROVIDER_AUTH' });
    expect(things.seen.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });

  it('tells that a server which wants Basic is not one for Digest', async () => {
    const { things, field } = await open({ algorithm: 'basic' });
    const applied = await field.apply();
    expect(applied.lines[0]?.error).toMatchObject({ code: 'PROVIDER_AUTH', detail: expect.stringContaining('basic') });
    expect(things.seen).toEqual([]);
  });

  it('takes Basic credentials', async () => {
    const { things, field } = await open({ algorithm: 'basic', form: 'basic' });
    expect(await field.apply()).toMatchObject({ ok: true, stats: { requests: 2 } });
    expect(await field.destroy()).toMatchObject({ ok: true });
    expect(things.things.size).toBe(0);
  });
});
