import { commandLine } from '../../src/core/door.ts';
import { errorKinds } from '../../src/core/error-kinds.ts';
import { type ErrorCode, errorTable, wordsOf } from '../../src/core/error-table.ts';
import { generatedNote, markdownTable, page } from './markdown.ts';

/** `docs/errors.md`: every error code, from the table that the program reports with. */
export function errorsPage(): string {
  const rows = (Object.keys(errorTable) as ErrorCode[]).map((code) => {
    const { summary, when, fix, exit } = wordsOf(code, commandLine);
    return [`\`${code}\``, summary, when, fix, String(exit)];
  });
  return page(
    '# Errors',
    generatedNote('src/core/error-table.ts'),
    'An error has a code, a constant summary, a detail that says what happened and to which object, and a fix: one thing to do. A mistake of the plan also has its place as `file:line:column`. With `--json` the error stands under `error`. If there were several before the first request, all of them stand under `errors`.',
    anchored(markdownTable(['Code', 'Summary', 'When', 'What to do', 'Exit code'], rows)),
    '## Kinds',
    'Some cases of a code have a title of their own in place of the summary. With `--json` the error then has `kind`.',
    markdownTable(
      ['Kind', 'Title', 'When', 'Codes'],
      Object.entries(errorKinds).map(([kind, { summary, when, codes }]) => [
        `\`${kind}\``,
        summary,
        when,
        codes.map((code) => `[\`${code}\`](#${code.toLowerCase()})`).join(', '),
      ]),
    ),
    '## Exit codes',
    'The command exits with this code when the error ends it. A run that began exits with 1 if a line failed, with 3 if its lease was held or lost, and with 130 or 143 if a signal interrupted it.',
  );
}

/** Adds an anchor to each row, because the comment on a pull request links to the row of its error: `#plan_todo`. */
const anchored = (table: string): string =>
  table.replace(/^\| `([A-Z_]+)`/gm, (_, code: string) => `| <a id="${code.toLowerCase()}"></a>\`${code}\``);
