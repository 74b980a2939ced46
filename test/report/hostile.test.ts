import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../src/core/error-table.ts';
import type { ApplyDoc, ClosedDoc, FailureDoc, FieldChange, PlanDoc } from '../../src/report/document.ts';
import { type MarkdownOptions, markdownOf } from '../../src/report/markdown/markdown.ts';
import { allVerdicts, apply, closed, failure, plan } from './documents.ts';
import { hostileOf, hostileTexts } from './hostile-texts.ts';
import { expectInert } from './inert-page.ts';

const links = ['https://ci.example.com/', 'https://docs.example.com/'];

const options = (text: string): MarkdownOptions => ({
  longest: 60_000,
  environment: text,
  scope: text,
  commit: text,
  runUrl: 'https://ci.example.com/run/1',
  traceUrl: 'https://ci.example.com/run/1#artifacts',
  errorsUrl: 'https://docs.example.com/errors.md',
  next: { apply: `pilotfish apply --scope '${text}'`, destroy: `pilotfish apply --destroy --scope '${text}'` },
});

const error = (text: string, code: ErrorCode = 'PROVIDER_INVALID') => ({ code, summary: text, detail: text, fix: text, place: text });

const changes = (text: string): FieldChange[] => [
  { field: text, before: { state: 'resolved', value: text }, after: { state: 'resolved', value: { [text]: [text] } } },
  { field: `/${text}`, before: { state: 'absent' }, after: { state: 'secret', value: text } },
];

const hostilePlan = (text: string): PlanDoc => ({
  ...plan(),
  ok: false,
  environment: text,
  scope: text,
  digest: text,
  lines: [0, 1].map((at) => ({
    id: `${text}${at}`,
    adapter: text,
    op: text,
    verdict: 'refused',
    why: text,
    drift: 'changed',
    changes: changes(text),
    inputs: {},
    after: [`${text}0`],
    waitingOn: [text],
    unmanaged: [text, text],
    error: error(text),
  })),
  orphans: [{ line: text, adapter: text, op: text, recipe: text, recordId: text, why: text }],
  warnings: [text],
  error: error(text, 'INTERNAL'),
});

const hostileApply = (text: string): ApplyDoc => ({
  ...apply(),
  environment: text,
  scope: text,
  digest: text,
  runId: text,
  lines: ['failed', 'settled', text].map((state, at) => ({
    id: `${text}${at}`,
    adapter: text,
    op: text,
    ...(at > 0 && { recipe: text }),
    state,
    verdict: 'update',
    why: text,
    drift: 'missing',
    changes: changes(text),
    ms: 1,
    requests: 1,
    notes: [text],
    after: [`${text}0`],
    error: error(text),
  })),
  outputs: { [text]: { [text]: text, url: text, list: [text] }, url: { a: `https://evil.test/${text}` } },
  receipt: { branch: text, commit: text },
  warnings: [text],
  orphans: hostilePlan(text).orphans,
  error: error(text, 'INTERNAL'),
});

const hostileClosed = (text: string): ClosedDoc => ({
  ...closed,
  environment: text,
  repository: text,
  scopes: [
    { scope: text, plan: text, branch: text, pullRequests: [1], outcome: 'failed', why: text, warnings: [text], error: error(text) },
    { scope: null, plan: null, branch: text, pullRequests: [], outcome: 'kept', why: text },
  ],
});

const hostileFailure = (text: string): FailureDoc => ({
  ...failure,
  command: text,
  error: error(text),
  errors: [error(text), error(text)],
});

const documents = { plan: hostilePlan, apply: hostileApply, closed: hostileClosed, failure: hostileFailure };

describe.each(Object.entries(documents))('hostile text in every place of the document: %s', (_, document) => {
  it.each(hostileTexts.map((text) => [text]))('%j is not interpreted', (text) => {
    expectInert(markdownOf(document(text), options(text)), { links });
  });

  it('two hundred kilobytes of it in all, whole', () => {
    const places = JSON.stringify(document('a place')).split('a place').length;
    const text = hostileOf(200_000 / places);
    const page = markdownOf(document(text), { ...options(text), longest: Number.POSITIVE_INFINITY });
    expect(page.length).toBeGreaterThan(200_000);
    expect(page).not.toContain('Left out here');
    expectInert(page, { links });
  });

  it.each([2_000, 10_000, 65_536])('two hundred kilobytes of it in every place, cut to %i bytes', (longest) => {
    const text = hostileOf(200_000);
    const page = markdownOf(document(text), { ...options(text), longest });
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(longest);
    expect(page).toContain('Left out here');
    expectInert(page, { links });
  });
});

describe('what the page itself may link', () => {
  it.each(['javascript:alert(1)', 'https://a.test/"onmouseover="x', 'https://a.test/\n\n# x', 'https://u:p@a.test/', '  '])(
    'not an address of the run like %j',
    (url) => {
      const page = markdownOf({ ...allVerdicts, outputs: {} }, { longest: 65_000, runUrl: url, traceUrl: url, errorsUrl: url });
      expect(page).not.toContain('<a ');
    },
  );

  it('a hostile list of addresses as outputs gives no link but plain ones', () => {
    const values = Object.fromEntries(hostileTexts.map((text, at) => [`o${at}`, text]));
    const page = markdownOf(apply({ outputs: { line: { ...values, good: 'https://shop.example.app/a' } } }), { longest: 1_000_000 });
    expectInert(page, { links: ['https://shop.example.app/a'] });
    expect(page.match(/<a /g)).toHaveLength(1);
  });
});
