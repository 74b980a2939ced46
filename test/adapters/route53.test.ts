import { type RecordSet, route53 } from 'pilotfish-sandbox/aws-route53/index';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { expectContracts } from '../contracts/expect.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage, type Stage } from '../support/stage.ts';

const zone = 'Z0123456789ABCDEFGHIJ';
const name = 'pr-12.acme.example';
const line = {
  id: 'name',
  adapter: 'route53',
  op: 'record',
  hosted_zone_id: zone,
  name,
  type: 'CNAME',
  values: ['a.vercel-dns.com'],
  ttl: 60,
};
const theirs: RecordSet = { Name: 'pr-13.acme.example.', Type: 'CNAME', TTL: 60, ResourceRecords: ['a.vercel-dns.com'] };

async function openZone(lines: readonly object[] = [line]) {
  const clock = new LeapingClock();
  const simulation = route53({ clock });
  const { world, tokens, faults } = simulation;
  world.addZone('acme.example', { id: zone });
  world.addRecord(zone, structuredClone(theirs));
  const planOf = (changes: readonly object[]): string => JSON.stringify({ version: 1, changes });
  const stage: Stage = await openStage({
    simulations: [simulation],
    clock,
    env: {
      AWS_ACCESS_KEY_ID: world.keyIds.full,
      AWS_SECRET_ACCESS_KEY: tokens.full,
      PILOTFISH_REQUEST_DEADLINE_MS: '3000',
      PILOTFISH_LEASE_MS: '120000',
    },
    plan: planOf(lines),
  });
  onTestFinished(async () => {
    await stage.close();
    verifyHandled([simulation]);
    expectContracts([simulation]);
  });
  const ours = () => world.records(zone).filter(({ Name, Type }) => Name.includes('pr-12') && Type !== 'AAAA');
  const actions = () => simulation.writes().map(({ body }) => [...String(body).matchAll(/<Action>(\w+)/g)].map(([, one]) => one).join('+'));
  const write = (changes: readonly object[]) => stage.write(planOf(changes));
  return { clock, simulation, world, faults, stage, ours, actions, write };
}

/** Somebody does this right before the next write of a run. */
function beforeTheWrite({ watch }: Pick<ReturnType<typeof route53>, 'watch'>, act: () => void): void {
  const forget = watch(({ phase, write }) => {
    if (phase !== 'before' || !write) return;
    forget();
    act();
  });
}

const long = { leaseTimeoutMs: 400_000, waitTimeoutMs: 400_000 } as const;
const waitsIn = (events: readonly RunEvent[]) => events.flatMap((event) => (event.type === 'wait' ? [event.detail] : []));

