import type { ExportsDoc } from '../engine/exports/exports-document.ts';
import { joinParts } from './sections.ts';
import type { Styles } from './styles.ts';
import { columns, counted, oneLine } from './text.ts';

/** Tells people which variables a command would get, and where each comes from. No value is shown. `hint`: what to do next. */
export function exportsText({ environment, scope, variables, warnings }: ExportsDoc, styles: Styles, hint: string): string {
  const head = styles.paint('strong', `${counted(variables.length, 'variable')} of ${oneLine(environment)}/${oneLine(scope)}`);
  const rows = columns(variables.map(({ name, from, sensitive }) => [name, oneLine(from), sensitive ? 'secret' : '']));
  return joinParts([
    [head],
    rows.map((row) => `  ${row}`),
    warnings.map((one) => styles.paint('warn', oneLine(one))),
    [styles.paint('quiet', hint)],
  ]);
}
