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
    // A long name stands on the line after its `test.each(…)(`.
    const call = lines.slice(Math.max(0, at - 1), at + 1).join('\n');
    assert.ok(/\b(?:it|test)(?:\.each)?\(|\)\($|says: /m.test(call), `"${test}" is not the name of a test in test/${file}`);
    assert.ok(!/\b(?:skip|skipIf|runIf|todo)\b/.test(call), `"${test}" in test/${file} is skipped`);
  },
});

const quoted = (text: string): string => (text.includes("'") ? JSON.stringify(text) : `'${text}'`);
