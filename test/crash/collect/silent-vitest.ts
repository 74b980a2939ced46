export { expect } from 'vitest';

/** Stands in for vitest where a test file is only asked what it describes: whatever it calls does nothing. */
const nothing: unknown = new Proxy(() => nothing, { get: () => nothing, apply: () => nothing });

export const describe = nothing;
export const it = nothing;
export const test = nothing;
export const afterEach = nothing;
export const beforeEach = nothing;
export const afterAll = nothing;
export const beforeAll = nothing;
export const onTestFinished = nothing;
