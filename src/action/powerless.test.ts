import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../core/error-table.ts';
import type { FailureDoc } from '../engine/document.ts';
import { lacksPower, whyPowerless } from './powerless.ts';

const error = (code: ErrorCode) => ({ code, summary: 's', detail: `d ${code}`, fix: 'f' });
const failure = (...codes: ErrorCode[]): FailureDoc => ({
  schema: 1,
  ok: false,
  command: 'apply',
  error: error(codes[0] ?? 'INTERNAL'),
  errors: codes.map(error),
});

describe('a job that lacks secrets or permissions', () => {
  it('failed only because it lacks them', () => {
    expect(lacksPower(failure('CREDENTIAL_MISSING', 'SECRET_UNRESOLVED'))).toBe(true);
    expect(lacksPower(failure('LEDGER_REFUSED'))).toBe(true);
    expect(lacksPower(failure('CREDENTIAL_MISSING', 'PARAM_INVALID'))).toBe(false);
  });

  it('is nobody’s mistake when Dependabot started it, or its token can only read', async () => {
    const never = () => Promise.reject(new Error('asked'));
    expect(await whyPowerless({ GITHUB_ACTOR: 'dependabot[bot]' }, never)).toContain('Dependabot secrets');
    expect(await whyPowerless({ GITHUB_ACTOR: 'ann' }, () => Promise.resolve(true))).toContain('can only read');
    expect(await whyPowerless({ GITHUB_ACTOR: 'ann' }, () => Promise.resolve(false))).toBeNull();
  });
});
