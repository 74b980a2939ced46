import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pilotfish } from '../cli/program.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { spansIn } from './otlp-form.ts';

/** A server on a free port of this machine, until the test ends. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

async function openCollector(status = 200) {
  const received: Received[] = [];
  const address = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
      const isJson = request.headers['content-type'] === 'application/json';
      response.writeHead(status, { 'content-type': request.headers['content-type'] ?? '' }).end(isJson ? '{"partialSuccess":{}}' : '');
    });
  });
  return { address, received };
}

const token = 'canary-token-of-the-shop';

/** A folder with a plan of two objects at a provider, the second of which is refused where `isFull`. */
async function openShop({ isFull = false } = {}): Promise<string> {
  const items: object[] = [];
  const address = await serve((request, response) => {
    const isNew = request.method === 'POST';
    if (isNew && (!isFull || items.length === 0)) items.push({ name: `item-${items.length + 1}`, id: `i${items.length + 1}` });
    else if (isNew) return void response.writeHead(402, { 'content-type': 'application/json' }).end('{"error":"full"}');
    response.writeHead(isNew ? 201 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isNew ? items.at(-1) : { data: items }));
  });
  const cwd = await tempFolder('telemetry');
  const line = (number: number): string => `  - id: item-${number}
    adapter: http
    op: resource
    api: shop
    find: { path: "/items?limit=canary-value", list_path: /data, match: { name: item-${number} } }
    create: { path: /items }
    delete: { path: "/items/{id}" }
    fields: { name: item-${number} }
`;
  const second = `${line(2)}    depends_on: [item-1]\n`;
  const head = `version: 1\nproviders:\n  http:\n    shop: { base_url: "${address}", auth: { bearer_env: SHOP_TOKEN } }\nchanges:\n`;
  await writeFile(join(cwd, 'release.plan.yaml'), `${head}${line(1)}${second}`);
  return cwd;
}

const apply = (cwd: string, env: { readonly [name: string]: string }, more: readonly string[] = []) =>
  pilotfish(['apply', '--scope', 'pr-1', '--progress', 'none', ...more], { cwd, env: { SHOP_TOKEN: token, ...env } });

const parent = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' };

