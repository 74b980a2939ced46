import { defineConfig } from 'vitest/config';

/**
 * Tests that leave nothing behind in their process: those of pure parts, and whole runs at simulated providers. Their files
 * share workers, which load the engine once. A test that replaces a module, or changes what a process has one of, needs its own.
 */
const folders = 'adapters|lifecycle|recipes|simulate';
const sharing = ['src/**/*.test.ts', `test/@(${folders})/*.test.ts`];
const exceptions = ['src/plan/any-yaml.test.ts', 'test/recipes/loading.test.ts', 'test/lifecycle/damage-*.test.ts'];

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
          exclude: exceptions,
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
          include: [
            'bench/*.test.ts',
            'test/*.test.ts',
            `test/!(${folders})/**/*.test.ts`,
            `test/@(${folders})/*/**/*.test.ts`,
            ...exceptions,
          ],
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
