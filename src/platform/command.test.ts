import { chmod, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRunning, openPrograms, type Programs, until } from '../../test/support/programs.ts';
import { VirtualClock } from '../../test/support/virtual-clock.ts';
import { systemClock } from '../core/clock.ts';
import { Redactor } from '../core/redact.ts';
import { type CommandResult, runCommand } from './command.ts';
import { commandDeadline } from './command-deadline.ts';

let programs: Programs;
beforeEach(async () => {
  programs = await openPrograms();
});
afterEach(() => programs.close());

const start = (argv: readonly string[], change: Partial<Parameters<typeof runCommand>[0]> = {}) =>
  runCommand({
    argv,
    env: { PATH: programs.PATH },
    clock: systemClock,
    signal: new AbortController().signal,
    redactor: new Redactor(),
    ...change,
  });
const faultOf = (result: CommandResult): string => ('failed' in result ? result.failed : `exit code ${result.code}`);
const hanging = async (name: string): Promise<number[]> => {
  await until(`${name} runs`, async () => (await programs.starts()).some((one) => one.name === name));
  return (await programs.starts()).map((one) => one.pid);
};
const gone = (pids: readonly number[]): Promise<void> =>
  until('nothing of it is left', async () => (await Promise.all(pids.map(isRunning))).every((is) => !is));

test('arguments arrive as they are, whatever a shell would make of them', async () => {
  await programs.add('echo-args', 'out(JSON.stringify(args));');
  const odd = ['a b', '$HOME', '`id`', '"q"', "'", '*', ';', '&& x', '%PATH%', '', '\\', 'ü\n'];
  expect(await start(['echo-args', ...odd])).toEqual({ code: 0, stdout: JSON.stringify(odd), said: '' });
});

test('a program gets a closed input and prints no colours, even where they were forced', async () => {
  await programs.add(
    'look',
    'out(JSON.stringify([fs.readFileSync(0, "utf8"), env.NO_COLOR, env.CLICOLOR, env.FORCE_COLOR ?? null, env.KEPT]));',
  );
  const result = await start(['look'], { env: { PATH: programs.PATH, FORCE_COLOR: '1', KEPT: 'yes' } });
  expect(result).toMatchObject({ stdout: JSON.stringify(['', '1', '0', null, 'yes']) });
});

test('an exit code is an answer, with what was said on stderr in one line', async () => {
  await programs.add('refuse', String.raw`fail(3, '\u001b[31mERROR:\u001b[0m (NotFound)\n  no such\tthing\n');`);
  expect(await start(['refuse'])).toEqual({ code: 3, stdout: '', said: 'ERROR: (NotFound) no such thing' });
});

describe('the message of a program holds no secret', () => {
  test('not one that the run knows, nor a credential of the environment, nor what went to stdout', async () => {
    await programs.add('leak', `out('fetched-value-42'); fail(1, 'got fetched-value-42 with ' + env.STORE_TOKEN + ' for known-secret-9');`);
    const redactor = new Redactor();
    redactor.add('known-secret-9');
    const result = await start(['leak'], { env: { PATH: programs.PATH, STORE_TOKEN: 'store-token-7' }, redactor });
    expect(result).toMatchObject({ code: 1, said: 'got *** with *** for ***' });
  });

  test('it is cut after a secret is masked, never inside of one', async () => {
    await programs.add('long', `out('fetched-value-42'); fail(1, 'x'.repeat(290) + ' fetched-value-42');`);
    const result = await start(['long']);
    expect(result).toMatchObject({ said: expect.not.stringContaining('fetch') });
    expect('said' in result && result.said.length).toBeLessThanOrEqual(300);
  });

  test('nothing at all is told beside an output that is too long to look for', async () => {
    await programs.add('long', `out('0123456789'.repeat(4000)); fail(1, '0123456789');`);
    expect(await start(['long'])).toMatchObject({ code: 1, said: '' });
  });
});

test('a program that is not there is named', async () => {
  const result = await start(['bws', 'secret']);
  expect(result).toMatchObject({ failed: 'not-found', detail: expect.stringContaining('bws'), fix: expect.stringContaining('PATH') });
});

test('a program that may not be executed is told from one that is not there', async () => {
  await programs.add('locked', '');
  await chmod(path.join(programs.PATH, 'locked'), 0o644);
  expect(faultOf(await start(['locked']))).toBe('not-executable');
});

test('a list of arguments that the system refuses is a failure, not an exception', async () => {
  await programs.add('echo-args', '');
  expect(faultOf(await start(['echo-args', 'x'.repeat(8_000_000)]))).toBe('not-started');
});

