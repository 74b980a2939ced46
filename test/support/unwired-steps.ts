import type { Steps } from '../../src/machines/line/steps.ts';

const unwired = (): Promise<never> => Promise.reject(new Error('this step is not wired'));

/** Steps that a test does not come to: whoever takes one fails. */
export const unwiredSteps: Steps = {
  observe: unwired,
  recordIntent: unwired,
  create: unwired,
  relocate: unwired,
  update: unwired,
  verify: unwired,
  removeFirst: unwired,
  send: unwired,
  awaitReady: unwired,
  record: unwired,
  recordUnready: unwired,
  remove: unwired,
  recordRemoval: unwired,
};
