import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { fullContext } from '../../test/support/read-plan.ts';

it('brings the full parser only for a text that is not plain', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-plain-'));
  let brought = 0;
  vi.resetModules();
  vi.doMock('./any-yaml.ts', async (original) => {
    brought += 1;
    return await original();
  });
  try {
    const { readPlan: readFresh } = await import('./load.ts');
    const read = async (text: string): Promise<readonly string[]> => {
      await writeFile(join(folder, 'p.yaml'), text);
      const { plan } = await readFresh({ path: join(folder, 'p.yaml'), display: 'p.yaml', context: fullContext });
      return plan.lines.map((line) => `${line.id} ${JSON.stringify(line.params)}`);
    };
    const line = (note: string): string => `version: 1\nchanges:\n  - { id: a, adapter: n, op: o, note: ${note} }\n`;
    expect(await read(line('hello'))).toEqual(['a {"note":"hello"}']);
    expect(brought).toBe(0);
    expect(await read(line('&x [hello]'))).toEqual(['a {"note":["hello"]}']);
    expect(brought).toBe(1);
  } finally {
    vi.doUnmock('./any-yaml.ts');
    await rm(folder, { recursive: true, force: true });
  }
});
