import { readFile } from 'node:fs/promises';
import { contractsFolder, skipReason } from '../test/contracts/expect.ts';
import { type Catalogue, catalogueFile, runCatalogue } from './catalogue/run.ts';
import { specified } from './catalogue/specified.ts';
import { optionsOf } from './options.ts';

const usage = `npm run catalogue -- [--json] [--last]
  --json   one JSON document instead of a table
  --last   do not run the suites: show the result of the last run
PILOTFISH_CONTRACTS names the folder of <provider>.openapi.json files.`;

/**
 * Lists every recipe and built-in operation with the result of its suite. Exits with 1 unless every operation of the specification exists
 * and passes.
 */
async function main(): Promise<number> {
  const { values } = optionsOf(usage, { options: { json: { type: 'boolean' }, last: { type: 'boolean' } } });
  const descriptions = contractsFolder();
  if (descriptions === null && !values.last) {
    console.error(`${skipReason}.\n\n${usage}`);
    return 2;
  }
  const catalogue: Catalogue =
    values.last || descriptions === null ? JSON.parse(await readFile(catalogueFile, 'utf8')) : await runCatalogue(descriptions);
  console.log(values.json ? JSON.stringify(catalogue, null, 2) : tableOf(catalogue));
  const failed = catalogue.ops.filter(({ suite }) => suite !== 'pass');
  return failed.length + catalogue.absent.length + catalogue.violations.length === 0 ? 0 : 1;
}

function tableOf({ families, adapters, ops, absent, violations }: Catalogue): string {
  const line = (cells: readonly (string | number)[]): string =>
    cells.map((cell, i) => (i < 2 ? String(cell).padEnd(i === 0 ? 42 : 34) : String(cell).padStart(9))).join(' ');
  const there = Object.keys(specified).length - absent.length;
  return [
    line(['operation', 'in the specification', 'suite', 'passed', 'skipped', 'requests', 'answers', 'unlisted', ' contract']),
    ...ops.map((op) =>
      line([op.id, op.alias ?? '', op.suite, op.passed, op.skipped, op.requests, op.answers, op.unlisted, ` ${op.contract.split(':')[0]}`]),
    ),
    `${families} families, ${adapters} built-in adapters, ${ops.length} operations, ${there} of the specification's ${Object.keys(specified).length}; suites pass ${ops.filter(({ suite }) => suite === 'pass').length}; violations ${violations.length}`,
    ...(absent.length > 0 ? [`not there: ${absent.join(', ')}`] : []),
    ...violations,
  ].join('\n');
}

process.exitCode = await main();
