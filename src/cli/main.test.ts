import { EventEmitter } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure, Failures } from '../core/errors.ts';
import { version } from '../core/version.ts';
import type { ApplyDoc, ClosedDoc, PlanDoc } from '../engine/document.ts';
import type { ClosedRequest, RunRequest } from '../engine/types.ts';
import { main } from './main.ts';
import { createOutput } from './output.ts';
import type { Runner } from './world.ts';

const planDoc: PlanDoc = {
  schema: 1,
  ok: true,
  command: 'plan',
  environment: 'preview',
  scope: 'pr-12',
  digest: 'abc123',
  lines: [],
  orphans: [],
  warnings: [],
  summary: {},
};

const applyDoc: ApplyDoc = {
  schema: 1,
  ok: true,
  command: 'apply',
  status: 'complete',
  environment: 'preview',
  scope: 'pr-12',
  runId: 'run-1',
  digest: 'abc123',
  lines: [],
  outputs: {},
  receipt: { branch: 'pilotfish-receipts/preview/pr-12', commit: 'f00' },
  stats: { requests: 0, writes: 0, fetches: 1, pushes: 1, lockPushes: 0, ms: 12 },
  warnings: [],
  orphans: [],
};

const closedDoc: ClosedDoc = {
  schema: 1,
  ok: true,
  command: 'apply',
  mode: 'closed',
  status: 'complete',
  environment: 'preview',
  repository: 'acme/shop',
  scopes: [{ scope: 'pr-12', plan: null, branch: 'b', pullRequests: [12], outcome: 'destroyed', why: 'the pull request 12 is closed' }],
  summary: { destroyed: 1 },
  stats: applyDoc.stats,
};

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pilotfish-cli-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

class Sink extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Runs one command line in this process. `runner` replaces the engine. */
async function cli(argv: readonly string[], runner: Partial<Runner> = {}) {
  const stdout = new Sink();
  const stderr = new Sink();
  const signals = new EventEmitter();
  const exits: number[] = [];
  const requests: RunRequest[] = [];
  const closedRequests: ClosedRequest[] = [];
  const takeClosed = (request: ClosedRequest): Promise<ClosedDoc> => {
    closedRequests.push(request);
    return Promise.resolve(closedDoc);
  };
  const take = <D>(doc: D) => {
    return (request: RunRequest): Promise<D> => {
      requests.push(request);
      return Promise.resolve(doc);
    };
  };
  const world = {
    cwd: folder,
    env: {},
    stdout,
    stderr,
    signals,
    now: () => 0,
    exit: (code: number) => void exits.push(code),
    loadRunner: () => Promise.resolve({ runPlan: take(planDoc), runApply: take(applyDoc), runClosed: takeClosed, ...runner }),
  };
  const running = main(argv, world, createOutput(world, argv));
  const result = async () => ({ code: await running, stdout: stdout.text, stderr: stderr.text, exits, requests, closedRequests });
  return { signals, stderr, exits, result };
}

const done = async (argv: readonly string[], runner: Partial<Runner> = {}) => await (await cli(argv, runner)).result();
const throwing = (thrown: unknown): Partial<Runner> => ({ runPlan: () => Promise.reject(thrown), runApply: () => Promise.reject(thrown) });

