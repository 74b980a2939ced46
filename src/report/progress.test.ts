import { describe, expect, it } from 'vitest';
import { Failure } from '../core/errors.ts';
import type { RunEvent } from '../engine/document.ts';
import { chooseProgress } from './progress.ts';
import { createPlainProgress } from './progress-plain.ts';
import { plainStyles } from './styles.ts';

const moved = (line: string, to: string, from = 'waiting'): RunEvent => ({ type: 'line', line, from, to, event: 'e', at: 0 });

describe('plain progress', () => {
  it('tells important states, notes, each wait once, and repeated requests', async () => {
    let written = '';
    let writes = 0;
    const write = (text: string): void => {
      writes += 1;
      written += text;
    };
    let time = 0;
    const progress = createPlainProgress({ stream: { write }, styles: plainStyles, now: () => time });
    const request = { type: 'request', line: 'db', method: 'POST', url: 'https://api/x', ms: 1, at: 0 } as const;
    progress.listen(moved('db', 'observing'));
    time = 1_500;
    progress.listen(moved('db', 'creating'));
    progress.listen({ ...request, status: 503, attempt: 1 });
    progress.listen({ ...request, status: null, attempt: 2 });
    progress.listen({ type: 'wait', line: 'db', detail: 'branch is init', at: 0 });
    progress.listen({ type: 'wait', line: 'db', detail: 'branch is init', at: 0 });
    progress.listen({ type: 'note', line: 'db', text: 'built\nagain', at: 0 });
    progress.listen({ type: 'run', state: 'awaitingLease', detail: 'another run holds it', at: 0 });
    progress.listen({ type: 'ledger', what: 'push', ms: 1, at: 0 });
    const error = new Failure('PROVIDER_QUOTA', { detail: 'The project\nhas 10 branches.' }).toData();
    progress.listen({ type: 'failure', line: 'db', error, at: 0 });
    progress.listen(moved('db', 'failed', 'creating'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(writes).toBe(1);
    progress.listen(moved('web', 'creating'));
    progress.print('Stopping.');
    progress.listen(moved('dns', 'creating'));
    progress.stop();
    expect(written.split('\n').slice(0, -1)).toEqual([
      '[  1.5 s] db: creating',
      '[  1.5 s] db: POST https://api/x: no answer on attempt 2',
      '[  1.5 s] db: waits: branch is init',
      '[  1.5 s] db: built again',
      '[  1.5 s] awaiting lease: another run holds it',
      '[  1.5 s] db: failed: PROVIDER_QUOTA: The project has 10 branches.',
      '[  1.5 s] web: creating',
      'Stopping.',
      '[  1.5 s] dns: creating',
    ]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(writes).toBe(4);
  });
});

describe('which progress is shown', () => {
  const choose = (mode: string | undefined, stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv) => {
    let written = '';
    const progress = chooseProgress({
      mode,
      stream: { ...stream, write: (text) => (written += text) },
      env,
      styles: plainStyles,
      now: () => 0,
    });
    progress.listen(moved('db', 'creating'));
    progress.print('x');
    // Live progress draws on its own time or for a message. Plain progress writes all earlier events before a message.
    const isPlain = written.includes('creating\nx');
    progress.stop();
    return isPlain ? 'plain' : written.includes('\u001b') ? 'live' : 'none';
  };

  it.each([
    [undefined, { isTTY: true }, {}, 'live'],
    ['live', { isTTY: true }, {}, 'live'],
    ['live', {}, {}, 'plain'],
    ['live', { isTTY: true }, { CI: 'true' }, 'plain'],
    [undefined, { isTTY: true }, { TERM: 'dumb' }, 'plain'],
    [undefined, { isTTY: true }, { CI: 'false' }, 'live'],
    [undefined, {}, {}, 'plain'],
    ['plain', { isTTY: true }, {}, 'plain'],
    ['none', { isTTY: true }, {}, 'none'],
  ])('--progress %s, stream %j, environment %j: %s', (mode, stream, env, shown) => {
    expect(choose(mode, stream, env)).toBe(shown);
  });

  it.each([
    [{}, {}, 'stderr is not a terminal'],
    [{ isTTY: true }, { CI: 'true' }, 'CI is set'],
    [{ isTTY: true }, { TERM: 'dumb' }, 'TERM is dumb'],
  ])('says in one line why live progress is not possible, for stream %j and environment %j', (stream, env, why) => {
    let written = '';
    chooseProgress({ mode: 'live', stream: { ...stream, write: (text) => (written += text) }, env, styles: plainStyles, now: () => 0 });
    expect(written).toContain(`Progress is plain, because ${why}`);
    expect(written.split('\n')).toHaveLength(2);
  });
});
