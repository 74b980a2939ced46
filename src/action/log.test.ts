import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openLog } from './log.ts';

/** The commands that the runner obeys, and the lines that it shows. */
function heard(act: (log: ReturnType<typeof openLog>, out: PassThrough) => void) {
  const out = new PassThrough();
  act(openLog(out), out);
  const commands: string[] = [];
  const shown: string[] = [];
  let word: string | null = null;
  for (const line of String(out.read() ?? '').split('\n')) {
    const stop = /^::stop-commands::(.+)$/.exec(line);
    if (word !== null) {
      if (line === `::${word}::`) word = null;
      else shown.push(line);
    } else if (stop) word = stop[1] ?? null;
    else if (/^\s*::/.test(line)) commands.push(line);
    else shown.push(line);
  }
  return { commands, shown: shown.join('\n') };
}

describe('the log of a job', () => {
  it('shows text, and the runner obeys none of it', () => {
    const { commands, shown } = heard(({ screen }) => {
      screen.write('::set-output name=a::b\nhello\n');
      screen.write('##[set-env name=A]b\n');
    });
    expect(commands).toEqual([]);
    expect(shown).toContain('::set-output name=a::b\nhello\n##[set-env name=A]b');
  });

  it('gives commands to the runner in between', () => {
    const { commands, shown } = heard(({ screen, command }, out) => {
      screen.write('::warning::a');
      command(() => void out.write('::add-mask::secret\n'));
      screen.write('::warning::b\n');
      command(() => void out.write('::notice::done\n'));
    });
    expect(commands).toEqual(['::add-mask::secret', '::notice::done']);
    expect(shown).toBe('::warning::a\n::warning::b\n');
  });

  it('never begins a command in the middle of a line', () => {
    const { commands, shown } = heard(({ screen, command }, out) => {
      command(() => void out.write('::debug::begin\n'));
      screen.write('waiting');
      command(() => void out.write('::notice::one\n'));
      screen.write('still waiting\n');
    });
    expect(commands).toEqual(['::debug::begin', '::notice::one']);
    expect(shown).toContain('waiting\nstill waiting');
  });
});