describe('the output streams', () => {
  it('have a plan on stdout, which ends with the next step and exits 0', async () => {
    const { code, stdout, stderr } = await done(['plan', '--scope', 'pr-12']);
    expect(code).toBe(0);
    expect(stdout).toContain('Plan for preview/pr-12');
    expect(stdout).toContain('Digest abc123');
    expect(stderr).toBe('');
  });

  it('have an error on stderr, and nothing on stdout', async () => {
    const { code, stdout, stderr } = await done(['plan', '--scpoe', 'x']);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('USAGE  The command line is wrong');
    expect(stderr).not.toContain('at ');
  });

  it.each([
    { argv: ['plan', '--json'], ok: true },
    { argv: ['apply', '--json', '--scope', 'a'], ok: true },
    { argv: ['plan', '--json', '--scpoe', 'x'], ok: false },
    { argv: ['aply', '--json'], ok: false },
    { argv: ['--json'], ok: false },
    { argv: ['plan', '--json=yes'], ok: false },
    { argv: ['--help', '--json'], ok: true },
    { argv: ['--version', '--json'], ok: true },
    { argv: ['init', '--json'], ok: true },
    { argv: ['apply', '--destroy', '--recreate', 'x', '--json'], ok: false },
  ])('have exactly one JSON document for $argv, whose ok says whether the exit code is 0', async ({ argv, ok }) => {
    const { code, stdout, stderr } = await done(argv);
    const document: { ok: boolean; schema: number; command: string } = JSON.parse(stdout);
    expect(document).toMatchObject({ ok, schema: 1 });
    expect(code === 0).toBe(ok);
    expect(stderr).toBe('');
  });

  it('have several failures under errors, and the first of them under error', async () => {
    const failures = new Failures([
      new Failure('PLAN_INVALID', { detail: 'One.', place: { file: 'release.plan.yaml', line: 3, column: 5 } }),
      new Failure('SECRET_UNRESOLVED', { detail: 'Two.' }),
    ]);
    const { code, stdout } = await done(['plan', '--json'], throwing(failures));
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'PLAN_INVALID', place: 'release.plan.yaml:3:5' },
      errors: [{ code: 'PLAN_INVALID' }, { code: 'SECRET_UNRESOLVED' }],
    });
  });

  it('have an unknown exception as a defect, without its stack', async () => {
    const { code, stderr } = await done(['plan'], throwing(new TypeError('x is not a function')));
    expect(code).toBe(1);
    expect(stderr).toContain('INTERNAL  pilotfish failed');
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('exit codes', () => {
  it.each([
    ['complete', 0],
    ['partial', 0],
    ['stale', 0],
    ['failed', 1],
    ['interrupted', 130],
  ] as const)('an apply that ends %s exits %d', async (status, code) => {
    const outcome = await done(['apply', '--json'], { runApply: () => Promise.resolve({ ...applyDoc, ok: true, status }) });
    expect(outcome.code).toBe(code);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ ok: code === 0, status });
  });

  it.each(['LEASE_HELD', 'LEASE_LOST'] as const)('%s gives 3, thrown or in the document', async (code) => {
    const failure = new Failure(code, { detail: 'Held.' });
    expect((await done(['apply'], throwing(failure))).code).toBe(3);
    const document = { ...applyDoc, ok: false, status: 'failed' as const, error: failure.toData() };
    expect((await done(['apply'], { runApply: () => Promise.resolve(document) })).code).toBe(3);
  });

  it('a plan with a refused line gives 1', async () => {
    expect((await done(['plan'], { runPlan: () => Promise.resolve({ ...planDoc, ok: false }) })).code).toBe(1);
  });
});

describe('--closed', () => {
  it('prints exactly one document, and keeps receipts for ninety days by default', async () => {
    const { code, stdout, closedRequests, requests } = await done(['apply', '--destroy', '--closed', '--json', '--lease-timeout', '5s']);
    expect([code, requests]).toEqual([0, []]);
    expect(JSON.parse(stdout)).toEqual(closedDoc);
    expect(closedRequests).toEqual([
      {
        cwd: folder,
        env: {},
        plan: null,
        planFrom: null,
        environment: 'preview',
        keepReceiptsDays: 1,
        leaseTimeoutMs: 5_000,
        waitTimeoutMs: 900_000,
      },
    ]);
    const more = await done(['apply', '--destroy', '--closed', '--keep-receipts', '7', '--env', 'staging']);
    expect(more.closedRequests[0]).toMatchObject({ keepReceiptsDays: 7, environment: 'staging' });
    expect(more.stdout).toMatch(/pr-12 +destroyed +the pull request 12 is closed/);
  });

  it.each([
    ['complete', 0],
    ['failed', 1],
    ['interrupted', 130],
  ] as const)('that ends %s exits %d', async (status, code) => {
    const error = new Failure('PROVIDER_AUTH', { detail: 'No.' }).toData();
    const scopes = [{ scope: null, plan: null, branch: 'b', pullRequests: [], outcome: 'failed' as const, why: 'no', error }];
    const outcome = await done(['apply', '--destroy', '--closed'], { runClosed: () => Promise.resolve({ ...closedDoc, status, scopes }) });
    expect(outcome.code).toBe(code);
    expect(outcome.stdout).toContain('PROVIDER_AUTH');
  });

  it.each([
    [['--closed'], '--destroy --closed'],
    [['--yes'], 'add `--destroy` or `--prune`'],
    [['--keep-receipts', '7'], '--destroy --closed'],
    [['--destroy', '--closed', '--scope', 'pr-1'], 'Leave out'],
    [['--destroy', '--closed', '--pr', '1', '--restore-ledger', 'abcdef0'], 'Leave out'],
    [['--destroy', '--closed', '--keep-receipts', '0'], '--keep-receipts'],
  ])('%j is refused', async (flags, fix) => {
    const { code, stderr, closedRequests } = await done(['apply', ...flags]);
    expect([code, closedRequests]).toEqual([2, []]);
    expect(stderr).toContain(fix);
  });
});

