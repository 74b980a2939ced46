import { errorTable } from '../../src/core/error-table.ts';
import { generatedNote, markdownTable, page } from './markdown.ts';

/** `docs/errors.md`: every error code, from the table that the program reports with. */
export function errorsPage(): string {
  const rows = Object.entries(errorTable).map(([code, entry]) => [`\`${code}\``, entry.summary, entry.when, entry.fix, String(entry.exit)]);
  return page(
    '# Errors',
    generatedNote('src/core/error-table.ts'),
    'An error has a code, a constant summary, a detail that names what happened to what, one thing to do, and, for a mistake of the plan, the place as `file:line:column`. With `--json` it stands under `error`; when several were found before the first request, all stand under `errors`.',
    anchored(markdownTable(['Code', 'Summary', 'When', 'What to do', 'Exit code'], rows)),
    'The exit code is that of the command when the error ends it. A run that began ends with 1 when a line failed, with 3 when its lease was held or lost, and with 130 or 143 when a signal interrupted it.',
  );
}

/** The comment on a pull request leads to the row of its error: `#plan_todo`. */
const anchored = (table: string): string =>
  table.replace(/^\| `([A-Z_]+)`/gm, (_, code: string) => `| <a id="${code.toLowerCase()}"></a>\`${code}\``);
