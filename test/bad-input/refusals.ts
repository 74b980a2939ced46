import { expect } from 'vitest';
import type { ErrorData } from '../../src/core/errors.ts';
import type { ApplyDoc, FailureDoc } from '../../src/engine/document.ts';
import type { Company, Ended } from '../checkouts/company.ts';

/** A run that failed, as a person sees it and as a program reads it. */
export interface Refusal<Doc> {
  /** Both streams of the run without `--json`. */
  readonly text: string;
  /** The reports among it: stdout alone. */
  readonly report: string;
  /** What the run with `--json` printed on stdout. */
  readonly document: Doc;
}

/**
 * Runs one command line for people and then for programs. Both end with the same exit code, without a stack; the second prints exactly
 * one JSON document, and it says that this is no success.
 */
export async function failing<Doc extends FailureDoc | ApplyDoc = FailureDoc>(
  company: Company,
  o: { cwd: string; args: readonly string[]; exit: number; env?: Readonly<Record<string, string>> },
): Promise<Refusal<Doc>> {
  const person = await company.run(o.cwd, o.args, o.env);
  expect(person.code, person.stdout + person.stderr).toBe(o.exit);
  withoutStack(person);
  const program = await company.run(o.cwd, [...o.args, '--json'], o.env);
  expect(program.code, program.stdout + program.stderr).toBe(o.exit);
  withoutStack(program);
  const document: Doc = JSON.parse(program.stdout);
  expect(document.ok).toBe(false);
  return { text: person.stdout + person.stderr, report: person.stdout, document };
}

/** The same for what is refused before any request: neither providers nor the git host hear of it, and there is no report. */
export async function refused(
  company: Company,
  o: { cwd: string; args: readonly string[]; env?: Readonly<Record<string, string>> },
): Promise<Refusal<FailureDoc>> {
  const before = company.requests();
  const refusal = await failing(company, { ...o, exit: 2 });
  expect(company.requests()).toEqual(before);
  expect(refusal.report).toBe('');
  return refusal;
}

/** What people see of an error holds all that programs are told: its code, its place and its fix. */
export function tells(text: string, error: ErrorData): void {
  expect(text).toContain(error.code);
  expect(text).toContain(`Fix: ${error.fix}`);
  if (error.place !== undefined) expect(text).toContain(error.place);
}

function withoutStack({ stdout, stderr }: Ended): void {
  expect(stdout + stderr).not.toMatch(/^\s+at /m);
  expect(stdout + stderr).not.toContain('node:internal');
}
