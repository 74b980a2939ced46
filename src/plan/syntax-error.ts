import type { YAMLError } from 'yaml';
import { Failure, type Place } from '../core/errors.ts';

/** A syntax error of the YAML parser in our words. The text of the file is left out, because it may be a secret. */
export function syntaxFailure(error: YAMLError, place: Place, sourceLine: string): Failure {
  const known = error.message.startsWith('Missing closing') ? openQuote : sentences[error.code];
  const detail = known?.detail ?? `The file is not valid YAML here: ${withoutSource(error)}.`;
  const fix = contextInBraces(sourceLine) ?? known?.fix;
  return new Failure('PLAN_PARSE', { detail, place, ...(fix !== undefined && { fix }) });
}

const sentences: { readonly [code in YAMLError['code']]?: { readonly detail: string; readonly fix?: string } } = {
  MULTIPLE_DOCS: {
    detail: 'The file holds more than one YAML document, but pilotfish reads one document.',
    fix: 'Remove the second `---` and what follows it, or move it into a file of its own.',
  },
  TAB_AS_INDENT: { detail: 'The line is indented with a tab, which YAML does not allow.', fix: 'Indent with spaces.' },
  RESOURCE_EXHAUSTION: { detail: 'The values are nested too deeply to be read.', fix: 'Flatten the value at the place shown.' },
  BAD_ALIAS: {
    detail: 'An anchor (`&name`) or alias (`*name`) is not written as YAML wants it.',
    fix: 'Quote the value when the `*` or `&` belongs to it.',
  },
  TAG_RESOLVE_FAILED: {
    detail: 'The value has a YAML tag (`!name`) that means nothing here.',
    fix: 'Remove the tag, or quote the value when the `!` belongs to it.',
  },
  BAD_DQ_ESCAPE: {
    detail: 'The double-quoted text has a backslash sequence that YAML does not know.',
    fix: "Write the backslash twice, or use single quotes: '…'.",
  },
  BAD_SCALAR_START: { detail: 'The value begins with a character that YAML reserves.', fix: 'Put the value in quotes.' },
};

const openQuote = { detail: 'A quoted text is not closed before the file ends.', fix: 'Close the quote where the text ends.' };

/** The parser's own sentence up to the colon: what follows the colon can be text of the file. */
function withoutSource(error: YAMLError): string {
  const [head = error.message] = error.message.split(/:\s/, 1);
  return head.replace(/\.$/, '');
}

/** `{ name: ${ctx.scope} }` is the usual reason: inside braces YAML ends the value at the first brace. */
function contextInBraces(sourceLine: string): string | undefined {
  // The check goes step by step: one expression for all of it takes hours on a line of a thousand braces.
  const brace = sourceLine.search(/[{[]/);
  const colon = brace < 0 ? -1 : sourceLine.indexOf(':', brace);
  const isMeant = colon >= 0 && sourceLine.includes('${', colon);
  return isMeant ? 'Put quotes around a value with ${…} when it stands inside { } or [ ].' : undefined;
}
