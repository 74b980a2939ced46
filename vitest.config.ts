import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files of the tests share workers, which load the engine once: they leave nothing behind in their process. A file that replaces
 * a module, changes what a process has one of, or counts what a process does, has its own.
 */
const all = ['{src,bench,test}/**/*.test.ts'];
const alone = [
  'bench/*.test.ts',
  'src/core/fingerprint.test.ts',
  'src/plan/any-yaml.test.ts',
  'test/browser/smooth.test.ts',
  'test/crash/simulate/*.test.ts',
  'test/fuzz/*.test.ts',
  'test/lifecycle/damage-*.test.ts',
  'test/onboard/performance.test.ts',
  'test/recipes/loading.test.ts',
];

/** What takes longest begins first, so that no core waits for it at the end; vitest goes by the size of a file where it never ran it. */
const longest = [
  'test/crash/table.test.ts',
  'test/e2e/shared-list.test.ts',
  'test/e2e/pushes.test.ts',
  'test/model/scope.test.ts',
  'test/action/twelve.test.ts',
  'test/onboard/setup-terminal.test.ts',
  'test/mcp/tools.test.ts',
  'test/onboard/setup.test.ts',
  'test/e2e/late.test.ts',
  'test/browser/people.test.ts',
  'test/ci/shell.test.ts',
  'test/checkouts/checkouts.test.ts',
  'test/crash/chaos/chaos.test.ts',
  'test/action/life.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const place = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
      if (project.config.isolate) return -1;
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

const common = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  setupFiles: process.env.PILOTFISH_CONTRACTS_RECORD ? ['test/contracts/place.ts'] : [],
};

export default defineConfig({
  test: {
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    globalSetup: ['scripts/build/page.ts'],
    projects: [
      {
        test: {
          ...common,
          name: 'sharing',
          include: all,
          exclude: alone,
          isolate: false,
          execArgv: ['--import', new URL('test/support/quick-keys.ts', import.meta.url).href],
          restoreMocks: true,
          unstubEnvs: true,
          unstubGlobals: true,
        },
      },
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
