import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorTable } from '../../src/core/error-table.ts';
import type { ErrorData } from '../../src/core/errors.ts';
import type { Json } from '../../src/core/json.ts';
import type { ApplyDoc, ApplyLineDoc, ClosedDoc, FailureDoc, PlanDoc, PlanLineDoc, Side, Verdict } from '../../src/engine/document.ts';
import type { Orphan } from '../../src/engine/orphan-document.ts';
import { markdownOf } from '../../src/report/markdown/markdown.ts';
import { verdictSigns } from '../../src/report/verdicts.ts';
import { apply, closed, plan } from './documents.ts';
import { hostileTexts } from './hostile-texts.ts';
import { expectInert } from './inert-page.ts';

/** Any document whatever: random shapes, every text hostile, random or long. */
const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 2, arbitrary: fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...hostileTexts), fc.nat(60)).map(([piece, times]) => piece.repeat(times)) },
);
const few = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(arbitrary, { maxLength: 4 });
const many = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.oneof(
    few(arbitrary),
    fc.tuple(arbitrary, fc.nat(150)).map(([one, count]) => new Array<T>(count).fill(one)),
  );
const part = { requiredKeys: [] as [] };

const code = fc.constantFrom(...(Object.keys(errorTable) as ErrorCode[]));
const error: fc.Arbitrary<ErrorData> = fc.record({ code, summary: text, detail: text, fix: text, place: text });
const state = fc.constantFrom('literal', 'resolved', 'pending', 'secret', 'sensitive', 'kept', 'absent');
const json: fc.Arbitrary<Json> = fc.oneof(text, fc.constant(null), fc.integer(), fc.dictionary(text, text, { maxKeys: 2 }));
const side: fc.Arbitrary<Side> = fc.record({ state, value: json });
const common = {
  id: text,
  adapter: text,
  op: text,
  subject: text,
  recordChanges: few(fc.record({ field: text, before: side, after: side })),
  verdict: fc.constantFrom(...(Object.keys(verdictSigns) as Verdict[])),
  after: few(text),
  drift: fc.constantFrom('none', 'changed', 'missing'),
  changes: few(fc.record({ field: text, before: side, after: side })),
} as const;
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 2 });

const planLine: fc.Arbitrary<PlanLineDoc> = fc
  .record({ ...common, why: text, waitingOn: few(text), unmanaged: few(text), error: optional(error), recipe: optional(text) })
  .map(({ error: problem, recipe, ...line }) => ({ ...line, inputs: {}, ...(problem && { error: problem }), ...(recipe && { recipe }) }));

const applyLine: fc.Arbitrary<ApplyLineDoc> = fc
  .record({
    ...common,
    state: fc.oneof(fc.constantFrom('settled', 'refused', 'failed', 'skipped', 'interrupted', 'waiting'), text),
    why: text,
    notes: few(text),
    ms: fc.nat(10_000_000),
    requests: fc.nat(1_000),
    error: optional(error),
  })
  .map(({ error: problem, ...line }) => ({ ...line, ...(problem && { error: problem }) }));

const orphan: fc.Arbitrary<Orphan> = fc
  .record({
    line: text,
    adapter: text,
    op: text,
    subject: text,
    recordId: text,
    verdict: fc.constantFrom('delete', 'forget', 'none', 'failed'),
    why: text,
    pruned: fc.option(
      fc.record({ id: text, state: text, becomes: fc.constantFrom('removed', 'forgotten', 'left'), error: optional(error) }),
      { nil: null },
    ),
  })
  .map(({ pruned, ...told }) => {
    if (!pruned) return told;
    const { error: problem, ...more } = pruned;
    return { ...told, ...more, ...(problem && { error: problem }) };
  });

const planDoc: fc.Arbitrary<PlanDoc> = fc
  .record({
    ok: fc.boolean(),
    environment: text,
    scope: text,
    digest: text,
    lines: many(planLine),
    orphans: many(orphan),
    warnings: many(text),
  })
  .map((over) => plan(over));

const applyDoc: fc.Arbitrary<ApplyDoc> = fc
  .record({
    status: fc.constantFrom('complete', 'partial', 'failed', 'stale', 'interrupted'),
    environment: text,
    scope: text,
    runId: text,
    digest: text,
    lines: many(applyLine),
    outputs: fc.dictionary(text, fc.dictionary(text, json, { maxKeys: 3 }), { maxKeys: 5 }),
    receipt: fc.record({ branch: text, commit: optional(text) }),
    warnings: many(text),
    orphans: few(orphan),
    error,
  })
  .map((over) => apply(over));

const closedDoc: fc.Arbitrary<ClosedDoc> = fc
  .record({
    status: fc.constantFrom('complete', 'failed', 'interrupted'),
    environment: text,
    repository: text,
    scopes: many(
      fc.record({
        scope: optional(text),
        plan: optional(text),
        branch: text,
        pullRequests: few(fc.nat()),
        outcome: fc.constantFrom('destroyed', 'gone', 'removed', 'kept', 'failed', 'interrupted'),
        why: text,
        warnings: few(text),
        error,
      }),
    ),
  })
  .map((over) => ({ ...closed, ...over }));

const failureDoc: fc.Arbitrary<FailureDoc> = fc
  .record({ command: text, error, errors: many(error) })
  .map((over) => ({ schema: 1, ok: false, ...over }));

const options = fc.record(
  {
    isDestroy: fc.boolean(),
    environment: optional(text),
    scope: optional(text),
    commit: optional(text),
    runUrl: optional(fc.oneof(text, fc.constant(`https://ci.example.com/${'a'.repeat(570)}`))),
    traceUrl: optional(text),
    errorsUrl: optional(fc.constant('https://docs.example.com/errors.md')),
    next: fc.record({ apply: text, prune: text }),
  },
  part,
);

describe('the Markdown of any document', () => {
  it('is never longer than allowed, never empty, whole in its parts, and interprets nothing', () => {
    fc.assert(
      fc.property(
        fc.oneof(planDoc, applyDoc, closedDoc, failureDoc),
        options,
        fc.integer({ min: 2_000, max: 70_000 }),
        (document, o, longest) => {
          const page = markdownOf(document, { ...o, longest });
          expect(Buffer.byteLength(page)).toBeLessThanOrEqual(longest);
          expect(page).toMatch(/^## \S+ \S/);
          expectInert(page, { links: ['https://ci.example.com/', 'https://docs.example.com/'] });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('names every line where there is room, and says how many are missing where there is none', () => {
    const lines = Array.from({ length: 3_000 }, (_, at) => ({ ...apply().lines[0], id: `line-${at}` }) as ApplyLineDoc);
    const whole = markdownOf(apply({ lines }), { longest: 1_000_000 });
    expect(whole.match(/\| <code>line-\d+<\/code> \|/g)).toEqual(lines.map(({ id }) => `| <code>${id}</code> |`));
    const cut = markdownOf(apply({ lines }), { longest: 65_536 });
    const shown = cut.match(/\| <code>line-\d+<\/code> \|/g)?.length ?? 0;
    expect(shown).toBeGreaterThan(400);
    expect(cut).toContain(`${3_000 - shown} lines`);
  });
});
