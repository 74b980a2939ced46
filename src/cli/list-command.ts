import { errorTable } from '../core/error-table.ts';
import type { Redactor } from '../core/redact.ts';
import type { ListDoc } from '../engine/stands-document.ts';
import type { RunWorld } from '../engine/types.ts';
import { textFailure } from '../plan/given-text.ts';
import { listText } from '../report/list-text.ts';
import { showText } from '../report/show-text.ts';
import { windowOf } from '../report/window.ts';
import type { Output } from './output.ts';
import type { Flags } from './parse.ts';
import { toRequest } from './request.ts';
import { watchSignals } from './signals.ts';
import type { CliWorld } from './world.ts';

/** Runs `pilotfish list`. */
export function runList(flags: Flags, world: CliWorld, output: Output): Promise<number> {
  const html = fileOf(flags);
  return looking('list', { world, output }, async (runWorld) => {
    const { listScopes } = await import('../engine/stands/list.ts');
    const document = await listScopes(toRequest(flags, world), runWorld);
    if (html !== null) await writePage(html, document, world, output.redactor);
    output.report(document, (told, styles) => listText(told, styles, windowOf(world.stdout)));
    return document.error ? errorTable[document.error.code].exit : 0;
  });
}

/** Runs `pilotfish show`. */
export async function runShow(scope: string, flags: Flags, world: CliWorld, output: Output): Promise<number> {
  const mistake = textFailure('scope', scope);
  if (mistake) throw mistake;
  return await looking('show', { world, output }, async (runWorld) => {
    const { showScope } = await import('../engine/stands/show.ts');
    const document = await showScope({ ...toRequest(flags, world), scope }, runWorld);
    output.report(document, (told, styles) => showText(told, styles, windowOf(world.stdout)));
    return 0;
  });
}

/** Both commands look at the ledger and the code host. A signal ends them, and what they brought into a temporary folder goes first. */
async function looking(
  command: 'list' | 'show',
  { world, output }: { readonly world: CliWorld; readonly output: Output },
  look: (runWorld: RunWorld) => Promise<number>,
): Promise<number> {
  const { signals: source, exit: exitNow } = world;
  const interruption = watchSignals({ source, say: output.say, meaning: `${command} ends`, exitNow });
  const store = await world.openLedger?.();
  const onSecret = (text: string): void => {
    output.redactor.addIfLong(text);
    world.onSecret?.(text);
  };
  try {
    return await look({ ...world.network, ...(store && { store }), signal: interruption.signal, onSecret });
  } catch (thrown) {
    const interrupted = interruption.exitCode();
    if (interrupted === null) throw thrown;
    return output.fail(command, interruption.signal.reason, interrupted);
  } finally {
    interruption.stop();
    await store?.close();
  }
}

function fileOf(flags: Flags): string | null {
  const file = flags.get('html');
  if (typeof file !== 'string') return null;
  const mistake = textFailure('html', file);
  if (mistake) throw mistake;
  return file;
}

async function writePage(file: string, document: ListDoc, world: CliWorld, redactor: Redactor): Promise<void> {
  const [{ listPage }, { groundOf, replaceFile }, path, { documentShape }] = await Promise.all([
    import('../report/list-page.ts'),
    import('../platform/safe-files.ts'),
    import('node:path'),
    import('../engine/shapes.ts'),
  ]);
  const page = listPage(redactor.document(document, documentShape));
  replaceFile(path.resolve(world.cwd, file), page, groundOf(world.cwd));
}
