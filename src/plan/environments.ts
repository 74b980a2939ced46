/** Environments of a plan that lists none. */
export const defaultEnvironments: readonly string[] = ['preview', 'production'];

/** Production needs an approval and has one scope. `production-eu` and `Production` are production too. */
export const isProduction = (environment: string): boolean => /^production/i.test(environment);
