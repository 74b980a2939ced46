import { defineConfig } from 'vitest/config';

/**
 * Tests that leave nothing behind in their process: those of pure parts, and the suites of recipes and adapters. Their files
 * share workers, which load the engine once. A test that replaces a module, or changes what a process has one of, needs its own.
 */
const sharing = ['src/**/*.test.ts', 'test/adapters/*.test.ts', 'test/recipes/*.test.ts'];
const replacesModules = ['test/recipes/loading.test.ts'];

const common = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  setupFiles: process.env.PILOTFISH_CONTRACTS_RECORD ? ['test/contracts/place.ts'] : [],
};

export default defineConfig({
  test: {
    maxWorkers: 3,
    globalSetup: ['scripts/build/page.ts'],
    projects: [
      {
        test: {
          ...common,
          name: 'sharing',
          include: sharing,
          exclude: replacesModules,
          isolate: false,
          restoreMocks: true,
          unstubEnvs: true,
          unstubGlobals: true,
        },
      },
      {
        test: {
          ...common,
          name: 'alone',
          include: ['test/*.test.ts', 'test/!(adapters|recipes)/**/*.test.ts', ...replacesModules],
        },
      },
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
