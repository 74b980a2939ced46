import { isDeepStrictEqual } from 'node:util';
import { optionsOf } from '../../scripts/options.ts';
import type { StepName } from '../../src/live/document.ts';
import { describedOperations } from '../crash/collect/families.ts';
import { proveInSandbox } from './sandbox.ts';

const usage = `npm run live -- --sandbox [--all | <operation>…]

Proves operations at the simulations, with every step that the command takes at a real service.`;

/** Steps that cannot hold, with the reason that the operation itself tells people. */
const known: { readonly [op: string]: { readonly step: StepName; readonly why: string } } = {
  'cloud_run.revision': { step: 'compare', why: 'the template of the service stays that of its newest revision (a note of the operation)' },
};

const { values, positionals } = optionsOf(usage, {
  options: { all: { type: 'boolean', default: false }, verbose: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const operations = (await describedOperations()).filter(({ op }) => values.all || positionals.includes(op));
const rows: { readonly op: string; readonly held: boolean }[] = [];
for (const operation of operations) {
  try {
    const { proof, said, before, after } = await proveInSandbox(operation);
    const { steps } = proof.report;
    // The world of the simulation knows what stands, whatever the proof saw.
    const isSame = known[operation.op] !== undefined || isDeepStrictEqual(before, after);
    if (!isSame) console.log(`          what others have is not as before: ${JSON.stringify(after)}`);
    const isKnown = (step: StepName): boolean => known[operation.op]?.step === step;
    const held = proof.stands.length === 0 && isSame && steps.every(({ step, result }) => result !== 'not held' || isKnown(step));
    const count = (result: string): number => steps.filter((step) => step.result === result).length;
    rows.push({ op: operation.op, held });
    console.log(
      `${held ? 'held    ' : 'NOT HELD'}  ${operation.op}: ${count('held')} held, ${count('not held')} not, ${count('left out')} left out`,
    );
    if (values.verbose) console.log(said.join('\n'), JSON.stringify(proof.report, null, 1));
    for (const { step, result, finding } of steps) {
      if (result === 'not held') console.log(`          ${step}: ${finding}${isKnown(step) ? ` (${known[operation.op]?.why})` : ''}`);
    }
    if (proof.error) console.log(`          ${proof.error.code}: ${proof.error.detail}`);
  } catch (thrown) {
    rows.push({ op: operation.op, held: false });
    console.log(`BROKEN    ${operation.op}: ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
  }
}
console.log(`\n${rows.length} operations, ${rows.filter(({ held }) => held).length} held`);
process.exitCode = rows.length > 0 && rows.every(({ held }) => held) ? 0 : 1;
