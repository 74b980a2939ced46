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
  expect(document).toMatchObject({ ok: true, orphans: [] });
  expect(document.warnings.filter((warning) => !isOfAllHere(text, warning))).toEqual([]);
  expect(company.writes()).toEqual([]);
  return stage;
}

/** Holds a plan to be planned, applied, found as it is the next time, and taken away. */
export async function expectGood(company: Company, text: string): Promise<void> {
  const stage = await expectPlanned(company, text);
  const applied = await stage.apply(pull);
  expect(errorsOf(applied)).toEqual([]);
  expect(applied).toMatchObject({ ok: true, status: 'complete' });
  expect(applied.warnings).toEqual((await stage.plan(pull)).warnings);
  expect((await stage.plan(pull)).lines.filter(({ verdict }) => verdict !== 'none')).toEqual([]);
  const destroyed = await stage.destroy(pull);
  expect(errorsOf(destroyed)).toEqual([]);
  expect(destroyed).toMatchObject({ ok: true, status: 'complete' });
  expect((await stage.ledger()).records.size).toBe(0);
  verifyHandled(company.simulations);
}

/**
 * Render and Railway make a service or an environment for each pull request, and only they know its id. The accounts here have one for all
 * pull requests, so the line is rightly warned of, as its comment says.
 */
function isOfAllHere(text: string, warning: string): boolean {
  const [id = ''] = warning.split(':', 1);
  return new RegExp(`# .*(?:environment of this pull request|this pull request alone).*\\n *- id: ${id}$`, 'm').test(text);
}

const errorsOf = ({ lines }: PlanDoc | ApplyDoc): readonly string[] =>
  lines.flatMap(({ id, verdict, error }) => (error || verdict === 'refused' ? [`${id}: ${verdict} ${error?.detail ?? ''}`] : []));
