import { errorTable } from '../core/error-table.ts';
import { Failure } from '../core/errors.ts';
import { ledgerText } from '../report/ledger-text.ts';
import type { Output } from './output.ts';
import type { Flags, Invocation } from './parse.ts';
import { toRequest } from './request.ts';
import { watchSignals } from './signals.ts';
import type { CliWorld } from './world.ts';

type Words = Pick<Extract<Invocation, { kind: 'run' }>, 'argument' | 'more'>;

/** Runs `pilotfish ledger copy <from> <to>`. */
export async function runLedger({ argument, more }: Words, flags: Flags, world: CliWorld, output: Output): Promise<number> {
  if (argument !== 'copy') {
    throw new Failure('USAGE', {
      detail: 'pilotfish ledger knows one action, `copy`.',
      fix: 'Write `pilotfish ledger copy <from> <to>`.',
    });
  }
  const { moveLedger } = await import('../engine/move-ledger.ts');
  const { signals: source, exit: exitNow } = world;
  const interruption = watchSignals({ source, say: output.say, meaning: 'the move ends, and the next one goes on from there', exitNow });
  const [from = '', to = ''] = more;
  const { cwd, env, leaseTimeoutMs } = toRequest(flags, world);
  try {
    const document = await moveLedger(
      { cwd, env, from, to, leaseTimeoutMs, isDryRun: flags.has('dry-run') },
      {
        ...world.network,
        signal: interruption.signal,
        onSecret: (text) => {
          output.redactor.addIfLong(text);
          world.onSecret?.(text);
        },
        tell: (branch, end) => output.say(`${branch}: ${end}`),
      },
    );
    output.report(document, ledgerText);
    return document.error ? errorTable[document.error.code].exit : 0;
  } catch (thrown) {
    const interrupted = interruption.exitCode();
    if (interrupted === null) throw thrown;
    return output.fail('ledger', interruption.signal.reason, interrupted);
  } finally {
    interruption.stop();
  }
}
