import { optionsOf } from '../../scripts/options.ts';
import { describedOperations } from '../crash/collect/families.ts';
import { proveInSandbox } from './sandbox.ts';

const usage = `npm run live -- --sandbox [--all | <operation>…]

Proves operations at the simulations, with every step that the command takes at a real service.`;

const { values, positionals } = optionsOf(usage, {
  options: { all: { type: 'boolean', default: false }, verbose: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const operations = (await describedOperations()).filter(({ op }) => values.all || positionals.includes(op));
const rows: { readonly op: string; readonly held: boolean }[] = [];
for (const operation of operations) {
  try {
    const { proof, said } = await proveInSandbox(operation);
    const { steps, held } = proof.report;
    const count = (result: string): number => steps.filter((step) => step.result === result).length;
    rows.push({ op: operation.op, held });
    console.log(`${held ? 'held    ' : 'NOT HELD'}  ${operation.op}: ${count('held')} held, ${count('not held')} not, ${count('left out')} left out`);
    if (values.verbose) console.log(said.join('\n'), JSON.stringify(proof.report, null, 1));
    for (const step of steps) if (step.result === 'not held') console.log(`          ${step.step}: ${step.finding}`);
    if (proof.error) console.log(`          ${proof.error.code}: ${proof.error.detail}`);
  } catch (thrown) {
    rows.push({ op: operation.op, held: false });
    console.log(`BROKEN    ${operation.op}: ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
  }
}
console.log(`\n${rows.length} operations, ${rows.filter(({ held }) => held).length} held`);
process.exitCode = rows.length > 0 && rows.every(({ held }) => held) ? 0 : 1;
