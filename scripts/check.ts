import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { outdatedPages } from './docs.ts';
import { optionsOf } from './options.ts';
import { checkSite } from './site.ts';
import { type Outcome, root, run } from './tasks.ts';

interface Step {
  readonly name: string;
  readonly check: () => Promise<Outcome>;
}

const tool = (name: string, command: string, ...args: readonly string[]): Step => ({ name, check: () => run(command, args) });

/** Everything that must hold before a change is merged. Every step runs, so that one run shows all faults. */
const steps: readonly Step[] = [
  tool('types', 'tsc', '-p', '.'),
  tool("types of the trace's page", 'tsc', '-p', 'tsconfig.page.json'),
  tool('format and lint', 'biome', 'check'),
  tool('promises', 'oxlint', '--type-aware', '--config', '.oxlintrc.json'),
  tool('dead code', 'knip'),
  tool('the house', 'node', 'scripts/house.ts'),
  { name: 'generated pages', check: freshPages },
  { name: 'docs site', check: checkSite },
  tool('build', 'node', 'scripts/build.ts'),
  tool('package', 'publint'),
  tool('package types', 'attw', '--pack', '.', '--profile', 'esm-only'),
  { name: 'tests and coverage', check: coverage },
];

async function main(): Promise<number> {
  optionsOf('npm run check', {});
  const failed: string[] = [];
  for (const step of steps) {
    const start = performance.now();
    const { code, output } = await step.check();
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${step.name} (${((performance.now() - start) / 1_000).toFixed(1)} s)`);
    if (code === 0) continue;
    failed.push(step.name);
    console.log(output.trimEnd().replace(/^/gm, '     '));
  }
  console.log(
    failed.length === 0 ? `${steps.length} steps passed` : `${failed.length} of ${steps.length} steps failed: ${failed.join(', ')}`,
  );
  return failed.length === 0 ? 0 : 1;
}

async function freshPages(): Promise<Outcome> {
  const pages = await outdatedPages();
  return { code: pages.length === 0 ? 0 : 1, output: `Run \`node scripts/docs.ts\`; these pages are out of date:\n${pages.join('\n')}` };
}

/** The thresholds apply to the whole of src. vitest fails below them. */
async function coverage(): Promise<Outcome> {
  const thresholds = ['--coverage.thresholds.lines=90', '--coverage.thresholds.branches=85'];
  const tests = await run('vitest', ['run', '--reporter=dot', '--silent', '--coverage', ...thresholds]);
  const summary = await readFile(join(root, 'coverage/coverage-summary.json'), 'utf8').catch(() => null);
  return summary === null ? { code: 1, output: `${tests.output}\nno coverage was written` } : tests;
}

process.exitCode = await main();
