import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type MarkdownOptions, markdownOf } from '../../src/report/markdown/markdown.ts';
import * as documents from './documents.ts';

const folder = join(import.meta.dirname, 'goldens');

const options: MarkdownOptions = {
  longest: 65_000,
  commit: '0123456789abcdef0123456789abcdef01234567',
  runUrl: 'https://github.com/acme/shop/actions/runs/4711',
  traceUrl: 'https://github.com/acme/shop/actions/runs/4711#artifacts',
  errorsUrl: 'https://github.com/acme/pilotfish/blob/v1/docs/errors.md',
  next: { apply: 'pilotfish apply --pr 12', prune: 'pilotfish apply --prune --pr 12' },
};

/** `UPDATE=1` writes the files anew: look at each as somebody who sees it on a pull request for the first time. */
const pages: { readonly [name: string]: () => string } = {
  plan: () => markdownOf(documents.plan(), options),
  'plan-idle': () => markdownOf(documents.plan({ lines: documents.plan().lines.slice(3, 4), summary: { none: 1 } }), options),
  'plan-left': () => markdownOf(documents.leftPlan(), options),
  'plan-refused': () => markdownOf(documents.refusedPlan, options),
  apply: () => markdownOf(documents.apply(), options),
  'apply-every-verdict': () => markdownOf(documents.allVerdicts, options),
  'apply-failed': () => markdownOf(documents.failed, options),
  'apply-stale': () => markdownOf(documents.stale, options),
  'apply-partial': () => markdownOf(documents.partial, options),
  'apply-cut': () => markdownOf(documents.allVerdicts, { ...options, longest: 3_000 }),
  destroy: () => markdownOf(documents.destroyed, { ...options, isDestroy: true }),
  closed: () => markdownOf(documents.closed, { ...options, commit: null, traceUrl: null }),
  failure: () => markdownOf(documents.failure, { ...options, environment: 'preview', scope: 'pr-12' }),
  'failure-bare': () => markdownOf(documents.failure, { longest: 65_000 }),
};

describe('the Markdown of a run is as it was looked at', () => {
  it.each(Object.keys(pages))('%s', async (name) => {
    const text = pages[name]?.() ?? '';
    const file = join(folder, `${name}.md`);
    if (process.env.UPDATE) {
      await mkdir(folder, { recursive: true });
      await writeFile(file, text);
    }
    expect(text).toBe(await readFile(file, 'utf8'));
  });

  it('no page is left over', async () => {
    expect((await readdir(folder)).sort()).toEqual(
      Object.keys(pages)
        .map((name) => `${name}.md`)
        .sort(),
    );
  });
});
