import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { Failure } from '../../core/errors.ts';
import type { RunEvent } from '../../engine/document.ts';
import { machineSources } from '../../machines/sources.ts';
import { traceParent } from '../telemetry/parent.ts';
import { openTrace } from './trace.ts';

const telemetry = { ...traceParent({}), redact: <T>(value: T): T => value };
const about = { title: 'plan preview', version: '1.2.3', machines: machineSources, telemetry };
const event: RunEvent = { type: 'note', line: 'db', text: 'kept', at: 1 };

describe('the folder of a trace', () => {
  it('gets five files, written once', async () => {
    const folder = join(await tempFolder('trace'), 'deep', 'out');
    const trace = openTrace(folder, '/', about);
    expect(await readdir(folder)).toEqual([]);
    trace.listen(event);
    const error = { code: 'LEASE_HELD', summary: 'Held', detail: 'Somebody holds it.', fix: 'Wait.' } as const;
    expect(trace.write([error])).toBeNull();
    expect((await readdir(folder)).toSorted()).toEqual([
      'events.jsonl',
      'machines.mmd',
      'machines.ts',
      'otlp.json',
      'trace.html',
      'trace.json',
    ]);
    expect(await readFile(join(folder, 'events.jsonl'), 'utf8')).toBe(`${JSON.stringify(event)}\n`);
    expect(await readFile(join(folder, 'trace.html'), 'utf8')).toContain('<title>plan preview · pilotfish</title>');
    expect(await readFile(join(folder, 'trace.html'), 'utf8')).toContain(JSON.stringify([error]));
    expect(await readFile(join(folder, 'machines.mmd'), 'utf8')).toContain('state "The line" as line {');
    trace.listen(event);
    expect(trace.write()).toBeNull();
    expect((await readFile(join(folder, 'events.jsonl'), 'utf8')).split('\n')).toHaveLength(2);
  });

  it('is refused before the run where it cannot be made', async () => {
    const file = join(await tempFolder('trace'), 'file');
    await writeFile(file, '');
    const open = () => openTrace('file/out', dirname(file), about);
    expect(open).toThrow(Failure);
    expect(open).toThrow('The trace folder file/out could not be made: part of the path is a file.');
  });

  it('that is gone at the end gives a message, and does not fail the run', async () => {
    const above = await tempFolder('trace');
    const folder = join(above, 'out');
    const trace = openTrace('out', above, about);
    // A folder takes the place of a file, so even the superuser cannot write the file.
    await mkdir(join(folder, 'trace.json'));
    expect(trace.write()).toBe('The trace could not be written to out: a folder of that name exists.');
  });
});
