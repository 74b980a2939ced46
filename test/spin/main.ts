import { styleText } from 'node:util';
import { optionsOf } from '../../scripts/options.ts';
import { type Configuration, configurations, type Fault, faults } from './configurations.ts';
import { missingTools, type Verified, verify } from './verify.ts';

const usage = `npm run spin -- [--faults] [--fault <name>]

  --faults  takes each rule away and prints the way to harm
  --fault   only this one, repeatable: ${faults.map(({ name }) => name).join(', ')}
  Without --faults and --fault it searches every configuration first, then takes each rule away.`;

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const number = (value: number): string => value.toLocaleString('en-US');
const row = (cells: readonly string[]): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(44) : cell.padStart([0, 12, 7, 8, 8, 7][i] ?? 0))).join(' ');

/** Searches the models with Spin. Exit 1 when a claim does not hold, a search is not whole, or a planted fault is not found. */
async function main(): Promise<number> {
  const { values } = optionsOf(usage, {
    options: {
      faults: { type: 'boolean', default: false },
      fault: { type: 'string', multiple: true, default: [] },
    },
  });
  const unknown = values.fault.filter((name) => !faults.some((one) => one.name === name));
  if (unknown.length > 0) {
    console.error(`There is no fault ${unknown.join(', ')}.\n\n${usage}`);
    return 2;
  }
  const missing = await missingTools();
  if (missing !== null) {
    console.error(`Nothing was searched: ${missing}`);
    return 1;
  }
  const began = performance.now();
  const isAll = !values.faults && values.fault.length === 0;
  let failures = isAll ? await searchAll() : 0;
  for (const fault of faults) if (values.fault.length === 0 || values.fault.includes(fault.name)) failures += await plant(fault);
  const searched = isAll ? `${configurations.length} configurations, ` : '';
  const planted = values.fault.length === 0 ? faults.length : values.fault.length;
  print(`\n${searched}${planted} planted faults, ${failures} failures, ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return failures === 0 ? 0 : 1;
}

async function searchAll(): Promise<number> {
  let failures = 0;
  const statements = new Map<string, Map<string, boolean>>();
  print(
    'A request takes 2 units of time, a lease 4 (or 6), clocks differ by 1; 2 sends, at most 5 objects. `safe` is every claim of claims.pml or',
  );
  print('list.pml in every state; `ends` says, with weak fairness, that every run ends.\n');
  print(row(['configuration', 'states', 'depth', 'MB', 's', 'errors']));
  for (const config of configurations) {
    const found = await verify(config);
    const reached = statements.get(config.model) ?? new Map<string, boolean>();
    for (const [text, isReached] of found.statements) reached.set(text, isReached || reached.get(text) === true);
    statements.set(config.model, reached);
    print(rowOf(config, found));
    if (found.errors === 0 && found.isWhole) continue;
    failures += 1;
    print(found.trail.length > 0 ? numbered(found.trail) : found.output);
  }
  for (const [model, reached] of statements) {
    const unreached = [...reached].filter(([, isReached]) => !isReached).map(([text]) => text);
    if (unreached.length === 0) continue;
    failures += 1;
    print(`\nNo configuration reaches these statements of ${model}.pml:\n  ${unreached.join('\n  ')}`);
  }
  return failures;
}

const rowOf = ({ model, says, claim }: Configuration, { states, depth, megabytes, seconds, errors, isWhole }: Verified): string =>
  `${row([says, number(states), number(depth), megabytes.toFixed(0), seconds.toFixed(1), String(errors)])}  ${model}: ${claim}${isWhole || errors > 0 ? '' : ', NOT ALL VISITED'}`;

const numbered = (trail: readonly string[]): string => trail.map((step, i) => `  ${String(i + 1).padStart(3)} ${step}`).join('\n');

async function plant(fault: Fault): Promise<number> {
  const found = await findShort(fault);
  print(`\n${styleText('bold', fault.name)}: ${fault.says}`);
  return tell(fault, found);
}

/** By breadth, and where that takes too much memory, by depth. */
async function findShort(config: Configuration): Promise<Verified> {
  const found = await verify(config, { isShort: true });
  return found.errors > 0 || found.isWhole ? found : await verify(config);
}

function tell({ claim }: Configuration, { errors, trail, states }: Verified): 0 | 1 {
  const isFound = errors > 0 && trail.length > 0;
  print(
    isFound
      ? `${numbered(trail)}\n      broken: ${claim}, after ${number(states)} states`
      : '  not found: either the rule is not needed or the model does not see what it is for.',
  );
  return isFound ? 0 : 1;
}

process.exitCode = await main();