describe('the request of a run', () => {
  it('has the defaults without flags', async () => {
    const { requests } = await done(['apply']);
    expect(requests[0]).toMatchObject({
      cwd: folder,
      plan: null,
      environment: 'preview',
      scope: null,
      only: [],
      destroy: false,
      prune: false,
      orphans: false,
      leaseTimeoutMs: 900_000,
      waitTimeoutMs: 900_000,
    });
  });

  it('has the value of every flag', async () => {
    const { requests } = await done(
      'apply --plan p.yaml --plan-from aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd --env production --scope 007 --pr 3 --branch b --sha c --only x --only x --recreate y --reconcile --put-back --expect d --restore-ledger 0123abc --trust-ledger 4567def --approved-by me --lease-timeout 5s --wait-timeout 1m'.split(
        ' ',
      ),
    );
    expect(requests[0]).toEqual({
      cwd: folder,
      env: {},
      plan: 'p.yaml',
      planFrom: 'aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd',
      environment: 'production',
      scope: '007',
      pr: 3,
      branch: 'b',
      sha: 'c',
      only: ['x'],
      recreate: ['y'],
      reconcile: true,
      putBack: true,
      destroy: false,
      prune: false,
      orphans: false,
      expect: 'd',
      restoreLedger: '0123abc',
      trustLedger: '4567def',
      approvedBy: 'me',
      leaseTimeoutMs: 5_000,
      waitTimeoutMs: 60_000,
    });
  });
});

describe('signals', () => {
  /** A run that ends as interrupted once its signal is aborted. */
  const draining = (seen: { reason?: unknown }): Partial<Runner> => ({
    runApply: (_, world) =>
      new Promise((resolve) => {
        world?.signal?.addEventListener('abort', () => {
          seen.reason = world.signal?.reason;
          resolve({ ...applyDoc, ok: false, status: 'interrupted' });
        });
      }),
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('the first %s aborts the run with its reason, and the exit code is %d', async (name, code) => {
    const seen: { reason?: unknown } = {};
    const running = await cli(['apply', '--json'], draining(seen));
    await untilRunning(running.signals);
    running.signals.emit(name);
    const outcome = await running.result();
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toContain(`stopping on ${name}`);
    expect(seen.reason).toMatchObject({ code: 'INTERRUPTED' });
    expect(JSON.parse(outcome.stdout)).toMatchObject({ ok: false, status: 'interrupted' });
    expect(running.signals.listenerCount(name)).toBe(0);
  });

  it('the second signal ends the process at once, with the trace written', async () => {
    const running = await cli(['apply', '--trace', 'trace'], { runApply: () => new Promise(() => {}) });
    await untilRunning(running.signals);
    running.signals.emit('SIGINT');
    expect(running.exits).toEqual([]);
    running.signals.emit('SIGTERM');
    expect(running.exits).toEqual([143]);
    expect(JSON.parse(await readFile(join(folder, 'trace/trace.json'), 'utf8'))).toHaveProperty('traceEvents');
  });

  it('a plan that a signal ends reports the interruption, not a defect', async () => {
    const running = await cli(['plan', '--json'], {
      runPlan: (_, world) =>
        new Promise((_, reject) => {
          world?.signal?.addEventListener('abort', () => reject(new DOMException('This operation was aborted', 'AbortError')));
        }),
    });
    await untilRunning(running.signals);
    running.signals.emit('SIGINT');
    const outcome = await running.result();
    expect(outcome.code).toBe(130);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ ok: false, error: { code: 'INTERRUPTED' } });
  });

  async function untilRunning(signals: EventEmitter): Promise<void> {
    while (signals.listenerCount('SIGINT') === 0) await new Promise(setImmediate);
    await new Promise(setImmediate);
  }
});

describe('--trace', () => {
  const telling: Partial<Runner> = {
    runApply: (_, world) => {
      world?.listen?.({ type: 'line', line: 'db', from: 'waiting', to: 'creating', event: 'line.start', at: 5 });
      world?.listen?.({ type: 'line', line: 'db', from: 'creating', to: 'settled', event: 'done', at: 9 });
      return Promise.reject(new Failure('LEDGER_REFUSED', { detail: 'No.' }));
    },
  };

  it('is written also when the run failed', async () => {
    const { code, stderr } = await done(['apply', '--trace', 'out/t'], telling);
    expect(code).toBe(1);
    expect(stderr).toContain('db: creating');
    const events = (await readFile(join(folder, 'out/t/events.jsonl'), 'utf8')).trim().split('\n');
    expect(events.map((line) => JSON.parse(line).to)).toEqual(['creating', 'settled']);
  });

  it('a folder that cannot be made ends the run before it begins', async () => {
    await writeFile(join(folder, 'file'), '');
    const { code, stderr, requests } = await done(['apply', '--trace', 'file/below']);
    expect(code).toBe(2);
    expect(stderr).toContain('part of the path is a file');
    expect(requests).toEqual([]);
  });
});

describe('help and version', () => {
  it('pilotfish alone prints the help on stdout and exits 0', async () => {
    const { code, stdout } = await done([]);
    expect(code).toBe(0);
    for (const command of ['init', 'plan', 'apply']) expect(stdout).toContain(`  ${command} `);
  });

  it('the help of a command has every flag and stays within 100 columns', async () => {
    const { stdout } = await done(['apply', '--help']);
    for (const flag of ['--plan <file>', '--lease-timeout <time>', '--no-color', '--json']) expect(stdout).toContain(flag);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('--version prints the version alone', async () => {
    expect((await done(['--version'])).stdout).toBe(`${version}\n`);
  });
});
