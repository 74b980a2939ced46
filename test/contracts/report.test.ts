import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { json, makeKit, route, simulate } from 'pilotfish-sandbox/kit/index';
import { type Recorded, record } from 'pilotfish-sandbox/kit/record';
import type { Exchange } from 'pilotfish-sandbox/kit/types';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import type { Exemption } from './exemptions.ts';
import { buildReport, readRecorded } from './report.ts';
import { faultsOf, idleOf, notesOf, tableOf } from './show.ts';

/** The published description of a small provider: one closed write, one read. */
const description = {
  openapi: '3.1.0',
  'x-unconfirmed': ['what a duplicate name answers'],
  servers: [{ url: 'https://api.bell.example/v1' }],
  security: [{ token: [] }],
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: { bell: { type: 'object', required: ['id', 'name'], properties: { id: { type: 'integer' }, name: { type: 'string' } } } },
  },
  paths: {
    '/bells': {
      post: {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', additionalProperties: false, required: ['name'], properties: { name: { type: 'string' } } },
            },
          },
        },
        responses: { 201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/bell' } } } } },
      },
    },
    '/bells/{id}': {
      get: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/bell' } } } } },
      },
    },
  },
};

/** A simulation of it that takes what it gets, and answers with this id. */
function bell(id: unknown = 7) {
  const kit = makeKit('bell');
  return simulate(kit, {
    name: 'bell',
    origin: 'https://api.bell.example',
    basePath: '/v1',
    state: {},
    blind: () => ({}),
    world: () => ({}),
    tokens: kit.tokens,
    credential: ({ headers }) => headers.get('authorization')?.replace('Bearer ', '') ?? null,
    refuseCredential: () => json(401, {}),
    routes: [
      route('POST', '/v1/bells', ({ body }) => json(201, { id, name: Object(body).name ?? Object(body).label })),
      route('POST', '/v1/bell', () => json(201, { id, name: 'x' })),
      route('GET', '/v1/bells/{id}', () => json(200, { id, name: 'door' })),
    ],
  });
}

/** What one run of a small suite leaves behind: a create and a read, each changed as a test wants it. */
async function ranWith(change: { readonly path?: string; readonly body?: unknown; readonly query?: string; readonly id?: unknown } = {}) {
  const folder = await tempFolder('recorded');
  const simulation = bell(change.id);
  const headers = { authorization: `Bearer ${simulation.tokens.full}`, 'content-type': 'application/json' };
  const base = 'https://api.bell.example/v1';
  const body = JSON.stringify(change.body ?? { name: 'door' });
  await simulation.handle(new Request(`${base}${change.path ?? '/bells'}`, { method: 'POST', headers, body }));
  await simulation.handle(new Request(`${base}/bells/7${change.query ?? ''}`, { headers }));
  for (const exchange of simulation.exchanges)
    record(exchange, { PILOTFISH_CONTRACTS_RECORD: folder, PILOTFISH_CONTRACTS_PLACE: 'test/bell.test.ts > rings' });
  return folder;
}

const reportOf = async (folder: string, exemptions: readonly Exemption[] = [], isWhole = true, providers = ['bell']) => {
  const descriptions = await tempFolder('descriptions');
  await writeFile(join(descriptions, 'bell.openapi.json'), JSON.stringify(description));
  return await buildReport({ folder: descriptions, recorded: readRecorded(folder), providers, exemptions, isWhole });
};
const brokenBy = async (change: Parameters<typeof ranWith>[0]) => {
  const report = await reportOf(await ranWith(change));
  return report.violations.map(({ operation, at, what, place }) => ({ operation, at, what, place }));
};

describe('a run in which nothing is broken', () => {
  it('is a table of what was checked, without a fault', async () => {
    const report = await reportOf(await ranWith());
    expect(faultsOf(report)).toEqual([]);
    expect(tableOf(report).split('\n')).toEqual([
      'provider  op               requests checked  answers checked  violations  unconfirmed',
      '--------  ---------------  ----------------  ---------------  ----------  -----------',
      'bell      GET /bells/{id}                 1                1           0            0',
      'bell      POST /bells                     1                1           0            0',
    ]);
    expect(notesOf(report)).toContain('statements that the descriptions themselves call unconfirmed: bell 1');
  });
});