describe('a record set', () => {
  test('is made by CREATE, changed by one batch that names the old one, and deleted as it stands: nothing is ever put over another', async () => {
    const { world, stage, ours, actions, write } = await openZone();
    expect(await stage.apply(long)).toMatchObject({ ok: true, outputs: { name: { id: `CNAME ${name}`, fqdn: name } } });
    await write([{ ...line, values: ['b.vercel-dns.com'], ttl: 30 }]);
    expect(await stage.apply(long)).toMatchObject({ ok: true });
    expect(ours()).toEqual([{ Name: `${name}.`, Type: 'CNAME', TTL: 30, ResourceRecords: ['b.vercel-dns.com'] }]);
    // Somebody changed it by hand: it is ours all the same, and Route 53 wants to be told what it is.
    Object.assign(ours()[0] ?? {}, { TTL: 7, ResourceRecords: ['elsewhere.example.'] });
    expect(await stage.destroy(long)).toMatchObject({ ok: true, status: 'complete' });
    expect(actions()).toEqual(['CREATE', 'DELETE+CREATE', 'DELETE']);
    expect(ours()).toEqual([]);
    expect(world.records(zone)).toContainEqual(theirs);
  });

  test('has its address in the ledger and none of its values: they are read when it is deleted', async () => {
    const { stage } = await openZone();
    await stage.apply(long);
    const [record] = (await stage.ledger()).records.values();
    expect(JSON.stringify(record?.reach)).toContain(zone);
    expect(JSON.stringify(record?.reach)).not.toContain('vercel-dns');
  });

  test('is waited for until every server has it, in words a person can read', async () => {
    const { faults, stage } = await openZone();
    faults.readyAfter(3);
    const events: RunEvent[] = [];
    expect(await stage.apply(long, events)).toMatchObject({ ok: true, status: 'complete' });
    expect(waitsIn(events)).toContain('servers of Route 53 do not have the change yet');
  });

  test('whose change an earlier run made is given a minute by the next one, which makes no other', async () => {
    const { clock, faults, stage, actions } = await openZone([{ ...line, timeout: 3 }]);
    faults.readyAfter(Number.POSITIVE_INFINITY);
    expect(await stage.apply(long)).toMatchObject({ ok: false, error: { code: 'WAIT_TIMEOUT' } });
    const before = clock.now();
    expect(await stage.apply(long)).toMatchObject({ ok: false, error: { code: 'WAIT_TIMEOUT' } });
    expect(clock.now() - before).toBeLessThan(30_000);
    const other = await openZone();
    other.faults.readyAfter(Number.POSITIVE_INFINITY);
    expect(await other.stage.apply({ ...long, waitTimeoutMs: 2_000 })).toMatchObject({ ok: false, error: { code: 'WAIT_TIMEOUT' } });
    const then = other.clock.now();
    expect(await other.stage.apply(long)).toMatchObject({ ok: true, status: 'complete' });
    expect(other.clock.now() - then).toBeGreaterThanOrEqual(60_000);
    expect([actions(), other.actions()]).toEqual([['CREATE'], ['CREATE']]);
  });

  test('that somebody changes between the read and the delete is read again, and then it goes', async () => {
    const { simulation, stage, ours, actions } = await openZone();
    await stage.apply(long);
    beforeTheWrite(simulation, () => Object.assign(ours()[0] ?? {}, { TTL: 77 }));
    expect(await stage.destroy(long)).toMatchObject({ ok: true, status: 'complete' });
    expect(actions()).toEqual(['CREATE', 'DELETE', 'DELETE']);
    expect(ours()).toEqual([]);
  });

  test('whose delete is refused for another reason keeps its record, and is asked for twice at the most', async () => {
    const { faults, stage, ours, actions } = await openZone();
    await stage.apply(long);
    faults.times(9, { method: 'POST' }, 400, { message: 'A guard says no' });
    expect(await stage.destroy(long)).toMatchObject({
      ok: false,
      lines: [{ error: { detail: expect.stringContaining('A guard says no') } }],
    });
    expect([actions().length, ours().length, (await stage.ledger()).records.size]).toEqual([3, 1, 1]);
  });

  test('that somebody changes between the read and an update is read again and put back', async () => {
    const { simulation, stage, ours, actions, write } = await openZone();
    await stage.apply(long);
    await write([{ ...line, ttl: 30 }]);
    beforeTheWrite(simulation, () => Object.assign(ours()[0] ?? {}, { ResourceRecords: ['elsewhere.example.'] }));
    expect(await stage.apply(long)).toMatchObject({ ok: true, status: 'complete' });
    expect(actions()).toEqual(['CREATE', 'DELETE+CREATE', 'DELETE+CREATE']);
    expect(ours()).toMatchObject([{ TTL: 30, ResourceRecords: ['a.vercel-dns.com'] }]);
  });

  test.each(['loseAnswer', 'loseRequest'] as const)('is changed once although a connection broke: %s', async (fault) => {
    const { faults, stage, ours, write } = await openZone();
    await stage.apply(long);
    await write([{ ...line, ttl: 30 }]);
    faults[fault]({ method: 'POST' });
    expect(await stage.apply(long)).toMatchObject({ ok: true, status: 'complete' });
    expect(ours()).toMatchObject([{ TTL: 30 }]);
    expect(await stage.plan(long)).toMatchObject({ lines: [{ verdict: 'none', drift: 'none' }] });
  });

  test('turns into an alias in one change, and an alias into values', async () => {
    const { stage, ours, actions, write } = await openZone([{ ...line, type: 'A', values: ['192.0.2.7'] }]);
    await stage.apply(long);
    const { values: _, ttl: __, ...rest } = line;
    await write([{ ...rest, type: 'A', alias_target: 'd1.cloudfront.net', alias_zone_id: 'Z2FDTNDATAQYW2' }]);
    expect(await stage.apply(long)).toMatchObject({ ok: true });
    const AliasTarget = { HostedZoneId: 'Z2FDTNDATAQYW2', DNSName: 'd1.cloudfront.net.', EvaluateTargetHealth: false };
    expect(ours()).toEqual([{ Name: `${name}.`, Type: 'A', AliasTarget }]);
    await write([{ ...rest, type: 'A', values: ['192.0.2.8'] }]);
    expect(await stage.apply(long)).toMatchObject({ ok: true });
    expect(ours()).toEqual([{ Name: `${name}.`, Type: 'A', TTL: 300, ResourceRecords: ['192.0.2.8'] }]);
    expect(actions()).toEqual(['CREATE', 'DELETE+CREATE', 'DELETE+CREATE']);
    expect(await stage.destroy(long)).toMatchObject({ ok: true });
  });

  test('of others is adopted as it stands, and stays', async () => {
    const { stage, world, actions } = await openZone([
      { ...line, name: 'pr-13.acme.example', values: { keep: true }, ttl: { keep: true } },
    ]);
    expect(await stage.apply(long)).toMatchObject({ ok: true, outputs: { name: { fqdn: 'pr-13.acme.example' } } });
    expect(await stage.destroy(long)).toMatchObject({ ok: true });
    expect(actions()).toEqual([]);
    expect(world.records(zone)).toContainEqual(theirs);
  });

  test('keeps its ttl where the line leaves that out', async () => {
    const { ttl: _, ...short } = line;
    const { stage, ours, write } = await openZone([short]);
    await stage.apply(long);
    Object.assign(ours()[0] ?? {}, { TTL: 5 });
    expect(await stage.plan(long)).toMatchObject({ lines: [{ verdict: 'none', drift: 'none' }] });
    await write([{ ...short, values: ['b.vercel-dns.com'] }]);
    expect(await stage.apply(long)).toMatchObject({ ok: true });
    expect(ours()).toMatchObject([{ TTL: 5, ResourceRecords: ['b.vercel-dns.com'] }]);
  });
});

