import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { root } from '../../scripts/tasks.ts';
import { operations } from './operations.ts';
import { describeCut } from './process.ts';
import { openTrial } from './prove.ts';
import { byHand } from './scenes/by-hand.ts';
import { redeploy } from './scenes/redeploy.ts';

/** Rows in which cuts once ended otherwise, with what was then wrong. Each is cut everywhere. */
const rows: readonly (readonly [family: string, operation: string, what: string])[] = [
  ['http.list_item.array', 'destroy-and-apply', 'an entry is not believed while the delete of a stopped destroy may still land'],
  ['http.resource', 'destroy-and-apply', 'an object is not believed while the delete of a stopped destroy may still land'],
  ['http.action', 'update-and-back', 'a message that was sent and not recorded is followed by the one that the plan now wants'],
  ['http.resource.hidden', 'update-and-back', 'a hidden field that was written and not recorded is written again'],
  ['http.resource.hidden', 'missing-and-back', 'a hidden field of an announced object is not judged by the record of the one that is gone'],
  ['http.resource.hidden-fixed', 'replace', 'a hidden field of the old object is not judged by the announcement of the new one'],
  ['http.resource.hidden-fixed', 'replace-and-back', 'a hidden field of an announced object is not taken for what the plan now says'],
  ['vercel.env+deploy', 'update', 'what was written and not recorded is deployed'],
  ['vercel.env+deploy', 'missing', 'what was made and not recorded is deployed'],
];

it.each(rows)(
  '%s, %s: %s',
  async (family, name) => {
    const scene = [...byHand, redeploy].find((one) => one.family === family);
    const operation = operations.find((one) => one.name === name);
    if (!scene || !operation) throw new Error('there is no such row');
    const { cuts, prove } = await openTrial(scene, operation);
    expect(cuts.length).toBeGreaterThan(10);
    for (const cut of cuts) expect(await prove(cut), describeCut(cut)).toEqual([]);
  },
  120_000,
);

// A row of a recipe's own suite needs a process of its own.
it('cloud_run.revision, destroy-and-apply: what a stopped destroy was about to remove is let go before it is removed again', async () => {
  const args = ['test/crash/main.ts', '--family', 'cloud_run.revision', '--operation', 'destroy-and-apply', '--cut', '18'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  expect(stdout).toMatch(/^total +\d+ +2 +0$/m);
});
