import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { expect } from 'vitest';
import type { ApplyDoc, PlanDoc } from '../../src/engine/document.ts';
import type { Stage } from '../support/stage.ts';
import type { Company } from './company.ts';

/** Pull request 12, as its number and its scope. */
const pull = { pr: 12 };

/** Holds a plan to be planned without an error and without a write. */
export async function expectPlanned(company: Company, text: string): Promise<Stage> {
  const stage = await company.stageOf(text);
  const document = await stage.plan(pull);
  expect(errorsOf(document)).toEqual([]);
  expect(document).toMatchObject({ ok: true, warnings: [], orphans: [] });
  expect(company.writes()).toEqual([]);
  return stage;
}

/** Holds a plan to be planned, applied, found as it is the next time, and taken away. */
export async function expectGood(company: Company, text: string): Promise<void> {
  const stage = await expectPlanned(company, text);
  const applied = await stage.apply(pull);
  expect(errorsOf(applied)).toEqual([]);
  expect(applied).toMatchObject({ ok: true, status: 'complete', warnings: [] });
  expect((await stage.plan(pull)).lines.filter(({ verdict }) => verdict !== 'none')).toEqual([]);
  const destroyed = await stage.destroy(pull);
  expect(errorsOf(destroyed)).toEqual([]);
  expect(destroyed).toMatchObject({ ok: true, status: 'complete' });
  expect((await stage.ledger()).records.size).toBe(0);
  verifyHandled(company.simulations);
}

const errorsOf = ({ lines }: PlanDoc | ApplyDoc): readonly string[] =>
  lines.flatMap(({ id, verdict, error }) => (error || verdict === 'refused' ? [`${id}: ${verdict} ${error?.detail ?? ''}`] : []));
