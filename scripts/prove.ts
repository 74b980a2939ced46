import { contractsFolder, skipReason } from '../test/contracts/expect.ts';
import { recordedFolder } from './contracts/result.ts';
import { optionsOf } from './options.ts';
import { run } from './tasks.ts';

interface Proof {
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
}

/** Each at its full size; `npm test` runs a part of each. */
const proofs: readonly Proof[] = [
  { name: 'random plans, faults and cuts in virtual time', script: 'test/crash/simulate/main.ts', args: ['--seeds', '10000'] },
  { name: 'a cut at every effect of every operation', script: 'test/crash/main.ts', args: [] },
  { name: 'every state of the protocol', script: 'test/model/main.ts', args: [] },
  { name: 'mutated plans, ledgers, answers and events', script: 'test/fuzz/main.ts', args: ['--inputs', '100000'] },
  { name: 'mutated recipes', script: 'scripts/mutate.ts', args: ['--recipes'] },
  { name: 'real processes that are killed', script: 'test/crash/chaos/main.ts', args: ['--kills', '100'] },
  { name: 'speed beside two bare scripts', script: 'bench/main.ts', args: ['--assert'] },
];

/** Runs the tests and every proof at full size, one after the other, and tells which of them failed. */
async function main(): Promise<number> {
  optionsOf('npm run prove', {});
  const failed: string[] = [];
  const isRecording = contractsFolder() !== null;
  // The tests begin a recording, the proofs go on with it, and the last step judges all of it.
  const env = isRecording ? { PILOTFISH_CONTRACTS_RECORD: recordedFolder } : {};
  const step = async (name: string, command: string, args: readonly string[]): Promise<void> => {
    console.log(`\n== ${name}`);
    const began = performance.now();
    const { code } = await run(command, args, { isShown: true, env });
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(`== ${name}: ${code === 0 ? 'holds' : `failed with ${code}`}, ${seconds} s`);
    if (code !== 0) failed.push(name);
  };
  await step('the build', 'node', ['scripts/build.ts']);
  await step('the tests', 'node', ['scripts/test.ts']);
  await step('servers that we did not write', 'node', ['scripts/real.ts']);
  for (const { name, script, args } of proofs) await step(name, 'node', [script, ...args]);
  if (isRecording) await step("the vendors' descriptions", 'node', ['scripts/contracts.ts', '--recorded', recordedFolder, '--report']);
  else console.log(`\n== ${skipReason}`);
  console.log(failed.length === 0 ? '\nEverything holds.' : `\nFailed: ${failed.join('; ')}`);
  return failed.length === 0 ? 0 : 1;
}

process.exitCode = await main();