test('1 MB is read, and one byte more ends the program', async () => {
  await programs.add('print', `const n = Number(args[0]); out('y'.repeat(n)); if (args[1]) hang();`);
  expect(await start(['print', String(1024 * 1024)])).toMatchObject({ code: 0, stdout: 'y'.repeat(1024 * 1024) });
  const result = await start(['print', String(1024 * 1024 + 1), 'and-hang']);
  expect(faultOf(result)).toBe('too-much-output');
  expect(JSON.stringify(result)).not.toContain('yyy');
  await gone((await programs.starts()).map((one) => one.pid));
});

test('much on stderr does not block the program', async () => {
  await programs.add('chatty', `fs.writeSync(2, 'z'.repeat(60_000)); process.stderr.write('z'.repeat(400_000), () => { out('value'); });`);
  expect(await start(['chatty'])).toMatchObject({ code: 0, stdout: 'value' });
});

test('a program that prints bytes instead of text fails', async () => {
  await programs.add('binary', 'fs.writeSync(1, Buffer.from([0xff, 0xfe, 0x00]));');
  expect(faultOf(await start(['binary']))).toBe('not-text');
});

test('a program that a signal ends gave no answer', async () => {
  await programs.add('crash', `out('half'); process.kill(process.pid, 'SIGKILL'); hang();`);
  expect(await start(['crash'])).toMatchObject({ failed: 'killed', detail: expect.stringContaining('SIGKILL') });
});

test('a program that hangs ends at its deadline, with everything that it started', async () => {
  await programs.add('child', 'hang();');
  await programs.add('hang', `require('node:child_process').spawn('child', { stdio: 'inherit' }); hang();`);
  const clock = new VirtualClock();
  const running = start(['hang'], { clock });
  const pids = [...(await hanging('hang')), ...(await hanging('child'))];
  await clock.advance(59_999);
  expect(await Promise.all(pids.map(isRunning))).not.toContain(false);
  await clock.advance(1);
  expect(await running).toMatchObject({ failed: 'timed-out', detail: expect.stringContaining('within 60 s') });
  await gone(pids);
});

test('one that does not listen to SIGTERM is killed two seconds later', async () => {
  await programs.add(
    'deaf',
    `process.on('SIGTERM', () => fs.appendFileSync(args[0], 'deaf ')); fs.appendFileSync(args[0], 'ready '); hang();`,
  );
  const notes = path.join(programs.folder, 'notes');
  const read = (): Promise<string> => readFile(notes, 'utf8').catch(() => '');
  const clock = new VirtualClock();
  const running = start(['deaf', notes], { clock, env: { PATH: programs.PATH, PILOTFISH_COMMAND_DEADLINE_MS: '500' } });
  await until('it is ready', async () => (await read()) !== '');
  const pids = await hanging('deaf');
  await clock.advance(500);
  await until('it was asked to end', async () => (await read()).includes('deaf'));
  await clock.advance(1_999);
  expect(await Promise.all(pids.map(isRunning))).toEqual([true]);
  await clock.advance(1);
  expect(faultOf(await running)).toBe('timed-out');
  await gone(pids);
});

test('the end of the run ends it, and nothing is started after that', async () => {
  await programs.add('hang', 'hang();');
  const run = new AbortController();
  const running = start(['hang'], { signal: run.signal });
  const pids = await hanging('hang');
  run.abort(new Error('the run is over'));
  await expect(running).rejects.toThrow('the run is over');
  await gone(pids);
  await expect(start(['hang'], { signal: run.signal })).rejects.toThrow('the run is over');
  expect(await programs.starts()).toHaveLength(1);
});

test('a daemon that keeps the output open does not hold the answer back', async () => {
  await programs.add('daemon', 'hang();');
  await programs.add('login', `require('node:child_process').spawn('daemon', { stdio: 'inherit', detached: true }).unref(); out('value');`);
  const clock = new VirtualClock();
  const running = start(['login'], { clock });
  await hanging('login');
  await hanging('daemon');
  const daemon = (await programs.starts()).find(({ name }) => name === 'daemon')?.pid ?? 0;
  // The program may be gone a moment before this process hears of it.
  await until('its end was heard', async () => clock.asked.includes(1_000));
  await clock.advance(1_000);
  expect(await running).toMatchObject({ code: 0, stdout: 'value' });
  expect(await isRunning(daemon)).toBe(true);
  process.kill(daemon, 'SIGKILL');
});

test('the deadline is 60 s, or what its variable says', () => {
  expect(commandDeadline({})).toBe(60_000);
  expect(commandDeadline({ PILOTFISH_COMMAND_DEADLINE_MS: '1500' })).toBe(1_500);
  for (const text of ['soon', '0', '-1', '1.5', '240001'])
    expect(() => commandDeadline({ PILOTFISH_COMMAND_DEADLINE_MS: text })).toThrow(/PILOTFISH_COMMAND_DEADLINE_MS/);
});
