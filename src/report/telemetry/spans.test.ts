import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../engine/document.ts';
import { readableSpans } from './otlp.ts';
import { traceParent } from './parent.ts';
import { spansOf } from './spans.ts';

const at = (ms: number) => 1_795_000_000_000 + ms;
const line = (id: string, from: string, to: string, ms: number): RunEvent => ({
  type: 'line',
  line: id,
  from,
  to,
  event: `${from}.done`,
  at: at(ms),
});

const run: readonly RunEvent[] = [
  { type: 'run', state: 'begun', run: '4f2a9c1be07d', lines: 1, at: at(0) },
  { type: 'lines', lines: [{ id: 'db', after: [], adapter: 'neon', op: 'branch' }], at: at(0) },
  line('db', '', 'waiting', 0),
  line('db', 'waiting', 'locating', 10),
  {
    type: 'request',
    line: 'db',
    method: 'GET',
    url: 'https://u:p@api.example/b?token=abc&limit=5#x',
    status: 200,
    ms: 20,
    attempt: 1,
    at: at(35),
  },
  { type: 'verdict', line: 'db', verdict: 'create', why: '', drift: 'none', changes: [], lock: null, at: at(40) },
  line('db', 'locating', 'creating', 40),
  { type: 'request', line: 'db', method: 'POST', url: 'http://[::1]:8080/b', status: 503, ms: 10, attempt: 2, at: at(60) },
  {
    type: 'failure',
    line: 'db',
    error: { code: 'PROVIDER_QUOTA', summary: 'A limit of the provider is reached', detail: 'd', fix: 'f' },
    at: at(61),
  },
  line('db', 'creating', 'failed', 61),
  { type: 'ledger', what: 'push', ms: 5, at: at(80) },
];

describe('the spans of a run', () => {
  const spans = spansOf(run, { title: 'apply preview/pr-12', errors: [] });
  const named = (name: string) => spans.find((span) => span.name === name);

  it('are the run, its lines, their states and their requests, each below what sent it', () => {
    expect(
      spans.map(({ name, parent, start, end }) => [
        name,
        spans.find(({ key }) => key === parent)?.name ?? null,
        start - at(0),
        end - at(0),
      ]),
    ).toEqual([
      ['pilotfish apply', null, 0, 80],
      ['line db', 'pilotfish apply', 0, 61],
      ['waiting', 'line db', 0, 10],
      ['locating', 'line db', 10, 40],
      ['creating', 'line db', 40, 61],
      ['GET', 'locating', 15, 35],
      ['POST', 'creating', 50, 60],
      ['ledger push', 'pilotfish apply', 75, 80],
    ]);
  });

  it('carry the code of a failure, and its constant words', () => {
    expect(named('line db')).toMatchObject({
      failed: 'A limit of the provider is reached',
      attributes: { 'error.type': 'PROVIDER_QUOTA', 'pilotfish.operation': 'neon.branch', 'pilotfish.verdict': 'create' },
    });
    expect(named('pilotfish apply')).toMatchObject({
      failed: 'A limit of the provider is reached',
      attributes: { 'error.type': 'PROVIDER_QUOTA', 'pilotfish.run.id': '4f2a9c1be07d' },
    });
  });

  it('describe requests as the conventions for HTTP clients do, without credentials and without values of a query', () => {
    expect(named('GET')).toMatchObject({
      kind: 'client',
      failed: null,
      attributes: {
        'http.request.method': 'GET',
        'url.full': 'https://api.example/b?token=REDACTED&limit=REDACTED',
        'server.address': 'api.example',
        'server.port': 443,
        'http.response.status_code': 200,
      },
    });
    expect(named('POST')).toMatchObject({
      failed: 'HTTP 503',
      attributes: { 'server.address': '::1', 'server.port': 8080, 'http.request.resend_count': 1, 'error.type': '503' },
    });
    const [lost] = spansOf(
      [{ type: 'request', line: null, method: 'PROPFIND', url: 'no address', status: null, ms: 1, attempt: 1, at: at(1) }],
      { title: 'plan preview', errors: [] },
    ).slice(1);
    expect(lost).toMatchObject({
      name: 'HTTP',
      attributes: { 'http.request.method': '_OTHER', 'http.request.method_original': 'PROPFIND', 'error.type': 'no_answer' },
    });
  });

  it('are masked by every secret that is known at the end', () => {
    const redact = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('db', '***'));
    const [, of] = readableSpans(spans, { ...traceParent({}), redact });
    expect(of).toMatchObject({ name: 'line ***', attributes: { 'pilotfish.line.id': '***' } });
  });
});

