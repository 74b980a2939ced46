import assert from 'node:assert/strict';
import { type Api, type ApiOptions, type Outcome, openApi } from './api.ts';

/** A sentence of the specification, and what shows that it holds. */
export interface Row {
  readonly says: string;
  /** The test of another suite that holds it, where that one has the world it needs. */
  readonly held?: { readonly file: string; readonly test: string };
  readonly check: () => Promise<void>;
}

export interface Section {
  readonly title: string;
  /** Of this folder. */
  readonly file: string;
  readonly rows: readonly Row[];
}

/** A row with an API of its own. */
export const row = (says: string, options: ApiOptions, check: (api: Api) => Promise<void>): Row => ({
  says,
  check: async () => {
    const api = await openApi(options);
    try {
      await check(api);
    } finally {
      await api.close();
    }
  },
});

export function done(outcome: Outcome): Outcome {
  assert.deepEqual(outcome.errors, []);
  assert.equal(outcome.doc?.ok, true);
  return outcome;
}

/** The run was refused with this code, and a text of the error holds the word. */
export function refused(outcome: Outcome, code: string, word = ''): void {
  assert.deepEqual([...new Set(outcome.errors.map((error) => error.code))], [code]);
  assert.ok(
    outcome.errors.some(({ detail }) => detail.includes(word)),
    `${JSON.stringify(outcome.errors)} does not hold ${word}`,
  );
}

export const verdicts = (outcome: Outcome): readonly string[] => outcome.doc?.lines.map(({ verdict }) => verdict) ?? [];
