import { registerHooks } from 'node:module';

const own = (name: string): string => new URL(name, import.meta.url).href;

/**
 * Gives the tests of the recipes another vitest, which collects them, and another loader of families, which gives them a mutant. So one
 * process runs thousands of mutants, and neither the tests nor the product know of that. Their ledgers are in memory. This file is loaded
 * before any of theirs.
 */
registerHooks({
  resolve: (specifier, context, next) => {
    const parent = context.parentURL ?? '';
    if (parent.includes('/scripts/mutate/') || parent.includes('/node_modules/')) return next(specifier, context);
    if (specifier === 'vitest') return { url: own('collected.ts'), shortCircuit: true };
    if (specifier.endsWith('/recipes/load.ts') || (specifier === './load.ts' && parent.includes('/src/recipes/')))
      return { url: own('families.ts'), shortCircuit: true };
    if (specifier.endsWith('/local/local-store.ts') && parent.endsWith('/test/support/stage.ts'))
      return { url: own('ledger.ts'), shortCircuit: true };
    return next(specifier, context);
  },
});