describe('what is broken on purpose is reported', () => {
  const place = 'test/bell.test.ts > rings';

  it('a path', async () => {
    expect(await brokenBy({ path: '/bell' })).toEqual([
      { operation: 'POST /v1/bell', at: 'path', what: 'the description has no operation for POST /v1/bell', place },
    ]);
  });

  it('a body field', async () => {
    expect(await brokenBy({ body: { label: 'door' } })).toEqual([
      { operation: 'POST /bells', at: 'request body', what: "must have required property 'name'", place },
      { operation: 'POST /bells', at: 'request body', what: 'must not have the member "label"', place },
    ]);
  });

  it('a simulated answer', async () => {
    expect(await brokenBy({ id: 'seven' })).toEqual([
      { operation: 'GET /bells/{id}', at: 'answer 200 /id', what: 'must be integer', place },
      { operation: 'POST /bells', at: 'answer 201 /id', what: 'must be integer', place },
    ]);
  });

  it('a query parameter that is not described', async () => {
    expect(await brokenBy({ query: '?verbos=1' })).toEqual([
      { operation: 'GET /bells/{id}', at: 'query verbos', what: 'the operation has no such parameter', place },
    ]);
  });

  it('each with its place, its pointer and what was expected, and the table counts it', async () => {
    const report = await reportOf(await ranWith({ id: 'seven' }));
    expect(faultsOf(report)).toEqual([
      'bell: GET /bells/{id}\n    answer 200 /id: must be integer\n    in test/bell.test.ts > rings',
      'bell: POST /bells\n    answer 201 /id: must be integer\n    in test/bell.test.ts > rings',
    ]);
    expect(report.rows.map(({ violations }) => violations)).toEqual([1, 1]);
  });

  it('a provider without a description', async () => {
    const folder = await tempFolder('recorded');
    const [exchange] = await recordedOf(await ranWith());
    if (exchange) record({ ...exchange, provider: 'gong' }, { PILOTFISH_CONTRACTS_RECORD: folder, PILOTFISH_CONTRACTS_PLACE: place });
    const { violations, silent } = await reportOf(folder);
    expect(violations).toMatchObject([{ provider: 'gong', at: 'description', what: 'there is no gong.openapi.json' }]);
    expect(silent).toEqual(['bell']);
  });

  it('a provider whose simulation says that nobody published a description is counted as unconfirmed', async () => {
    const folder = await tempFolder('recorded');
    const [exchange] = await recordedOf(await ranWith());
    const undescribed = 'its vendor publishes a page';
    if (exchange)
      record({ ...exchange, provider: 'gong', undescribed }, { PILOTFISH_CONTRACTS_RECORD: folder, PILOTFISH_CONTRACTS_PLACE: place });
    const { violations, rows } = await reportOf(folder);
    expect(violations).toEqual([]);
    expect(rows).toMatchObject([{ provider: 'gong', requests: 1, violations: 0, unconfirmed: 1 }]);
  });

  it('a provider that no suite talked to, and a run that recorded nothing', async () => {
    const report = await reportOf(await tempFolder('recorded'));
    expect(faultsOf(report)).toEqual(['nothing was recorded', 'bell: no suite sent it anything']);
  });

  it.each([
    'test/recipes/door_bell.test.ts > rings',
    'test/adapters/door-bell.test.ts > rings',
    'test/adapters/door-bell-lifecycle.test.ts > rings',
  ])('a provider whose name is not the name of the description talked to it when its suite did: %s', async (suite) => {
    const folder = await tempFolder('recorded');
    const [exchange] = await recordedOf(await ranWith());
    if (exchange) record(exchange, { PILOTFISH_CONTRACTS_RECORD: folder, PILOTFISH_CONTRACTS_PLACE: suite });
    const report = await reportOf(folder, [], true, ['bell', 'door_bell', 'gong']);
    expect(report.silent).toEqual(['gong']);
  });

  it('but a part of the suites proves nothing by what it did not do', async () => {
    const folder = await tempFolder('recorded');
    const [exchange] = await recordedOf(await ranWith());
    if (exchange) record({ ...exchange, provider: 'gong' }, { PILOTFISH_CONTRACTS_RECORD: folder });
    const toy: Exemption = { name: 'a gong', reason: 'it is a toy', at: /^description$/ };
    const report = await reportOf(folder, [toy, { ...toy, name: 'another' }], false);
    expect([report.silent, faultsOf(report), idleOf(report)]).toEqual([['bell'], ['nothing was recorded'], []]);
    expect(notesOf(report)).toContain('only a part of the suites ran');
  });
});

