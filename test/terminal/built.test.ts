import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { described } from '../../scripts/docs/events.ts';
import type { ApplyDoc } from '../../src/engine/document.ts';
import { binary, execute } from '../cli/program.ts';
import { startTeam } from '../demo/team.ts';
import { hasTmux, openTerminal } from './terminal.ts';

/** What a person may see on the way: times and numbers of requests differ from run to run. */
const picture = / of \d+ done/;

describe('the built program', () => {
  it.skipIf(!hasTmux)('shows a real run as a picture while it goes on, and ends in its report', async ({ onTestFinished }) => {
    if (!existsSync(binary)) throw new Error('dist/pilotfish.js is missing: run `npm run build` first');
    const team = await startTeam();
    onTestFinished(() => team.stop());
    const terminal = await openTerminal({
      columns: 100,
      rows: 40,
      command: `${process.execPath} ${binary} apply --scope pr-12`,
      cwd: team.checkout,
      env: team.env,
    });
    onTestFinished(() => terminal.stop());
    await terminal.becomes((screen) => picture.test(screen), 'a picture');
    await terminal.shows('exit 0');
    const screen = await terminal.screen();
    expect(screen).toContain('Apply of preview/pr-12: complete');
    expect(screen).not.toMatch(picture);
    expect(await terminal.isWhole()).toBe(true);
    for (const secret of team.secrets) expect(await terminal.scrolled()).not.toContain(secret);
  });

  it('tells a real run as events, each as its page describes it, and nothing else on stderr', async ({ onTestFinished }) => {
    const team = await startTeam();
    onTestFinished(() => team.stop());
    const args = [binary, 'apply', '--scope', 'pr-12', '--events', '--json'];
    const { code, stdout, stderr } = await execute(process.execPath, args, { cwd: team.checkout, env: { ...team.env } });
    expect(code).toBe(0);
    const document = JSON.parse(stdout) as ApplyDoc;
    const events = stderr
      .trimEnd()
      .split('\n')
      .map((line): { readonly type: keyof typeof described; readonly line?: string; readonly to?: string } => JSON.parse(line));
    for (const event of events) {
      const { v, time, type, ...fields } = event as typeof event & { readonly v: number; readonly time: string };
      expect([v, new Date(time).toISOString()]).toEqual([1, time]);
      expect(Object.keys(described[type].fields)).toEqual(expect.arrayContaining(Object.keys(fields)));
    }
    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set(['run', 'lines', 'line', 'verdict', 'machine', 'request', 'ledger', 'wait']),
    );
    const settled = events.filter(({ type, to }) => type === 'line' && to === 'settled').map(({ line }) => line);
    expect(settled.toSorted()).toEqual(document.lines.map(({ id }) => id).toSorted());
    for (const secret of team.secrets) expect(stderr).not.toContain(secret);
  });
});
