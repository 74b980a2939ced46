import { defineConfig } from 'vitest/config';

/**
 * The tests that judge mutants: the tests beside the files, and the tests of the stores. Whole runs would take hours and find little more.
 */
export default defineConfig({
  test: {
    include: [
      'src/ledger/**/*.test.ts',
      'src/machines/line/*.test.ts',
      'test/ledger/local-store*.test.ts',
      'test/ledger/git-store*.test.ts',
    ],
    // Other processes load the files without the mutant, and a comparison of times says nothing about a mutant.
    exclude: ['**/*-processes.test.ts', '**/git-store-ssh.test.ts'],
    testNamePattern: /^(?!.*in a fraction of the time)/,
    testTimeout: 20_000,
  },
});