describe('the export of a run', () => {
  it('is one trace in the published JSON form, below the parent of the job, and the file of the trace has the same spans', async () => {
    const [cwd, { address, received }] = await Promise.all([openShop(), openCollector()]);
    const { code, stderr } = await apply(
      cwd,
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: `${address}/otlp`,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_EXPORTER_OTLP_HEADERS: 'x-key=canary-of-the-collector',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=preview,team=shop',
        OTEL_SERVICE_NAME: 'releases',
        TRACEPARENT: `00-${parent.trace}-${parent.span}-01`,
      },
      ['--trace', 'seen'],
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(received.map(({ path, headers }) => [path, headers['content-type'], headers['x-key']])).toEqual([
      ['/otlp/v1/traces', 'application/json', 'canary-of-the-collector'],
    ]);
    const text = received[0]?.body.toString() ?? '';
    const { spans, resource } = spansIn(JSON.parse(text));
    expect(resource).toMatchObject({ 'service.name': 'releases', team: 'shop', 'deployment.environment.name': 'preview' });
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([parent.trace]));
    const nameOf = (id: string | undefined): string =>
      id === parent.span ? 'the job' : (spans.find(({ spanId }) => spanId === id)?.name ?? 'nothing');
    const tree = new Set(spans.map(({ name, parentSpanId }) => `${nameOf(parentSpanId)} > ${name}`));
    for (const edge of ['the job > pilotfish apply', 'pilotfish apply > line item-1', 'line item-2 > creating', 'creating > POST']) {
      expect([...tree]).toContain(edge);
    }
    const post = spans.find(({ name }) => name === 'POST');
    expect(post).toMatchObject({
      kind: 3,
      attributes: { 'http.request.method': 'POST', 'http.response.status_code': 201, 'server.address': '127.0.0.1' },
    });
    expect(text).not.toContain('canary');
    const file = await readFile(join(cwd, 'seen/otlp.json'), 'utf8');
    expect(spansIn(JSON.parse(file)).spans).toEqual(spans);
  });

  it('tells failures by their code', async () => {
    const [cwd, { address, received }] = await Promise.all([openShop({ isFull: true }), openCollector()]);
    const { code } = await apply(cwd, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${address}/here`, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });
    expect([code, received.map(({ path }) => path)]).toEqual([1, ['/here']]);
    const { spans } = spansIn(JSON.parse(received[0]?.body.toString() ?? ''));
    const failed = spans.filter(({ status }) => status?.code === 2).map(({ name, attributes }) => [name, attributes['error.type']]);
    expect(failed).toEqual(
      expect.arrayContaining([
        ['pilotfish apply', expect.stringMatching(/^PROVIDER_/)],
        ['line item-2', expect.stringMatching(/^PROVIDER_/)],
        ['POST', '402'],
      ]),
    );
  });

  it('is in Protocol Buffers without a choice, as the standard says', async () => {
    const [cwd, { address, received }] = await Promise.all([openShop(), openCollector()]);
    expect(await apply(cwd, { OTEL_EXPORTER_OTLP_ENDPOINT: address, TRACEPARENT: `00-${parent.trace}-${parent.span}-01` })).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(received.map(({ path, headers }) => [path, headers['content-type']])).toEqual([['/v1/traces', 'application/x-protobuf']]);
    expect(received[0]?.body.includes(Buffer.from(parent.trace, 'hex'))).toBe(true);
    expect(received[0]?.body.includes('line item-1')).toBe(true);
    expect(received[0]?.body.includes('canary')).toBe(false);
  });

  it.each([
    ['OTEL_SDK_DISABLED is true', { OTEL_SDK_DISABLED: 'true' }],
    ['OTEL_TRACES_EXPORTER is none', { OTEL_TRACES_EXPORTER: 'none' }],
    ['the trace of the parent is not recorded', { TRACEPARENT: `00-${parent.trace}-${parent.span}-00` }],
  ])('is not made where %s', async (_, env) => {
    const [cwd, { address, received }] = await Promise.all([openShop(), openCollector()]);
    expect(await apply(cwd, { OTEL_EXPORTER_OTLP_ENDPOINT: address, ...env })).toMatchObject({ code: 0, stderr: '' });
    expect(received).toEqual([]);
  });
});

describe('an export that fails changes nothing but one line', () => {
  const exported = async (env: { readonly [name: string]: string }) => {
    const { code, stdout, stderr } = await apply(await openShop(), env);
    expect([code, stdout]).toEqual([0, expect.stringContaining('complete')]);
    return stderr;
  };

  it('where the collector refuses', async () => {
    const { address } = await openCollector(401);
    expect(await exported({ OTEL_EXPORTER_OTLP_ENDPOINT: address })).toBe(`The run was not exported to ${address}: it answered 401.\n`);
  });

  it('where it never answers', async () => {
    const address = await serve(() => undefined);
    expect(await exported({ OTEL_EXPORTER_OTLP_ENDPOINT: address })).toBe(
      `The run was not exported to ${address}: it did not answer within 3 s.\n`,
    );
  });

  it('where nobody listens', async () => {
    const told = await exported({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:canary@127.0.0.1:1' });
    expect(told).toMatch(/^The run was not exported to http:\/\/127\.0\.0\.1:1: .+\.\n$/);
    expect(told).not.toContain('canary');
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }, 'The run was not exported: OTEL_EXPORTER_OTLP_ENDPOINT is no http address.\n'],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      'The run was not exported: OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json.\n',
    ],
  ])('where the variables cannot be used: %j', async (env, told) => {
    expect(await exported(env)).toBe(told);
  });
});
