import type { ExplainDoc } from '../core/explain.ts';
import { indent } from './sections.ts';
import { plainStyles, type Styles } from './styles.ts';
import { columns } from './text.ts';
import { wrapped } from './width.ts';

const room = 96;

/** One code with its meaning and its fix; of several codes one line each. */
export function explainText({ errors }: ExplainDoc, styles: Styles = plainStyles): string {
  const [only, ...more] = errors;
  if (only && more.length === 0) {
    const { code, summary, when, fix, exit } = only;
    const lines = [
      `${styles.paint('strong', code)}  ${summary}`,
      ...indent(wrapped(when, room), 2),
      ...indent(wrapped(`What to do: ${fix}`, room), 2),
      ...indent([styles.paint('quiet', `The command ends with exit code ${exit}.`)], 2),
    ];
    return `${lines.join('\n')}\n`;
  }
  const rows = columns(errors.map(({ code, summary }) => [`  ${code}`, summary]));
  return `${['The error codes of pilotfish:', ...rows, '', '`pilotfish explain <code>` tells what a code means and what to do.'].join('\n')}\n`;
}
