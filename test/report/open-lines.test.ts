import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/core/errors.ts';
import type { ApplyDoc, PlanDoc, Verdict } from '../../src/engine/document.ts';
import { markdownOf } from '../../src/report/markdown/markdown.ts';
import * as documents from './documents.ts';

/** Lines of a comment that people see before they open anything. Every `<details>` shows one. */
function openLines(markdown: string): readonly string[] {
  let depth = 0;
  return markdown.split('\n').filter((line) => {
    const before = depth;
    depth += (line.match(/<details>/g)?.length ?? 0) - (line.match(/<\/details>/g)?.length ?? 0);
    return before === 0 && line.trim() !== '' && line.trim() !== '>' && line !== '</details>';
  });
}

const verdicts: readonly Verdict[] = ['create', 'update', 'replace', 'delete', 'none', 'redeploy', 'pending', 'failed', 'adopt', 'send'];
const failure = (i: number) => new Failure('PROVIDER_INVALID', { detail: `The provider refused ${i}.`, fix: 'Correct it.' }).toData();
const ids = Array.from({ length: 15 }, (_, i) => `line-${i}`);
const orphans = ids.map((line) => ({ line, adapter: 'http', op: 'x', recordId: line, why: 'left the plan', verdict: 'delete' as const }));
const hosts = ids.map((line, i) => ({ origin: `https://h${i}.example`, lines: [line] }));
const rest = {
  orphans,
  hosts,
  stays: ids,
  putBack: 'pilotfish apply --put-back',
  warnings: ids.map((id) => `${id}: something is not as it should be`),
};
const options = {
  longest: 65_000,
  commit: 'c'.repeat(40),
  runUrl: 'https://github.com/acme/shop/actions/runs/1',
  planUrl: `https://github.com/acme/shop/blob/${'c'.repeat(40)}/release.plan.yaml`,
  receiptUrl: 'https://github.com/acme/shop/tree/pilotfish-receipts/preview/pr-12',
  next: { apply: 'pilotfish apply', prune: 'pilotfish apply --prune' },
};

function apply(verdictOf: (i: number) => Verdict, stateOf: (i: number) => string, status: ApplyDoc['status']): ApplyDoc {
  const [line] = documents.apply().lines;
  if (!line) throw new Error('the document has no line');
  const lines = ids.map((id, i) => {
    const state = stateOf(i);
    return {
      ...line,
      id,
      place: `release.plan.yaml:${i + 4}:5`,
      verdict: verdictOf(i),
      state,
      ...(state === 'failed' && { error: failure(i) }),
    };
  });
  const previews = [{ line: 'line-1', url: 'https://shop-pr-12.vercel.app' }];
  return documents.apply({ ...rest, lines, status, previews, outputs: Object.fromEntries(ids.map((id) => [id, { id }])) });
}

const plan = (verdictOf: (i: number) => Verdict): PlanDoc => {
  const [line] = documents.plan().lines;
  if (!line) throw new Error('the document has no line');
  const lines = ids.map((id, i) => ({ ...line, id, verdict: verdictOf(i), ...(verdictOf(i) === 'failed' && { error: failure(i) }) }));
  return documents.plan({ ...rest, lines });
};

describe('the comment on a plan of 15 lines', () => {
  it.each<[string, PlanDoc | ApplyDoc]>([
    [
      'where all of it is new',
      apply(
        () => 'create',
        () => 'settled',
        'complete',
      ),
    ],
    [
      'of every verdict',
      apply(
        (i) => verdicts[i % verdicts.length] ?? 'none',
        () => 'settled',
        'complete',
      ),
    ],
    [
      'where every line failed',
      apply(
        () => 'failed',
        () => 'failed',
        'failed',
      ),
    ],
    [
      'that waits',
      apply(
        () => 'pending',
        (i) => (i > 3 ? 'waiting' : 'settled'),
        'partial',
      ),
    ],
    [
      'that was stopped',
      apply(
        (i) => verdicts[i % verdicts.length] ?? 'none',
        (i) => (i > 3 ? 'interrupted' : 'failed'),
        'interrupted',
      ),
    ],
    ['as a plan of every verdict', plan((i) => verdicts[i % verdicts.length] ?? 'none')],
    ['as a plan in which every line fails', plan(() => 'failed')],
  ])('%s has at most 25 open lines, and errors are the first of them', (_what, document) => {
    const open = openLines(markdownOf(document, options));
    expect(open.length, open.join('\n')).toBeLessThanOrEqual(25);
    const error = open.findIndex((line) => line.startsWith('❗'));
    expect(error).toBeLessThanOrEqual(2);
  });

  it('shows the preview, links each line to the plan at this commit, and the receipt to its branch', () => {
    const text = markdownOf(
      apply(
        () => 'create',
        () => 'settled',
        'complete',
      ),
      options,
    );
    expect(text).toContain('**Preview:** <a href="https://shop-pr-12.vercel.app">');
    expect(text).toContain(`/release.plan.yaml&#35;L4"><code>line-0</code></a>`);
    expect(text).toContain('<a href="https://github.com/acme/shop/tree/pilotfish-receipts/preview/pr-12">');
  });
});
