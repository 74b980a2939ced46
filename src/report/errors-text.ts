import type { ErrorData } from '../core/errors.ts';
import type { Styles } from './styles.ts';
import { oneLine, safeText } from './text.ts';
import { waitingText } from './waiting.ts';

/** All errors, in the order given: code, summary and place in aligned columns, then detail and fix. */
export function errorsText(errors: readonly ErrorData[], styles: Styles): string {
  const widest = (pick: (error: ErrorData) => string): number => Math.max(0, ...errors.map((error) => pick(error).length));
  const code = widest((error) => error.code);
  const summary = widest((error) => error.summary);
  return `${errors.map((error) => errorLines(error, styles, { code, summary }).join('\n')).join('\n\n')}\n`;
}

/** One error as lines without indentation. `waiting`: the lines that wait for its correction. */
export function errorLines(error: ErrorData, styles: Styles, widths = { code: 0, summary: 0 }, waiting: readonly string[] = []): string[] {
  const place = error.place === undefined ? '' : oneLine(error.place);
  const summary = place === '' ? error.summary : error.summary.padEnd(widths.summary);
  const head = `${styles.paint('bad', error.code.padEnd(widths.code))}  ${styles.paint('strong', summary)}${place === '' ? '' : `  ${place}`}`;
  const waits = waitingText(waiting);
  const said = [...safeText(error.detail).split('\n'), ...(waits === '' ? [] : [waits]), `Fix: ${oneLine(error.fix)}`];
  return [head.trimEnd(), ...said.map((line) => `  ${line}`)];
}
