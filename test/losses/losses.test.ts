import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** The program in a process of its own: it takes time, chance and the machine out of the process that it runs in. */
function losses(...args: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const main = fileURLToPath(new URL('main.ts', import.meta.url));
    const child = spawn(process.execPath, [main, '--workers', '1', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

it('after twenty histories of pull requests nothing is left, missing, or touched that is not ours', async () => {
  const { code, output } = await losses('--seeds', '20');
  expect(output).toMatch(/^histories 20, runs \d+, .* leftovers 0, foreign touched 0, \d+ s$/m);
  expect(code).toBe(0);
});

it('each net that is taken out of the workflow is missed', async () => {
  const { code, output } = await losses('--planted', '--from', '20', '--seeds', '60');
  expect(output).toMatch(/^planted faults 3, found 3$/m);
  for (const fault of ['sweep', 'hour', 'target'])
    expect(output).toMatch(new RegExp(`^The history \\d+, without ${fault}, ends badly:$`, 'm'));
  expect(code).toBe(0);
});

it('a history does the same each time', async () => {
  const events = (output: string): readonly string[] => output.split('\n').filter((line) => /^\d\d:\d\d:\d\d /.test(line));
  const [one, other] = await Promise.all([losses('--seed', '4', '--log'), losses('--seed', '4', '--log')]);
  expect(events(one.output).length).toBeGreaterThan(5);
  expect(events(other.output)).toEqual(events(one.output));
});
