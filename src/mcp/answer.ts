import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Reported, reportFailure } from './command.ts';
import type { ServerWorld } from './tools.ts';

/**
 * The answer to a call: the document for programs, and the beginning of the report for a person who reads along. The maker of a document
 * has already masked the words of others by its shape, and the text comes from the masked document.
 */
export function answer({ document, text }: Reported): CallToolResult {
  return {
    content: [{ type: 'text', text: shortened(text) }],
    structuredContent: { ...document },
    ...(!document.ok && { isError: true }),
  };
}

/** The answer for a thrown error. */
export const failed = (command: string, thrown: unknown, world: Pick<ServerWorld, 'redactor'>): CallToolResult =>
  answer(reportFailure(command, thrown, world));

const longest = 10_000;

function shortened(text: string): string {
  if (text.length <= longest) return text.trimEnd();
  const end = text.lastIndexOf('\n', longest);
  const shown = text.slice(0, end > 0 ? end : longest).toWellFormed();
  return `${shown}\n… ${text.length - shown.length} more characters; everything is in the structured content.`;
}

/** The document of a tool without a command. It has the same form as the documents of commands. */
export const documentOf = <Rest extends object>(command: string, rest: Rest): { readonly ok: true } & Rest => {
  const head = { schema: 1, ok: true, command } as const;
  return { ...head, ...rest };
};
