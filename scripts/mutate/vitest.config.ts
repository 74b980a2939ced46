import { defineConfig } from 'vitest/config';

/** The tests that judge mutants: those beside the files, and the stores' own. Whole runs would take hours and see little more. */
export default defineConfig({
  test: {
    include: [
      'src/ledger/**/*.test.ts',
      'src/machines/line/*.test.ts',
      'test/ledger/local-store*.test.ts',
      'test/ledger/git-store*.test.ts',
    ],
    // Other processes load the files as they are; and a time that is compared with another tells nothing about a mutant.
    exclude: ['**/*-processes.test.ts', '**/git-store-ssh.test.ts'],
    testNamePattern: /^(?!.*in a fraction of the time)/,
    testTimeout: 20_000,
  },
});
