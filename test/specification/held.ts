import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Row } from './rows.ts';

/**
 * A row whose sentence another suite holds already, by a test of this name in this file below `test/`. The row fails when that
 * test is renamed, skipped or taken away; whether the sentence is true, the named test says.
 */
export const held = (says: string, file: string, test: string): Row => ({
  says,
  held: { file, test },
  check: async () => {
    const lines = (await readFile(new URL(`../${file}`, import.meta.url), 'utf8')).split('\n');
    const at = lines.findIndex((line) => line.includes(quoted(test)));
    assert.ok(at >= 0, `test/${file} has no test named "${test}"`);
    const name = lines[at]?.trimStart() ?? '';
    // A long name stands on the line after its `test.each(…)(`, and the cases of one may stand between.
    const isName = /^(?:it|test)\b/.test(name) || name.startsWith(quoted(test)) || /^\].*\)\(/.test(name);
    const from = lines.findLastIndex((line, i) => i <= at && /^\s*(?:it|test)\b/.test(line));
    assert.ok(isName && from >= 0, `"${test}" is not the name of a test in test/${file}`);
    const isSkipped = [lines[from], ...lines.filter((line) => /^\s*describe\b/.test(line))].some((line) => skips.test(line ?? ''));
    assert.ok(!isSkipped, `"${test}" in test/${file} is skipped`);
  },
});

const skips = /^\s*\w+[\w.]*\.(?:skip|skipIf|runIf|todo)\b/;

const quoted = (text: string): string => (text.includes("'") ? JSON.stringify(text) : `'${text}'`);
