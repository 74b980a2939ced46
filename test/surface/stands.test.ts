import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ListDoc, ScopeRow, ShowDoc } from '../../src/engine/stands-document.ts';
import { listPage } from '../../src/report/list-page.ts';
import { listText } from '../../src/report/list-text.ts';
import { showText } from '../../src/report/show-text.ts';
import { plainStyles } from '../../src/report/styles.ts';
import { listed, row, shown } from './stands-samples.ts';

const folder = path.join(import.meta.dirname, 'goldens', 'stands');

async function expectGolden(name: string, text: string): Promise<void> {
  const file = path.join(folder, name);
  if (process.env.UPDATE) {
    await mkdir(folder, { recursive: true });
    await writeFile(file, text);
  }
  expect(text, file).toBe(await readFile(file, 'utf8'));
}

const windows = [80, 120] as const;

describe('what stands, as people read it', () => {
  it.each(windows)('list in %s columns', async (columns) => {
    const text = listText(listed, plainStyles, { columns, rows: 40 });
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    await expectGolden(`list.${columns}.txt`, text);
  });

  it.each(windows)('show in %s columns', async (columns) => {
    const text = showText(shown, plainStyles, { columns, rows: 40 });
    // A terminal opens an address that stands on one line.
    const link = shown.objects[0]?.console ?? '';
    expect(text.split('\n')).toContain(`      ${link}`);
    for (const line of text.split('\n')) if (!line.includes(link)) expect(line.length).toBeLessThanOrEqual(columns);
    await expectGolden(`show.${columns}.txt`, text);
  });

  it('shows nothing of a scope, and of an environment, that has nothing', () => {
    const nothing: ListDoc = { ...listed, scopes: [] };
    expect(listText(nothing, plainStyles)).toBe('No scope of preview on https://github.com/acme/shop.git.\n');
    const empty: ShowDoc = { ...shown, objects: [], objectCount: 0, unfinished: [], left: [], gone: null, runs: [], notes: [] };
    expect(showText(empty, plainStyles)).toContain('Nothing stands.');
  });
});

describe('the page of what stands', () => {
  const hostile = '</style></td><script>alert(1)</script><img src=x onerror=alert(1)>"\'&\u202e';

  it('escapes every text of a ledger, and holds no script and no address to ask', () => {
    const bad: ScopeRow = {
      ...row,
      scope: hostile,
      lease: { holder: hostile, run: hostile, since: hostile, until: hostile },
      lastRun: { run: hostile, at: hostile, outcome: hostile },
      firstRun: hostile,
      expires: hostile,
    };
    const error = { code: 'LEDGER_CORRUPT', summary: hostile, detail: hostile, fix: hostile } as const;
    const scopes = [bad, { ...row, branch: hostile, scope: null, error }];
    const page = listPage({ ...listed, environment: hostile, ledger: hostile, at: hostile, notAsked: hostile, scopes });
    expect(page).not.toMatch(/<script|<img|onerror=alert\(1\)>|\u202e/);
    expect(page.match(/<\/style>/g)).toHaveLength(1);
    expect(page.replace(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\s(src|href|on\w+)\s*=/);
    expect(page).not.toMatch(/url\s*\(|@import/);
    expect(page).toContain("default-src 'none'; style-src 'sha256-");
  });
});
