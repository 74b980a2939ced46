import { seed } from 'pilotfish-sandbox/all';
import { afterEach, describe, expect, it } from 'vitest';
import { paths } from '../../src/ledger/model/state.ts';
import { branch, ends, lines, planOf } from './shop.ts';
import { type Computer, minute, openTown, second, type Town } from './town.ts';

let town: Town;
const open = async (...changes: readonly string[]): Promise<Town> => {
  town = await openTown(planOf(...changes));
  return town;
};
afterEach(async () => {
  town.verify();
  await town.close();
});
const adopted = lines.dns.replace(
  'target: cname.vercel-dns.com',
  'target: { keep: true }\n    ttl: { keep: true }\n    proxied: { keep: true }',
);
const theirs = (change = {}) => ({ type: 'CNAME', name: `pr-12.${seed.zone.name}`, content: 'theirs.example', ...change }) as const;
const createDns = 'POST /client/v4/zones/{zone}/dns_records';
const listDns = 'GET /client/v4/zones/{zone}/dns_records';
const intents = async () => [...(await town.ledger()).intents.values()];
const announced = (): number => town.commits().filter((commit) => commit.some((path) => path.startsWith('intents/'))).length;

/** A run that dies with its create announced: before the request left it, or with the request on its way. */
async function dies(how: 'before' | 'sent', method: string, path: RegExp): Promise<Computer> {
  const dead = town.computer();
  dead.machine.at(how, method, path, () => dead.machine.kill());
  town.abandon(dead.apply());
  await dead.machine.stopped;
  return dead;
}