describe('a line', () => {
  test('two spellings of one name are one object, and refused', async () => {
    const { stage } = await openZone([line, { ...line, id: 'again', name: 'PR-12.acme.example.' }]);
    await expect(stage.apply(long)).rejects.toThrow('same object');
  });

  test.each([
    [
      'both values and an alias',
      { alias_target: 'd1.cloudfront.net', alias_zone_id: 'Z2FDTNDATAQYW2' },
      'either `values` or `alias_target`',
    ],
    ['neither', { values: undefined }, 'either `values` or `alias_target`'],
    ['an alias without its zone', { values: undefined, ttl: undefined, alias_target: 'd1.cloudfront.net' }, '`alias_zone_id`'],
    ['an alias with a ttl', { values: undefined, alias_target: 'd1.cloudfront.net', alias_zone_id: 'Z2FDTNDATAQYW2' }, 'ttl'],
    ['the zone of an alias alone', { alias_zone_id: 'Z2FDTNDATAQYW2' }, '`alias_target` only'],
    ['two values of a CNAME', { values: ['a.example', 'b.example'] }, 'one value'],
    ['quotes around a text', { type: 'TXT', values: ['"v=spf1 -all"'] }, 'without quotes'],
    ['a name in Unicode', { name: 'bücher.acme.example' }, 'name'],
    ['a zone with a path', { hosted_zone_id: `/hostedzone/${zone}` }, 'hosted_zone_id'],
    ['a secret', { type: 'TXT', values: [{ secret: 'env://AWS_SECRET_ACCESS_KEY' }] }, 'values'],
  ])('%s is refused before anything is sent', async (_, params, said) => {
    const { simulation, stage } = await openZone([{ ...line, ...params }]);
    await expect(stage.apply(long)).rejects.toThrow(said);
    expect(simulation.log).toEqual([]);
  });
});

