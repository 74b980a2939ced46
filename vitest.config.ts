import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files of the tests share workers, which load the engine once: they leave nothing behind in their process. Those that start
 * processes share others: starting one takes ten times as long from a process that has grown to a gigabyte.
 */
const all = ['{src,bench,test}/**/*.test.ts'];
const growing = ['src/**/*.test.ts', 'test/@(adapters|detect|host|http|lifecycle|recipes|report|sandbox|specification)/**/*.test.ts'];
/** A file that replaces a module, changes what a process has one of, counts what a process does, or fills its memory, has a worker of its own. */
const alone = [
  'bench/*.test.ts',
  'src/core/fingerprint.test.ts',
  'test/browser/smooth.test.ts',
  'test/crash/simulate/*.test.ts',
  'test/fuzz/*.test.ts',
  'test/lifecycle/damage-*.test.ts',
  'test/model/*.test.ts',
  'test/onboard/performance.test.ts',
  'test/recipes/loading.test.ts',
];

/** What takes longest begins first, so that no core waits for it at the end; vitest goes by the size of a file where it never ran it. */
export const longest: readonly string[] = [
  'test/crash/table.test.ts',
  'test/e2e/shared-list.test.ts',
  'test/e2e/pushes.test.ts',
  'test/model/scope.test.ts',
  'test/crash/simulate/simulate.test.ts',
  'test/losses/losses.test.ts',
  'test/onboard/setup-terminal.test.ts',
  'test/action/together.test.ts',
  'test/e2e/late.test.ts',
  'test/real/postgres-trouble.test.ts',
  'test/real/git-lighttpd.test.ts',
  'test/real/postgres-run.test.ts',
  'test/onboard/setup.test.ts',
  'test/crash/chaos/chaos.test.ts',
  'test/attacks/bounds-git.test.ts',
  'test/attacks/forged-apply.test.ts',
  'test/crash/found.test.ts',
  'test/mcp/tools.test.ts',
  'test/e2e/kill.test.ts',
  'test/faults/13-history-lost.test.ts',
  'test/specification/specification.test.ts',
  'test/action/life.test.ts',
  'test/bad-input/plans.test.ts',
  'test/action/jobs.test.ts',
  'test/faults/03-moved-means-moved.test.ts',
  'test/faults/07-words-of-the-git-host.test.ts',
  'test/browser/people.test.ts',
  'test/mcp/wire.test.ts',
  'test/ci/gitlab.test.ts',
  'test/checkouts/checkouts.test.ts',
  'test/ci/shell.test.ts',
  'test/e2e/suspended.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
      return place < 0 ? longest.length : place;
    };
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...byProject.values()].flatMap((of) => of.sort((a, b) => rank(a) - rank(b)));
  }
}

/** No test needs a tenth of this on a quiet machine: it ends a test that hangs, and no slow machine fails one. */
const patience = 300_000;
const common = {
  testTimeout: patience,
  hookTimeout: patience,
  expect: { poll: { timeout: patience / 5 } },
  setupFiles: process.env.PILOTFISH_CONTRACTS_RECORD ? ['test/contracts/place.ts'] : [],
};

const shared = {
  isolate: false,
  execArgv: ['--import', new URL('test/support/quick-keys.ts', import.meta.url).href],
  restoreMocks: true,
  unstubEnvs: true,
  unstubGlobals: true,
};

export default defineConfig({
  test: {
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    globalSetup: ['scripts/build/page.ts'],
    projects: [
      { test: { ...common, ...shared, name: 'engine', include: growing, exclude: alone } },
      { test: { ...common, ...shared, name: 'processes', include: all, exclude: [...growing, ...alone] } },
      { test: { ...common, name: 'alone', include: alone } },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts', 'src/report/trace/page/client/**'],
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: 'coverage',
    },
  },
});