describe('rule 3: intent', () => {
  it('is stored before its create is sent, and a push that is refused sends nothing', async () => {
    const { computer, remote, ledger } = await open(lines.dns);
    const one = computer();
    remote.before = () => {
      throw new Error('no network');
    };
    expect((await one.apply()).ok).toBe(false);
    expect(one.machine.sent).toEqual([]);
    remote.before = () => undefined;
    const stored: number[] = [];
    const next = computer();
    next.machine.at('before', 'POST', /dns_records$/, async () => void stored.push((await ledger()).intents.size));
    expect((await next.apply()).status).toBe('complete');
    expect(stored).toEqual([1]);
  });

  it('is not written for what is already there, nor for what is adopted', async () => {
    const { computer, world } = await open(adopted);
    world.cloudflare.world.addRecord(seed.zone.id, theirs());
    expect(ends(await computer().apply())).toEqual(['dns adopt settled']);
    expect(announced()).toBe(0);
    expect(ends(await computer().apply())).toEqual(['dns none settled']);
    expect(announced()).toBe(0);
  });

  it('of one wave rides with the records of the wave before', async () => {
    const { computer, commits } = await open(lines.payments, lines.hook, lines.dns, lines.alias);
    expect((await computer().apply()).status).toBe('complete');
    const kinds = commits().map((commit) => new Set(commit.map((path) => path.split('/')[0])));
    expect(kinds).toHaveLength(3);
    expect(kinds[1]).toEqual(new Set(['intents', 'records', 'lease.json', 'seals.json', 'snapshot.json']));
  });

  it('rests on a look under its own lease: what another run made meanwhile is seen by a second look', async () => {
    const { computer } = await open(lines.dns);
    const late = computer();
    // It saw nothing, and before it could say so another run made the record.
    late.machine.at('after', 'GET', /dns_records$/, () => late.machine.freeze());
    const run = late.apply();
    await late.machine.stopped;
    expect(ends(await computer().apply())).toEqual(['dns create settled']);
    late.machine.thaw();
    expect(ends(await run)).toEqual(['dns none settled']);
    expect(late.machine.sent).toEqual([]);
    expect(announced()).toBe(2); // the one of the other run, written and ended
    expect(town.records()).toHaveLength(1);
  });

  it('is not written on a look that is older than what another run wrote, whatever it wrote', async () => {
    const { computer, world } = await open(lines.dns, lines.payments);
    const late = computer();
    late.machine.at('after', 'GET', /dns_records$/, () => late.machine.freeze());
    const run = late.apply({ only: ['dns'] });
    await late.machine.stopped;
    expect((await computer().apply({ only: ['payments'] })).status).toBe('complete');
    late.machine.thaw();
    expect(ends(await run)).toEqual(['dns create settled']);
    expect(world.cloudflare.log.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST']);
  });
});

describe('rule 4: whose intent', () => {
  const stays: readonly (readonly [string, (next: Computer) => Promise<unknown>])[] = [
    ['that only plans', (next) => next.plan()],
    [
      'whose look fails',
      async (next) => {
        const down = town.world.cloudflare.faults.times(50, listDns, 500);
        await next.apply();
        down.disarm();
      },
    ],
    [
      'that is interrupted before it looks',
      (next) => {
        next.machine.at('before', 'GET', /dns_records$/, () => next.interrupt());
        return next.apply();
      },
    ],
    [
      'whose last push is refused',
      async (next) => {
        const before = town.remote.before;
        next.machine.at('after', 'GET', /dns_records$/, () => {
          town.remote.before = () => {
            throw new Error('no network');
          };
        });
        await next.apply();
        town.remote.before = before;
      },
    ],
  ];

  it.each(stays)('that an earlier run left is not withdrawn by a run %s', async (_, run) => {
    const { computer, remote } = await open(lines.dns);
    await dies('before', 'POST', /dns_records$/);
    const [left] = await intents();
    const file = (): string | undefined => remote.filesOf(branch).get(paths.intent(left?.identity ?? ''));
    const text = file();
    expect(text).toBeDefined();
    await run(computer());
    expect(file()).toBe(text);
    expect(ends(await computer().apply())).toEqual(['dns create settled']);
    expect(await intents()).toEqual([]);
  });

  it.each([
    ['a claim', 'sent', 'apply', ['dns claim settled'], 1],
    ['a believed look that saw nothing, and a create', 'before', 'apply', ['dns create settled'], 1],
    ['a deletion', 'sent', 'destroy', ['dns delete settled'], 0],
    ['a believed look that saw nothing', 'before', 'destroy', ['dns forget settled'], 0],
  ] as const)('that an earlier run left is ended by %s', async (_, how, command, expected, standing) => {
    const { computer } = await open(lines.dns);
    await dies(how, 'POST', /dns_records$/);
    expect(ends(await computer()[command]())).toEqual(expected);
    expect(await intents()).toEqual([]);
    expect(town.records()).toHaveLength(standing);
  });

  it.each(['sent', 'before'] as const)('of a line that is no longer in the plan is resolved too (%s)', async (how) => {
    const { computer, write, ledger, endpoints } = await open(lines.payments);
    await dies(how, 'POST', /webhook_endpoints$/);
    await write(planOf(lines.dns));
    await computer().apply();
    expect(await intents()).toEqual([]);
    const standing = how === 'sent' ? ['payments'] : [];
    expect((await computer().apply()).orphans.map(({ line }) => line)).toEqual(standing);
    expect([...(await ledger()).records.values()].map(({ line }) => line).sort()).toEqual(['dns', ...standing]);
    await computer().destroy();
    expect(endpoints()).toEqual([]);
  });

  it('of its own that was never sent is withdrawn by a run that is told to stop', async () => {
    const { computer, remote } = await open(lines.dns);
    const one = computer();
    remote.after = () => {
      remote.after = () => undefined;
      one.interrupt();
    };
    expect((await one.apply()).status).toBe('interrupted');
    expect(one.machine.sent).toEqual([]);
    expect(announced()).toBeGreaterThan(0);
    expect(await intents()).toEqual([]);
  });

  it.each([
    ['dns', 'POST', /dns_records$/],
    ['callback', 'PATCH', /\/clients\//],
  ] as const)('of its own whose answer is unknown is never withdrawn (%s)', async (id, method, path) => {
    const { computer } = await open(lines[id]);
    const one = computer();
    one.machine.slow({ method }, 20 * second);
    one.machine.at('sent', method, path, () => one.interrupt());
    expect((await one.apply()).ok).toBe(false);
    expect((await intents()).map(({ line }) => line)).toEqual([id]);
  });
});

describe('rule 5: claim', () => {
  it('two scopes that want one name at once end with one object, and the other scope never touches it', async () => {
    const { computer, ledger, records } = await open(lines.dns.replace('${ctx.scope}', 'fixed'));
    const docs = await Promise.all([computer().apply({ scope: 'pr-12' }), computer().apply({ scope: 'pr-13' })]);
    expect(docs.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(docs.find(({ ok }) => !ok)?.error?.code).toBe('RESOURCE_FOREIGN');
    const [owner, other] = docs[0]?.ok ? ['pr-12', 'pr-13'] : ['pr-13', 'pr-12'];
    await computer().destroy({ scope: other });
    expect(records()).toHaveLength(1);
    expect([...(await ledger(owner)).records.values()].map(({ objectId }) => objectId)).toEqual(records().map(({ id }) => id));
    expect((await ledger(other)).records.size).toBe(0);
    await computer().destroy({ scope: owner });
    expect(records()).toEqual([]);
  });

  it.each(['apply', 'destroy'] as const)(
    'what a person made before it was announced is not what the intent announced (%s)',
    async (next) => {
      const { computer, world, pass, records } = await open(lines.dns);
      // The list lags by more than the clocks of provider and runner may differ, and the create is lost on its way.
      world.cloudflare.world.addRecord(seed.zone.id, theirs());
      await pass(2 * minute);
      const blind = world.cloudflare.faults.once(listDns, 200, { success: true, result: [], result_info: { page: 1, total_pages: 1 } });
      world.cloudflare.faults.loseRequest(createDns);
      const doc = await computer().apply();
      expect([blind.hits, ends(doc)]).toEqual([1, ['dns create failed RESOURCE_FOREIGN']]);
      await computer()[next]();
      expect(records().map(({ content }) => content)).toEqual(['theirs.example']);
      expect((await town.ledger()).records.size).toBe(0);
    },
  );

  it('what another scope has recorded is not claimed through an intent of this one', async () => {
    const { computer, records, ledger } = await open(lines.dns.replace('${ctx.scope}', 'fixed'));
    await dies('before', 'POST', /dns_records$/);
    expect((await computer().apply({ scope: 'pr-13' })).status).toBe('complete');
    expect((await computer().apply()).error?.code).toBe('RESOURCE_FOREIGN');
    expect((await computer().destroy()).status).toBe('complete');
    expect(records()).toHaveLength(1);
    expect((await ledger('pr-13')).records.size).toBe(1);
  });
});

describe('rule 6: lost answers', () => {
  const calls = (): string[] => town.world.cloudflare.log.filter(({ path }) => path.endsWith('/dns_records')).map(({ method }) => method);

  it.each([503, 423, 429])('a create without an idempotency key that is answered with %i goes by way of its find', async (status) => {
    const { computer, world, records } = await open(lines.dns);
    world.cloudflare.faults.once(createDns, status, {});
    expect(ends(await computer().apply())).toEqual(['dns create settled']);
    expect(calls()).toEqual(['GET', 'POST', 'GET', 'POST']);
    expect(records()).toHaveLength(1);
  });

  it.each(['loseAnswer', 'cutAnswer', 'hang'] as const)('and so does one whose answer did not come (%s)', async (fault) => {
    const { computer, world, records } = await open(lines.dns);
    world.cloudflare.faults[fault](createDns);
    const claimed = fault !== 'hang';
    expect(ends(await computer().apply())).toEqual([claimed ? 'dns claim settled' : 'dns create settled']);
    expect(calls()).toEqual(claimed ? ['GET', 'POST', 'GET'] : ['GET', 'POST', 'GET', 'POST']);
    expect(records()).toHaveLength(1);
  });

  const keys = (): { readonly key: string | undefined; readonly body: string }[] =>
    town.world.stripe.exchanges
      .filter(({ method, path }) => method === 'POST' && path.endsWith('/webhook_endpoints'))
      .map(({ headers, body }) => ({ key: headers['idempotency-key'], body: JSON.stringify(body) }));

  it('a create with an idempotency key is sent again with that key and an equal body, and the intent holds the key', async () => {
    const { computer, world, endpoints } = await open(lines.payments);
    world.stripe.faults.cutAnswer('POST /v1/webhook_endpoints');
    world.stripe.faults.once('POST /v1/webhook_endpoints', 503, {});
    const one = computer();
    let stored: string | null | undefined;
    one.machine.at('sent', 'POST', /webhook_endpoints$/, async () => {
      stored = (await intents())[0]?.idempotencyKey;
    });
    expect(ends(await one.apply())).toEqual(['payments create settled']);
    expect(keys().length).toBeGreaterThan(1);
    expect(new Set(keys().map(({ key }) => key))).toEqual(new Set([stored]));
    expect(new Set(keys().map(({ body }) => body))).toHaveLength(1);
    expect(endpoints()).toHaveLength(1);
  });

  it('an intent outlives a run that stops while the repeat of its create waits for the host', async () => {
    const other = lines.payments.replace('id: payments', 'id: refunds').replace('name: shop', 'name: refunds');
    const { computer, world, endpoints, pass } = await open(lines.payments, other);
    const create = 'POST /v1/webhook_endpoints';
    world.stripe.faults.cutAnswer(create);
    world.stripe.faults.once(create, 429, {}, { 'retry-after': '20' });
    const stopped = computer();
    stopped.machine.at('after', 'POST', /webhook_endpoints$/, () => void pass(2 * second).then(stopped.interrupt));
    expect((await stopped.apply()).status).toBe('interrupted');
    expect([endpoints().length, (await intents()).length]).toEqual([1, 1]);
    expect((await computer().apply()).status).toBe('complete');
    expect(endpoints()).toHaveLength(2);
  });

  it('each new intent of an identity raises its generation and has another key', async () => {
    const { computer, endpoints } = await open(lines.payments);
    const seen: { readonly generation: number; readonly key: string | null }[] = [];
    const note = async (): Promise<void> => {
      for (const { generation, idempotencyKey } of await intents()) seen.push({ generation, key: idempotencyKey });
    };
    const dead = computer();
    dead.machine.at('before', 'POST', /webhook_endpoints$/, async () => {
      await note();
      dead.machine.kill();
    });
    town.abandon(dead.apply());
    await dead.machine.stopped;
    for (const recreate of [[], ['payments']]) {
      const next = computer();
      next.machine.at('sent', 'POST', /webhook_endpoints$/, note);
      expect((await next.apply({ recreate })).status).toBe('complete');
    }
    expect(seen.map(({ generation }) => generation)).toEqual([1, 2, 4]);
    expect(new Set(seen.map(({ key }) => key))).toHaveLength(3);
    expect(endpoints()).toHaveLength(1);
  });
});