describe('what others have under the name', () => {
  const weighted = (SetIdentifier: string): RecordSet => ({
    Name: `${name}.`,
    Type: 'CNAME',
    SetIdentifier,
    Weight: 1,
    TTL: 60,
    ResourceRecords: ['a.example'],
  });

  test.each([[['blue']], [['blue', 'green']]])(
    'record sets with the identifiers %j are refused as foreign, and nothing is written',
    async (identifiers) => {
      const { world, stage, actions } = await openZone();
      for (const one of identifiers) world.addRecord(zone, weighted(one));
      const foreign = { code: 'RESOURCE_FOREIGN', detail: expect.stringContaining('"blue"') };
      expect(await stage.plan(long)).toMatchObject({ lines: [{ error: foreign }] });
      expect(await stage.apply(long)).toMatchObject({ ok: false, error: foreign });
      expect(actions()).toEqual([]);
      expect((await stage.ledger()).intents.size).toBe(0);
    },
  );

  test('record sets with identifiers that took the place of ours stay when it is destroyed', async () => {
    const { world, stage, actions, ours } = await openZone();
    await stage.apply(long);
    world.removeRecord(zone, { Name: `${name}.`, Type: 'CNAME' });
    for (const one of ['blue', 'green']) world.addRecord(zone, weighted(one));
    expect(await stage.apply(long)).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
    expect(await stage.destroy(long)).toMatchObject({ ok: true, status: 'complete' });
    expect(actions()).toEqual(['CREATE']);
    expect(ours()).toHaveLength(2);
    expect((await stage.ledger()).records.size).toBe(0);
  });

  test('a record of another type is told in the words of Route 53, and both stay as they are', async () => {
    const { world, stage, ours } = await openZone();
    world.addRecord(zone, { Name: `${name}.`, Type: 'AAAA', TTL: 60, ResourceRecords: ['2001:db8::1'] });
    const error = { code: 'PROVIDER_INVALID', detail: expect.stringContaining('a conflicting RRSet') };
    expect(await stage.apply(long)).toMatchObject({ ok: false, error });
    expect(ours()).toEqual([]);
    expect((await stage.ledger()).intents.size).toBe(0);
  });

  test('a refusal in the form that has no code is told as well', async () => {
    const { faults, stage } = await openZone();
    const namespace = 'https://route53.amazonaws.com/doc/2013-04-01/';
    const body = `<InvalidChangeBatch xmlns="${namespace}"><Messages><Message>A</Message><Message>B</Message></Messages><RequestId>1</RequestId></InvalidChangeBatch>`;
    faults.once({ method: 'POST' }, 400, body, { 'content-type': 'application/xml' });
    expect(await stage.apply(long)).toMatchObject({
      ok: false,
      error: { code: 'PROVIDER_INVALID', detail: expect.stringContaining(': A; B.') },
    });
  });

  test('a name outside of the zone is told in the words of Route 53', async () => {
    const { stage } = await openZone([{ ...line, name: 'pr-12.other.example' }]);
    expect(await stage.apply(long)).toMatchObject({
      ok: false,
      error: { detail: expect.stringContaining('is not permitted in zone acme.example.') },
    });
  });
});

describe('many records of one zone', () => {
  const lines = [1, 2, 3].map((n) => ({ ...line, id: `name-${n}`, name: `n${n}.${name}` }));

  test('are made in one change', async () => {
    const { stage, ours, actions } = await openZone(lines);
    expect(await stage.apply(long)).toMatchObject({ ok: true, status: 'complete' });
    expect(actions()).toEqual(['CREATE+CREATE+CREATE']);
    expect(ours()).toHaveLength(3);
    expect(await stage.destroy(long)).toMatchObject({ ok: true, status: 'complete' });
    expect(ours()).toEqual([]);
  });

  test('are made all but the one that Route 53 refuses', async () => {
    const bad = { ...line, id: 'bad', name: `bad.${name}`, type: 'A', values: ['not an address'] };
    const { stage, ours } = await openZone([...lines, bad]);
    const { lines: ends } = await stage.apply(long);
    expect(ends.map(({ id, error }) => [id, error?.code ?? 'made'])).toEqual([
      ['name-1', 'made'],
      ['name-2', 'made'],
      ['name-3', 'made'],
      ['bad', 'PROVIDER_INVALID'],
    ]);
    expect(ours()).toHaveLength(3);
  });

  test('whose answer is lost are found again, each under its own intent', async () => {
    const { faults, stage, ours, actions } = await openZone(lines);
    faults.loseAnswer({ method: 'POST' });
    expect(await stage.apply(long)).toMatchObject({ ok: true, status: 'complete' });
    expect(actions()).toEqual(['CREATE+CREATE+CREATE']);
    expect(ours()).toHaveLength(3);
    expect((await stage.ledger()).records.size).toBe(3);
  });
});

