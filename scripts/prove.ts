import { stripVTControlCharacters } from 'node:util';
import { contractsFolder } from '../test/contracts/expect.ts';
import { freshRecording } from './contracts/result.ts';
import { optionsOf } from './options.ts';
import { descriptions, type Part, parts } from './prove/parts.ts';
import { Results } from './prove/results.ts';
import { tableOf } from './prove/table.ts';
import { run } from './tasks.ts';

const all = [...parts, descriptions];
const usage = `npm run prove -- [--part <name>]

  --part  only this part, repeatable: ${all.map(({ name }) => name).join(', ')}
          The parts of one commit add up: the table at the end also shows parts that ran earlier. ${descriptions.name} judges the
          records of the others, so run it last.`;

/**
 * Runs every proof at full size, or some of them, one after the other. The table at the end has a line with figures for each. It exits with
 * 1 when a requested part fails; a whole run requests all parts.
 */
async function main(): Promise<number> {
  const { values } = optionsOf(usage, { options: { part: { type: 'string', multiple: true, default: [] } } });
  const unknown = values.part.filter((name) => !all.some((part) => part.name === name));
  if (unknown.length > 0) {
    console.error(`There is no part ${unknown.join(', ')}.\n\n${usage}`);
    return 2;
  }
  const build = await run('node', ['scripts/build.ts'], { isShown: true });
  if (build.code !== 0) return 1;
  const results = await Results.open();
  const asked = all.filter(({ name }) => values.part.length === 0 || values.part.includes(name));
  for (const part of asked) await prove(part, results);
  console.log(`\n${tableOf(all, results)}`);
  return asked.some(({ name }) => results.of(name)?.state === 'failed') ? 1 : 0;
}

async function prove(part: Part, results: Results): Promise<void> {
  const { name, says, script, args, figures } = part;
  console.log(`\n== ${name}: ${says}`);
  const missing = (await part.missing?.()) ?? null;
  if (missing !== null) {
    console.log(missing);
    await results.end(name, { state: 'skipped', seconds: 0, figures: [missing] });
    return;
  }
  await results.begin(name);
  const env = contractsFolder() === null || part === descriptions ? {} : await freshRecording(name);
  const began = performance.now();
  const { code, output } = await run('node', [script, ...args], { isShown: 'and kept', env });
  await results.end(name, {
    state: code === 0 ? 'holds' : 'failed',
    seconds: Math.round((performance.now() - began) / 1000),
    figures: stripVTControlCharacters(output)
      .split('\n')
      .filter((line) => figures.test(line)),
  });
}

process.exitCode = await main();
