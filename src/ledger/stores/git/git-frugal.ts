/**
 * Bounds every git that handles what others wrote. Git streams large texts instead of holding them, and gives up where it would need more
 * memory than any ledger takes.
 */
export const frugal = (env: NodeJS.ProcessEnv, mb = 512): NodeJS.ProcessEnv => ({ ...env, GIT_ALLOC_LIMIT: `${mb}m` });

export const frugally = ['-c', 'core.bigFileThreshold=1m'] as const;
