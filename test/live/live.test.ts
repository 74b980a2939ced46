import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StepName } from '../../src/live/document.ts';
import type { Proof } from '../../src/live/live.ts';
import type { Described } from '../crash/collect/described.ts';
import { credentialOf } from '../support/suite/bench.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type Account, proveInSandbox } from './sandbox.ts';
import { callbackUrl, deploy, flagStrategy, webhookEndpoint } from './subjects.ts';

const resultOf = ({ report }: Proof, step: StepName): string | undefined => report.steps.find((one) => one.step === step)?.result;
const left = ({ report }: Proof): readonly StepName[] => report.steps.filter(({ result }) => result === 'left out').map(({ step }) => step);

/** One operation of each kind, and the steps that it has no use for. */
const kinds: readonly (readonly [operation: Described, left: readonly StepName[]])[] = [
  [flagStrategy, []],
  [callbackUrl, []],
  [webhookEndpoint, []],
  [deploy, ['edit', 'compare', 'compare again']],
];

describe('a proof', () => {
  for (const [operation, without] of kinds) {
    it(`holds ${operation.op} in every step that it has, and leaves the account as it was`, async () => {
      const { proof, before, after, mine } = await proveInSandbox(operation);
      expect(
        proof.report.steps.filter(({ result }) => result === 'not held'),
        proof.error?.detail,
      ).toEqual([]);
      expect(proof).toMatchObject({ ok: true, stands: [] });
      expect(left(proof)).toEqual(without);
      if (operation.kind === undefined) expect(mine).toEqual([]);
      expect(after).toEqual(before);
    });
  }

  it('writes a report of forms, without a value of the account', async () => {
    const { proof } = await proveInSandbox(flagStrategy);
    const file = join(import.meta.dirname, 'golden/unleash.flag_strategy.json');
    const report = `${JSON.stringify({ ...proof.report, pilotfish: '0.0.0' }, null, 2)}\n`;
    if (process.env.PILOTFISH_GOLDEN) await writeFile(file, report);
    expect(JSON.parse(report)).toEqual(JSON.parse(await readFile(file, 'utf8')));
    for (const word of ['checkout', 'shop', 'acme', 'pr-12']) expect(report).not.toContain(word);
  });

  it('tells beforehand what it makes, where, and what limits there are', async () => {
    const { said } = await proveInSandbox(flagStrategy);
    expect(said[0]).toContain('UNLEASH_API_URL');
    expect(said[0]).toContain('It makes one object, ${ctx.scope} = pr-12');
    expect(said[0]).toContain('A flag holds 30 strategies');
  });

  it('sends nothing where the answer is no', async () => {
    let asked = 0;
    await expect(
      proveInSandbox(flagStrategy, {
        arrange: ({ simulation }) => ({
          world: {
            confirm: async () => {
              asked = simulation.log.length;
              throw new Error('no');
            },
          },
        }),
      }),
    ).rejects.toThrow('no');
    expect(asked).toBe(0);
  });

  it('changes nothing that a person made under the same name meanwhile', async () => {
    const { proof, mine } = await proveInSandbox(flagStrategy, {
      arrange: ({ subject }) => ({ world: { say: (line) => (/^held +look:/.test(line) ? subject.foreign?.() : undefined) } }),
    });
    expect(proof).toMatchObject({ ok: false, stands: [], error: { code: 'RESOURCE_FOREIGN' } });
    expect(mine).toHaveLength(1);
    expect(proof.report.steps.at(-1)).toMatchObject({ step: 'create', result: 'not held', code: 'RESOURCE_FOREIGN' });
    expect(proof.report.steps.flatMap(({ requests }) => requests).every(({ method }) => method === 'GET')).toBe(true);
  });

  it('ends at the look with a credential of another account', async () => {
    const { proof } = await proveInSandbox(flagStrategy, {
      arrange: ({ simulation, subject }) => ({ env: credentialOf(subject, simulation, 'wrong') }),
    });
    expect(proof).toMatchObject({ ok: false, stands: [], error: { code: 'PROVIDER_AUTH' } });
    expect(proof.report.steps).toMatchObject([{ step: 'look', result: 'not held', code: 'PROVIDER_AUTH' }]);
  });

  it('tells no secret where the service quotes it in an error', async () => {
    let token = '';
    const { proof, said } = await proveInSandbox(flagStrategy, {
      arrange: ({ simulation }) => {
        token = simulation.tokens.full;
        const words = { message: `the token ${token} may not do this`, [token]: token };
        simulation.faults.times(9, { method: 'POST' }, 400, words, { 'x-api-version': token });
        return {};
      },
    });
    expect(token).not.toBe('');
    expect(proof).toMatchObject({ ok: false, error: { code: 'PROVIDER_INVALID' } });
    expect(JSON.stringify([proof.report, said])).not.toContain(token);
  });
});

describe('the end of a proof', () => {
  it('removes the object when a person stops it in the middle', async () => {
    const stop = new AbortController();
    const opened: Account[] = [];
    let standing = -1;
    const proof = proveInSandbox(flagStrategy, {
      arrange: (account) => {
        opened.push(account);
        const say = (line: string): void => {
          if (!/^held +again:/.test(line)) return;
          standing = account.subject.mine().length;
          stop.abort(new Error('stopped'));
        };
        return { world: { signal: stop.signal, say } };
      },
    });
    await expect(proof).rejects.toThrow('stopped');
    expect(standing).toBe(1);
    expect(opened[0]?.subject.mine()).toEqual([]);
  });

  it('says what still stands, and the next start removes it first', async () => {
    const folder = join(await tempFolder('live'), 'ledger');
    const opened: Account[] = [];
    const first = await proveInSandbox(flagStrategy, {
      arrange: (account) => {
        opened.push(account);
        account.simulation.faults.times(50, { method: 'DELETE' }, 403, {});
        return { request: { folder } };
      },
    });
    expect(first.proof).toMatchObject({ ok: false, stands: ['pr-12'] });
    expect(resultOf(first.proof, 'destroy')).toBe('not held');
    expect(first.mine).toHaveLength(1);
    const [account] = opened;
    if (!account) throw new Error('there was no account');
    const second = await proveInSandbox(flagStrategy, {
      account,
      arrange: ({ simulation }) => {
        simulation.faults.clear();
        return { request: { folder } };
      },
    });
    expect(second.proof).toMatchObject({ ok: true, stands: [], cleaned: ['pr-12', 'pr-12'] });
    expect(second.mine).toEqual([]);
  });
});
