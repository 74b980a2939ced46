import type { TerminalAsk } from './ask.ts';
import type { CliWorld } from './world.ts';

/**
 * Gives the person at the terminal of this process, or `null` if nobody can be asked. `undone`: the work that Ctrl-C at a question ends, as
 * in `before the setup was done`. The library of the questions is loaded only where somebody is asked.
 */
export async function terminalOf(
  { stdin, stderr, interrupt }: CliWorld,
  { signal, undone }: { readonly signal: AbortSignal; readonly undone: string },
): Promise<TerminalAsk | null> {
  if (stdin?.isTTY !== true || stderr.isTTY !== true) return null;
  const { createAsk } = await import('./ask.ts');
  return createAsk({ input: stdin, output: stderr, signal, interrupt: interrupt ?? (() => undefined), undone });
}