describe('a zone that is busy', () => {
  test('with an earlier change is asked again some seconds later, and every record is made once', async () => {
    const { clock, world, stage, ours } = await openZone([line, { ...line, id: 'more', name: `more.${name}` }]);
    world.state.busy = 3;
    const before = clock.now();
    expect(await stage.apply(long)).toMatchObject({ ok: true, status: 'complete' });
    expect(clock.now() - before).toBeGreaterThanOrEqual(10_000);
    expect(ours()).toHaveLength(2);
    world.state.busy = 3;
    expect(await stage.destroy(long)).toMatchObject({ ok: true, status: 'complete' });
    expect(ours()).toEqual([]);
  });

  test.each([['GET'], ['POST']])('an account that is asked too often is asked again: %s', async (method) => {
    const { faults, stage, ours } = await openZone();
    const body = { ErrorResponse: { Error: { Type: 'Sender', Code: 'Throttling', Message: 'Rate exceeded' } } };
    const armed = faults.times(3, { method }, 400, body);
    expect(await stage.apply(long)).toMatchObject({ ok: true, status: 'complete' });
    expect([armed.hits, ours().length]).toEqual([3, 1]);
  });
});

describe('a zone by its name', () => {
  const found = { id: 'zone', adapter: 'route53', op: 'zone', name: 'acme.example' };
  const named = { ...line, hosted_zone_id: { from: 'zone.id' } };

  test('is looked up once for all of its records, also by a plan, and the ledger needs it no more', async () => {
    const { simulation, stage, ours, write } = await openZone([found, named, { ...named, id: 'more', name: `more.${name}` }]);
    expect(await stage.apply(long)).toMatchObject({ ok: true, outputs: { zone: { id: zone, name: 'acme.example' } } });
    expect(simulation.log.filter(({ path }) => path.endsWith('/hostedzonesbyname'))).toHaveLength(1);
    expect(await stage.plan(long)).toMatchObject({ lines: [{ verdict: 'none' }, { verdict: 'none' }, { verdict: 'none' }] });
    await write([]);
    expect(await stage.destroy(long)).toMatchObject({ ok: true });
    expect(ours()).toEqual([]);
  });

  test.each<[string, object, { readonly name: string; readonly isPrivate?: boolean }[], string, RegExp]>([
    ['that nobody has', { name: 'acmee.example' }, [], 'PROVIDER_NOT_FOUND', /no hosted zone acmee\.example/],
    ['of a name in another zone', { name: 'preview.acme.example' }, [], 'PROVIDER_NOT_FOUND', /domain of the zone itself/],
    ['that two public ones have', {}, [{ name: 'acme.example' }], 'PARAM_INVALID', /Z\w+ \(public\), Z\w+ \(public\)/],
    ['that a private one has, too', {}, [{ name: 'acme.example', isPrivate: true }], 'PARAM_INVALID', /\(private\)/],
    [
      'that a private one has alone',
      { name: 'inside.example' },
      [{ name: 'inside.example', isPrivate: true }],
      'PARAM_INVALID',
      /one hosted zone, and it is private/,
    ],
    ['that no private one has', { private: true }, [], 'PARAM_INVALID', /\(public\)/],
  ])('%s is refused before anything is written', async (_, params, zones, code, said) => {
    const { world, stage, actions } = await openZone([{ ...found, ...params }, named]);
    for (const { name: domain, isPrivate = false } of zones) world.addZone(domain, { isPrivate });
    const { ok, error } = await stage.apply(long);
    expect([ok, error?.code]).toEqual([false, code]);
    expect(`${error?.detail} ${error?.fix}`).toMatch(said);
    expect(actions()).toEqual([]);
  });

  test.each([true, false])('is the one that is meant: private %s', async (isPrivate) => {
    const { world, stage } = await openZone([{ ...found, private: isPrivate }]);
    const inside = world.addZone('acme.example', { isPrivate: true });
    expect(await stage.apply(long)).toMatchObject({ ok: true, outputs: { zone: { id: isPrivate ? inside : zone } } });
  });
});
