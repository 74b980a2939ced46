import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { hasTmux, openTerminal, type Terminal } from './terminal.ts';

const windows = [
  [80, 24],
  [40, 10],
  [200, 60],
] as const;
type Size = readonly [number, number];

const player = join(import.meta.dirname, 'player.ts');
const goldens = join(import.meta.dirname, 'goldens');

/** Opens a terminal in which pilotfish plays; `flags` go to its command line. */
async function play(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  name: string,
  [columns, rows]: Size,
  {
    flags = '',
    command = 'apply',
    variables = '',
  }: { readonly flags?: string; readonly command?: string; readonly variables?: string } = {},
): Promise<Terminal> {
  const terminal = await openTerminal({
    columns,
    rows,
    command: `${variables} PLAY=${name} PLAY_FOLDER=$(dirname "$0") ${process.execPath} ${player} ${command} --scope pr-12 ${flags}`,
  });
  onTestFinished(() => terminal.stop());
  return terminal;
}

/** Compares with a kept picture; `UPDATE=1` keeps a new one, to be looked at. */
async function matches(name: string, screen: string): Promise<void> {
  const file = join(goldens, `${name}.txt`);
  if (process.env.UPDATE) await writeFile(file, screen);
  expect(screen, `differs from ${name}.txt; UPDATE=1 keeps it`).toBe(await readFile(file, 'utf8'));
}

const named = (name: string, [columns, rows]: Size): string => `${name}-${columns}x${rows}`;

if (!hasTmux) console.log('test/terminal is skipped: there is no tmux.');