const ids = fc.constantFrom('a', 'b', 'line 0', 'request 1');
const moments = fc.integer({ min: 0, max: 1_000 });
const anyEvent = fc.oneof(
  fc
    .record({
      line: ids,
      from: fc.constant('waiting'),
      to: fc.constantFrom('waiting', 'locating', 'settled', 'failed'),
      event: fc.constant('e'),
      at: moments,
    })
    .map((event): RunEvent => ({ type: 'line', ...event })),
  fc
    .record({
      line: fc.option(ids),
      ms: moments,
      at: moments,
      status: fc.option(fc.integer({ min: 100, max: 599 })),
      attempt: fc.integer({ min: 1, max: 3 }),
    })
    .map((event): RunEvent => ({ type: 'request', method: 'GET', url: 'https://a.example/', ...event })),
  fc.record({ ms: moments, at: moments }).map((event): RunEvent => ({ type: 'ledger', what: 'fetch', ...event })),
  fc.record({ line: ids, text: fc.string(), at: moments }).map((event): RunEvent => ({ type: 'note', ...event })),
);

describe('whatever events came, in whatever order', () => {
  it('every span has its parent, ends after it starts, and is in one trace', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 1, maxLength: 40 }), (events) => {
        const spans = spansOf(events, { title: 'apply preview/pr-1', errors: [] });
        const keys = new Set(spans.map(({ key }) => key));
        expect(keys.size).toBe(spans.length);
        expect(spans.filter(({ parent }) => parent === null)).toHaveLength(1);
        const [root] = spans;
        for (const { parent, start, end } of spans) {
          expect(parent === null || keys.has(parent)).toBe(true);
          expect(end).toBeGreaterThanOrEqual(start);
          expect([start >= (root?.start ?? 0), end <= (root?.end ?? 0)]).toEqual([true, true]);
        }
        const readable = readableSpans(spans, { traceId: 'a'.repeat(32), parentId: null, isSampled: true, redact: (value) => value });
        const told = readable.map((span) => span.spanContext());
        expect(new Set(told.map(({ traceId }) => traceId))).toEqual(new Set(['a'.repeat(32)]));
        expect(new Set(told.map(({ spanId }) => spanId)).size).toBe(spans.length);
        const ids = new Set(told.map(({ spanId }) => spanId));
        for (const { parentSpanContext } of readable.slice(1)) expect(ids).toContain(parentSpanContext?.spanId);
        const nanos = readable.flatMap(({ startTime, endTime }) => [startTime[1], endTime[1]]);
        expect(nanos.every((one) => Number.isInteger(one) && one >= 0 && one < 1e9)).toBe(true);
      }),
    );
  });
});

describe('the parent of a run', () => {
  const [trace, span] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];

  it.each([
    [`00-${trace}-${span}-01`, { traceId: trace, parentId: span, isSampled: true }],
    [`00-${trace}-${span}-00`, { traceId: trace, parentId: span, isSampled: false }],
    [`cc-${trace}-${span}-01-later`, { traceId: trace, parentId: span, isSampled: true }],
  ])('is the one that TRACEPARENT names: %s', (TRACEPARENT, told) => {
    expect(traceParent({ TRACEPARENT })).toEqual(told);
  });

  it.each([
    '',
    'x',
    `ff-${trace}-${span}-01`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace}-${span}-01-more`,
    `00-${trace.toUpperCase()}-${span}-01`,
  ])('is none where TRACEPARENT is %j', (TRACEPARENT) => {
    const { traceId, parentId, isSampled } = traceParent({ TRACEPARENT });
    expect([/^[0-9a-f]{32}$/.test(traceId), traceId === trace, parentId, isSampled]).toEqual([true, false, null, true]);
  });
});
