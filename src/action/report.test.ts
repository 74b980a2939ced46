import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { apply } from '../../test/report/documents.ts';
import { openLog } from './log.ts';
import { type Ending, reportEndings } from './report.ts';

it('the summary of a step is short enough for the host, however many long runs the step had', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-summary-'));
  const file = join(folder, 'summary.md');
  const output = join(folder, 'output');
  for (const path of [file, output]) await writeFile(path, '');
  vi.stubEnv('GITHUB_STEP_SUMMARY', file);
  vi.stubEnv('GITHUB_OUTPUT', output);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });
  const { lines } = apply();
  const many = Array.from({ length: 3_000 }, (_, at) => lines.map((line) => ({ ...line, id: `${line.id}-環境変数-${at}` }))).flat();
  const endings = ['pr-1', 'pr-2', 'pr-3'].map((scope): Ending => {
    const document = apply({ scope, lines: many });
    return { exit: 0, status: 'complete', document, why: null, isExplained: false, about: {} };
  });
  await reportEndings(openLog(new PassThrough()), endings);
  const summary = await readFile(file, 'utf8');
  expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(1024 * 1024);
  for (const { document } of endings) expect(summary).toContain(document && 'scope' in document ? document.scope : '?');
});
