import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Failure, Failures } from '../../src/core/errors.ts';
import { prepare } from '../../src/engine/prepare/prepare.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { addElsewhere, withElsewhere } from '../support/elsewhere.ts';
import { runRequest } from '../support/run-request.ts';

const registry = openRegistry({ env: {}, cwd: import.meta.dirname });
addElsewhere(await registry);

/**
 * What the plan of a page is refused or warned for, before any request, in an environment that has every credential, secret and address
 * which it asks for. A page may show lines alone, without `version:`: then what they name may stand in lines and blocks that are not shown.
 */
export async function problemsOfPlan(text: string, folder: string): Promise<readonly string[]> {
  const isPart = !/^version:/m.test(text);
  const whole = isPart ? withElsewhere(text) : text;
  const env: Record<string, string> = {};
  const regions = new Set<string>();
  for (;;) {
    await writeFile(join(folder, 'release.plan.yaml'), completed(whole, regions));
    const { failures, warnings } = await preparedIn(folder, env);
    const missing = failures.flatMap(missingIn).filter((name) => !(name in env));
    const unplaced = failures.flatMap(regionMissingIn).filter((api) => !regions.has(api));
    if (missing.length + unplaced.length === 0) {
      return [...failures.map(({ code, detail }) => `${code} ${detail}`), ...warnings];
    }
    for (const name of missing) env[name] = /URL|_ADDR$|_HOST$/.test(name) ? 'https://api.acme.example' : 'a-long-random-text-0123';
    for (const api of unplaced) regions.add(api);
  }
}

/** A page that shows a block alone has no lines, and one that shows lines alone does not say in which region they are. */
function completed(text: string, regions: ReadonlySet<string>): string {
  const lines = /^changes:/m.test(text) ? '' : '\nchanges: []\n';
  const blocks = [...regions].map((api) => `    ${api}: { region: eu-west-1 }\n`).join('');
  return `${text}${lines}${blocks === '' ? '' : `\nproviders:\n  http:\n${blocks}`}`;
}

async function preparedIn(folder: string, env: Readonly<Record<string, string>>): Promise<Checked> {
  try {
    const request = runRequest(folder, env, { pr: 12, approvedBy: 'Ada' });
    return { failures: [], warnings: (await prepare({ request, registry: await registry, facts: null })).warnings };
  } catch (thrown) {
    if (thrown instanceof Failures) return { failures: thrown.failures, warnings: [] };
    throw thrown;
  }
}

interface Checked {
  readonly failures: readonly Failure[];
  readonly warnings: readonly string[];
}

/** Names of variables that an error says are not set. */
const missingIn = ({ detail, fix }: Failure): readonly string[] =>
  /not set\b|no base URL/.test(detail) ? [...`${detail} ${fix}`.matchAll(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g)].map(([name]) => name) : [];

const regionMissingIn = ({ detail }: Failure): readonly string[] => {
  const [, api] = /^(\S+) signs its requests, so its block needs region/.exec(detail) ?? [];
  return api === undefined ? [] : [api];
};
