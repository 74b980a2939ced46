import { describe, expect, it } from 'vitest';
import { allFlags, cellOf, type Mode, modes } from '../../src/cli/modes.ts';
import { sampleOf, seen, witnesses, witnessOf } from './flag-witnesses.ts';

const cells = modes.flatMap((mode) => allFlags.map((flag) => ({ mode, flag, cell: cellOf(flag.name, mode) })));
/** Given already by the mode itself. */
const isOfMode = (flag: string, mode: Mode): boolean => mode.includes(`--${flag}`);

describe('a flag that has an effect in a mode', () => {
  const honoured = cells.filter(({ cell, flag, mode }) => cell.is === 'honoured' && !isOfMode(flag.name, mode));

  it('has a witness of it, and no witness is of a flag that nobody knows', () => {
    expect(
      honoured.filter(({ flag, mode }) => witnessOf(flag.name, mode) === null).map(({ flag, mode }) => `${mode} ${flag.name}`),
    ).toEqual([]);
    expect(Object.keys(witnesses).filter((name) => !allFlags.some((flag) => flag.name === name))).toEqual([]);
  });

  it.each(honoured.map(({ mode, flag }) => [mode, flag.name] as const))('%s --%s', async (mode, flag) => {
    const witness = witnessOf(flag, mode);
    if (!witness) throw new Error(`no witness for --${flag} in ${mode}`);
    const without = witness.see(await seen(mode, witness, []));
    const once = await seen(mode, witness, witness.add);
    expect(witness.see(once), `${once.stdout}${once.stderr}`).not.toEqual(without);
    expect(once.stderr).not.toContain('has no use');
  });
});

describe('a flag that has none is refused, with exit code 2, the flag, the mode and what to use instead', () => {
  const refused = cells.filter(({ cell }) => cell.is === 'refused');

  it.each(modes)('in %s', async (mode) => {
    for (const { flag } of refused.filter((one) => one.mode === mode)) {
      const typed = [`--${flag.name}`, ...(flag.kind === 'switch' ? [] : [sampleOf[flag.name] ?? 'x'])];
      const { code, stdout, stderr, records } = await seen(mode, { add: [], see: () => null, env: { CLOUDFLARE_API_TOKEN: '' } }, typed);
      // A program that asks for JSON reads its refusal there too.
      const [told, other] = flag.name === 'json' ? [stdout, stderr] : [stderr, stdout];
      expect([code, other, records.length > 0 || mode.startsWith('init')], `${flag.name}: ${stderr}`).toEqual([2, '', true]);
      expect(told).toContain('USAGE');
      expect(told).toContain(`--${flag.name}`);
      expect(told).toContain(`pilotfish ${mode.split(' ')[0]}`);
      expect(told).toMatch(/Fix: |"fix":/);
    }
  });
});
