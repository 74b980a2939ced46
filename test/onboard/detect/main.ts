import { optionsOf } from '../../../scripts/options.ts';
import { type Examined, examine } from './examine.ts';
import { checkoutPlaces, fixturePlaces } from './places.ts';
import { reportOf, textOf } from './report.ts';

const usage = `npm run detect -- [--json] [--only <part of a name>] [--without-runs] [--expected <folder>] [folder]

Runs init on a copy of each repository and compares what it says with what a person said before: over the fixtures of test/onboard, or over
a folder of checkouts with <checkout>.expected.yaml beside each (a checkout is a folder, or a text file with "==> path <==" before each file).
test/onboard/public has expectations of public applications: npm run detect -- --expected test/onboard/public <folder of checkouts>.
  --json          one JSON document instead of a table
  --only          repositories whose name contains this, repeatable
  --expected      where the expectations are: <checkout>.yaml
  --without-runs  do not plan and apply the plans at the simulated providers`;

/** Exits with 1 where the sums are below the bounds, and with 2 where an expectation cannot be read. */
async function main(): Promise<number> {
  const { values, positionals } = optionsOf(usage, {
    options: {
      json: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      'without-runs': { type: 'boolean', default: false },
      expected: { type: 'string' },
    },
    allowPositionals: true,
  });
  const [folder, ...others] = positionals;
  if (others.length > 0) {
    console.error(usage);
    return 2;
  }
  const places = await (folder === undefined ? fixturePlaces() : checkoutPlaces(folder, values.expected)).catch((thrown: unknown) => {
    console.error(thrown instanceof Error ? thrown.message : thrown);
    return [];
  });
  const asked = places.filter(({ name }) => values.only.length === 0 || values.only.some((part) => name.includes(part)));
  if (asked.length === 0) {
    if (places.length > 0) console.error(`No repository has ${values.only.join(' or ')} in its name.`);
    return 2;
  }
  const examined: Examined[] = [];
  for (const place of asked) examined.push(await examine(place, { runs: !values['without-runs'] }));
  const report = reportOf(examined);
  console.log(values.json ? JSON.stringify(report, null, 2) : textOf(report));
  return report.holds ? 0 : 1;
}

process.exitCode = await main();
