import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openFiles, tellsOpenFiles } from '../../../test/support/open-files.ts';
import type { RunEvent } from '../../engine/document.ts';
import { keepRun, keptFolder, readKeptRun } from './kept-run.ts';

const about = { title: 'apply preview/pr-12', version: '1.2.3' };
const moved = (to: string, at: number): RunEvent => ({ type: 'line', line: 'db', from: '', to, event: '', at });

let top = '';
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'pilotfish-kept-'));
  mkdirSync(join(top, '.git'));
  mkdirSync(join(top, 'apps/web'), { recursive: true });
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
});

const files = (): string[] => readdirSync(join(top, keptFolder)).filter((name) => name.endsWith('.jsonl'));
const onlyFile = (): string => join(top, keptFolder, files()[0] ?? '');

describe('the last run', () => {
  it('is kept at the top of the checkout, and found from any folder of it', () => {
    const events = [moved('observing', 1), moved('settled', 2)];
    const kept = keepRun(join(top, 'apps/web'), about);
    for (const event of events) kept.listen(event);
    kept.end([{ code: 'INTERNAL', summary: 's', detail: 'd', fix: 'f' }]);
    expect(readKeptRun(top)).toEqual({ ...about, events, errors: [{ code: 'INTERNAL', summary: 's', detail: 'd', fix: 'f' }] });
    expect(readKeptRun(join(top, 'apps'))?.events).toEqual(events);
    expect(existsSync(join(top, 'apps/web/.pilotfish'))).toBe(false);
    if (process.platform !== 'win32') expect(statSync(onlyFile()).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(top, keptFolder, '.gitignore'), 'utf8')).toBe('*\n');
  });

  it('replaces the run before, unless the new run never began', () => {
    for (const state of ['refused', 'settled']) {
      const kept = keepRun(top, about);
      kept.listen(moved(state, 1));
      kept.end();
    }
    keepRun(top, about).end([{ code: 'USAGE', summary: 's', detail: 'd', fix: 'f' }]);
    expect(files()).toHaveLength(1);
    expect(readKeptRun(top)?.events).toEqual([moved('settled', 1)]);
  });

  it('is on disk while it goes on, so a killed run is kept too, whatever it was writing', async () => {
    const kept = keepRun(top, about);
    kept.listen(moved('creating', 1));
    await expect.poll(() => readKeptRun(top)?.events).toEqual([moved('creating', 1)]);
    appendFileSync(onlyFile(), '{"type":"line","line":"db","to":"se');
    expect(readKeptRun(top)).toEqual({ ...about, events: [moved('creating', 1)], errors: [] });
  });

  it('is written in few pieces when much happens at once', () => {
    const kept = keepRun(top, about);
    for (let at = 0; at < 2_000; at += 1) kept.listen(moved('observing', at));
    // Nothing waited for a timer, which has had no turn yet.
    expect(readKeptRun(top)?.events.length).toBeGreaterThan(1_400);
    kept.end();
    expect(readKeptRun(top)?.events).toHaveLength(2_000);
  });

  it.skipIf(!tellsOpenFiles)('closes its file when it ends (seen on systems that tell which files are open)', () => {
    const kept = keepRun(top, about);
    kept.listen(moved('settled', 1));
    kept.end();
    expect(readKeptRun(top)?.events).toHaveLength(1);
    expect(openFiles(top)).toEqual([]);
  });

  it('is complete when two runs go on at once', () => {
    const [one, two] = [keepRun(top, about), keepRun(top, { ...about, title: 'apply preview/pr-13' })];
    for (let at = 0; at < 600; at += 1) {
      one.listen(moved('observing', at));
      two.listen(moved('creating', at));
    }
    one.end();
    two.end();
    const { title, events } = readKeptRun(top) ?? { title: '', events: [] };
    const state = title === about.title ? 'observing' : 'creating';
    expect(events).toEqual(Array.from({ length: 600 }, (_, at) => moved(state, at)));
  });

  it('takes no event after its end', () => {
    const kept = keepRun(top, about);
    kept.listen(moved('settled', 1));
    kept.end();
    kept.listen(moved('failed', 2));
    kept.end();
    expect(readKeptRun(top)?.events).toEqual([moved('settled', 1)]);
  });

  it('is not kept, without a message, when its folder cannot be written', async () => {
    writeFileSync(join(top, '.pilotfish'), 'a file');
    const kept = keepRun(top, about);
    kept.listen(moved('creating', 1));
    await pause(150);
    kept.listen(moved('settled', 2));
    kept.end();
    expect(readKeptRun(top)).toBeNull();
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')('is none when its folder cannot be read', () => {
    const kept = keepRun(top, about);
    kept.listen(moved('settled', 1));
    kept.end();
    chmodSync(join(top, keptFolder), 0o000);
    onTestFinished(() => chmodSync(join(top, keptFolder), 0o700));
    expect(readKeptRun(top)).toBeNull();
  });

  it('is kept in the checkout that a link leads into, as git resolves the link', () => {
    const link = join(top, '..', `${basename(top)}-link`);
    symlinkSync(join(top, 'apps/web'), link);
    onTestFinished(() => rmSync(link, { force: true }));
    const kept = keepRun(link, about);
    kept.listen(moved('settled', 1));
    kept.end();
    expect(readKeptRun(top)?.events).toEqual([moved('settled', 1)]);
    expect(readKeptRun(link)?.events).toEqual([moved('settled', 1)]);
  });

  it('is none when its file holds no run', () => {
    mkdirSync(join(top, keptFolder, '000000000000001-7.jsonl'), { recursive: true });
    expect(readKeptRun(top)).toBeNull();
  });

  it('is none when another version wrote it, and none before the first run', () => {
    expect(readKeptRun(top)).toBeNull();
    mkdirSync(join(top, keptFolder), { recursive: true });
    writeFileSync(join(top, keptFolder, '000000000000001-7.jsonl'), '{"type":"kept","v":2,"title":"apply","version":"9.0.0"}\n');
    expect(readKeptRun(top)).toBeNull();
  });
});