describe.skipIf(!hasTmux)('a run in a terminal', () => {
  const runs = ['five', 'sixty', 'five-hundred', 'five-fail', 'sixty-fail', 'five-hundred-fail'];
  it.concurrent.for(windows.flatMap((size) => runs.map((name) => [name, size] as const)))(
    '%s in a window of %j, in its middle and at its end',
    async ([name, size], context) => {
      const terminal = await play(context, name, size);
      await terminal.reaches('middle');
      await matches(named(`${name}-middle`, size), await terminal.screen());
      await terminal.go('middle');
      await terminal.shows(name.endsWith('fail') ? 'exit 1' : 'exit 0');
      await matches(named(`${name}-end`, size), await terminal.screen());
      expect(await terminal.isWhole()).toBe(true);
    },
  );

  it.concurrent.for(windows)('every form of a change in a plan, in a window of %j', async (size, context) => {
    const terminal = await play(context, 'changes', size, { command: 'plan' });
    await terminal.shows('exit 0');
    await matches(named('changes', size), await terminal.scrolled());
  });

  it.concurrent('the colours of a plan and of the picture', async (context) => {
    const plan = await play(context, 'changes', [80, 60], { command: 'plan' });
    await plan.shows('exit 0');
    await matches('changes-colored', await plan.colored());
    const run = await play(context, 'five-fail', [80, 24]);
    await run.reaches('middle');
    await matches('five-fail-colored', await run.colored());
  });

  it.concurrent('a plan of 500 lines with 50 refused ends in them and in its summary', async (context) => {
    const terminal = await play(context, 'refused', [80, 24], { command: 'plan' });
    await terminal.shows('exit 1');
    await matches('refused-80x24', await terminal.screen());
  });

  it.concurrent('what the whole run waits for is told with its time, also in a narrow window', async (context) => {
    const terminal = await play(context, 'waiting', [40, 10]);
    await terminal.reaches('middle');
    await matches('waiting-40x10', await terminal.screen());
  });

  it.concurrent.for([
    [80, 24],
    [40, 10],
  ] as const)('hostile text moves no cursor and wide letters keep the columns, in a window of %j', async (size, context) => {
    const terminal = await play(context, 'hostile', size);
    await terminal.reaches('middle');
    await matches(named('hostile-middle', size), await terminal.screen());
    await terminal.go('middle');
    await terminal.shows('exit 0');
    await matches(named('hostile-end', size), await terminal.screen());
    expect(await terminal.isWhole()).toBe(true);
  });

  it.concurrent.for(windows)('Ctrl-C lets the run end in order, in a window of %j', async (size, context) => {
    const terminal = await play(context, 'interrupted', size);
    await terminal.reaches('middle');
    await terminal.press('C-c');
    await terminal.reaches('draining');
    await matches(named('interrupted-draining', size), await terminal.screen());
    await terminal.go('draining');
    await terminal.shows('exit 130');
    await matches(named('interrupted-end', size), await terminal.screen());
    expect(await terminal.isWhole()).toBe(true);
  });

  it.concurrent('a second Ctrl-C ends it at once and leaves the terminal whole', async (context) => {
    const terminal = await play(context, 'interrupted', [80, 24]);
    await terminal.reaches('middle');
    await terminal.press('C-c');
    await terminal.reaches('draining');
    await terminal.press('C-c');
    await terminal.shows('exit 130');
    await matches('interrupted-twice-80x24', await terminal.screen());
    expect(await terminal.isWhole()).toBe(true);
  });

  it.concurrent('a crash leaves the terminal whole, and its error below the picture', async (context) => {
    const terminal = await play(context, 'crash', [80, 24]);
    await terminal.reaches('middle');
    await terminal.go('middle');
    await terminal.shows('exit 1');
    await matches('crash-80x24', await terminal.screen());
    expect(await terminal.isWhole()).toBe(true);
  });

  it.concurrent('a process that is killed leaves the terminal whole', async (context) => {
    const terminal = await play(context, 'five', [80, 24]);
    const pid = Number(await terminal.reaches('middle'));
    process.kill(pid, 'SIGKILL');
    await terminal.shows('exit 137');
    expect(await terminal.isWhole()).toBe(true);
  });

  it.concurrent('a window that shrinks and grows again holds one picture, and no rubbish of another', async (context) => {
    const terminal = await play(context, 'sixty', [80, 24]);
    await terminal.reaches('middle');
    const before = await terminal.screen();
    for (const [columns, rows] of [
      [40, 24],
      [80, 10],
      [40, 10],
      [30, 30],
      [80, 24],
    ] as const) {
      await terminal.resize(columns, rows);
      const isOne = (screen: string): boolean => [/ of 60 done/g, /> preview-8 /g].every((row) => screen.match(row)?.length === 1);
      await terminal.becomes(isOne, `one picture in ${columns}x${rows}`);
      const screen = await terminal.screen();
      expect(isOne(screen), `${columns}x${rows}:\n${screen}`).toBe(true);
    }
    expect((await terminal.screen()).trim()).toBe(before.trim());
    await terminal.go('middle');
    await terminal.shows('exit 0');
    expect(await terminal.screen()).not.toContain(' of 60 done');
  });

  it.concurrent('rows that a narrower window breaks in two leave nothing above the picture', async (context) => {
    const terminal = await play(context, 'five-fail', [80, 24]);
    await terminal.reaches('middle');
    await terminal.resize(40, 24);
    await terminal.becomes((screen) => screen.includes('1 in work…'), 'the narrow picture');
    await matches('narrowed-40x24', await terminal.screen());
  });

  it.concurrent('rows that a lower window pushed out are taken back when it grows', async (context) => {
    const terminal = await play(context, 'sixty', [80, 24]);
    await terminal.reaches('middle');
    await terminal.resize(80, 10);
    await terminal.becomes((screen) => screen.includes('… 7 more'), 'the low picture');
    await terminal.resize(80, 24);
    await terminal.becomes((screen) => screen.includes('… 4 more: waiting'), 'the high picture');
    expect((await terminal.scrolled()).match(/> preview-8 /g)).toHaveLength(1);
  });

  it.concurrent('where the report goes elsewhere, the last picture stays', async (context) => {
    const terminal = await play(context, 'five-fail', [80, 24], { flags: '--json > /dev/null' });
    await terminal.reaches('middle');
    await terminal.go('middle');
    await terminal.shows('exit 1');
    await matches('elsewhere-80x24', await terminal.screen());
  });

  it.concurrent('NO_COLOR takes the colours and leaves the picture', async (context) => {
    const terminal = await play(context, 'five-fail', [80, 24], { variables: 'NO_COLOR=1' });
    await terminal.reaches('middle');
    const screen = await terminal.screen();
    expect(await terminal.colored()).toBe(screen);
    expect(screen).toContain('of 5 done');
  });

  it.concurrent.for([
    ['TERM=dumb', 'TERM is dumb'],
    ['CI=true', 'CI is set'],
  ] as const)('with %s progress is plain, and who asked for live is told why', async ([variable, why], context) => {
    const terminal = await play(context, 'five-fail', [80, 24], { flags: '--progress live', variables: variable });
    await terminal.reaches('middle');
    const screen = await terminal.screen();
    expect(screen).toContain(`Progress is plain, because ${why}`);
    expect(screen).toContain('env-database-url: failed');
    expect(screen).not.toContain('of 5 done');
  });
});