describe('exemptions', () => {
  const lenient: Exemption = { name: 'ids of words', reason: 'they are what this test is about', providers: ['bell'], at: /\/id$/ };

  it('let pass what they name, and are counted with their reason', async () => {
    const report = await reportOf(await ranWith({ id: 'seven' }), [lenient]);
    expect(faultsOf(report)).toEqual([]);
    expect(idleOf(report)).toEqual([]);
    expect(notesOf(report)).toContain('exempt 2: ids of words (they are what this test is about)');
  });

  it('let nothing else pass', async () => {
    const report = await reportOf(await ranWith({ id: 'seven', query: '?verbos=1' }), [lenient]);
    expect(report.violations.map(({ at }) => at)).toEqual(['query verbos']);
  });

  it('a provider that stands for no vendor is no line of the table', async () => {
    const folder = await tempFolder('recorded');
    const [exchange] = await recordedOf(await ranWith());
    if (exchange) record({ ...exchange, provider: 'gong' }, { PILOTFISH_CONTRACTS_RECORD: folder });
    const report = await reportOf(folder, [{ name: 'a gong', reason: 'it is a toy', providers: ['gong'], at: /^description$/ }]);
    expect(report.rows).toEqual([]);
    expect(report.exemptions).toMatchObject([{ name: 'a gong', used: 1 }]);
  });

  it('one that nothing needed is reported', async () => {
    const report = await reportOf(await ranWith(), [lenient]);
    expect(idleOf(report)).toEqual(['the exemption "ids of words" is needed by nothing: take it out of test/contracts/exemptions.ts']);
    expect(idleOf(await reportOf(await ranWith(), [{ ...lenient, isRare: true }]))).toEqual([]);
  });

  it.each<[string, Partial<Exemption>, boolean]>([
    ['its provider', { providers: ['gong'] }, false],
    ['its operation', { operation: 'POST /bells' }, true],
    ['another operation', { operation: 'POST /gongs' }, false],
    ['its status', { status: [201] }, true],
    ['another status', { status: [200] }, false],
    ['statuses from one on', { from: 300 }, false],
    ['what was found', { what: /^must be integer$/ }, true],
    ['planted answers', { isPlanted: true }, false],
    ['its suite', { suite: 'test/bell' }, true],
    ['another suite', { suite: 'test/gong' }, false],
  ])('are bound to %s', async (_, bound, covers) => {
    const exemption: Exemption = { name: 'one', reason: 'a test', at: /^answer 201/, ...bound };
    const report = await reportOf(await ranWith({ id: 'seven' }), [exemption]);
    expect(report.exemptions[0]?.used).toBe(covers ? 1 : 0);
  });
});

describe('what is read', () => {
  it('equal exchanges of two processes count once', async () => {
    const folder = await ranWith();
    const all = await recordedOf(folder);
    await writeFile(join(folder, 'another-0.jsonl'), all.map((one) => `${JSON.stringify(one)}\n`).join(''));
    expect((await reportOf(folder)).rows.map(({ requests }) => requests)).toEqual([1, 1]);
  });

  it('half a line that a killed process left is passed over', async () => {
    const folder = await ranWith();
    await writeFile(join(folder, 'killed-0.jsonl'), '{"provider":"bell","orig');
    expect(await recordedOf(folder)).toHaveLength(2);
  });

  it('a request whose answer never came is checked, an answer is not', async () => {
    const folder = await tempFolder('recorded');
    const [exchange] = await recordedOf(await ranWith());
    const lost: Exchange | null = exchange
      ? { ...exchange, body: {}, status: 0, injected: true, answer: { headers: {}, contentType: null, body: null } }
      : null;
    if (lost) record(lost, { PILOTFISH_CONTRACTS_RECORD: folder });
    const { rows, violations } = await reportOf(folder);
    expect(rows).toMatchObject([{ operation: 'POST /bells', requests: 1, answers: 0, violations: 1 }]);
    expect(violations).toMatchObject([{ at: 'request body', what: "must have required property 'name'" }]);
  });
});

async function recordedOf(folder: string): Promise<readonly Recorded[]> {
  const all: Recorded[] = [];
  for await (const one of readRecorded(folder)) all.push(one);
  return all;
}
