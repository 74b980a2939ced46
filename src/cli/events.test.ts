import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Failure } from '../core/errors.ts';
import type { PlanDoc } from '../engine/document.ts';
import { main } from './main.ts';
import { createOutput } from './output.ts';
import type { Runner } from './world.ts';

const document: PlanDoc = {
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

class Sink extends Writable {
  readonly isTTY = true;
  readonly columns = 80;
  readonly rows = 24;
  text = '';
  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

async function told(argv: readonly string[], runPlan: Runner['runPlan']) {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const signals = new EventEmitter();
  const never = (): never => {
    throw new Error('not a part of this test');
  };
  const world = {
    cwd: '/',
    env: {},
    stdout,
    stderr,
    signals,
    now: () => 0,
    exit: null,
    loadRunner: () =>
      Promise.resolve({
        runPlan: (request, at) => {
          signals.emit('SIGINT');
          return runPlan(request, at);
        },
        runApply: never,
        runClosed: never,
      } satisfies Runner),
  };
  const code = await main(argv, world, createOutput(world, argv));
  const events = stderr.text
    .split('\n')
    .slice(0, -1)
    .map((line): { readonly type: string } => JSON.parse(line));
  return { code, stdout: stdout.text, events, types: events.map(({ type }) => type) };
}

describe('--events', () => {
  it('writes the events of the run and every message as JSON lines, and nothing else', async () => {
    const { code, stdout, events, types } = await told(['plan', '--events', '--scope', 'pr-12'], async (_, world) => {
      world?.listen?.({ type: 'line', line: 'db', from: 'waiting', to: 'observing', event: 'e', at: 5 });
      return document;
    });
    expect(code).toBe(0);
    expect(stdout).toContain('Plan for preview/pr-12');
    expect(types).toEqual(['message', 'line']);
    expect(events[0]).toMatchObject({ v: 1, text: expect.stringContaining('stopping on SIGINT') });
    expect(events[1]).toMatchObject({ v: 1, time: '1970-01-01T00:00:00.005Z', line: 'db', to: 'observing' });
  });

  it('writes an error as an event, with and without a document on stdout', async () => {
    const failing: Runner['runPlan'] = () => Promise.reject(new Failure('CTX_NULL', { detail: 'No pull request.', fix: 'Pass --scope.' }));
    const text = await told(['plan', '--events'], failing);
    expect([text.stdout, text.types]).toEqual(['', ['message', 'error']]);
    expect(text.events[1]).toMatchObject({ command: 'plan', errors: [{ code: 'CTX_NULL' }] });
    const json = await told(['plan', '--events', '--json'], failing);
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, error: { code: 'CTX_NULL' } });
    expect(json.types).toEqual(['message', 'error']);
  });

  it('writes a mistyped command line as an event too, and a flag that contradicts it', async () => {
    const unknown = await told(['plan', '--events', '--scpoe', 'x'], () => Promise.resolve(document));
    expect([unknown.code, unknown.types]).toEqual([2, ['error']]);
    const both = await told(['plan', '--events', '--progress', 'live'], () => Promise.resolve(document));
    expect(both.events).toMatchObject([{ type: 'error', errors: [{ code: 'USAGE', fix: 'Leave out one of the two.' }] }]);
  });
});
