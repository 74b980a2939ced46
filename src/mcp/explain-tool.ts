import { z } from 'zod';
import { type ErrorCode, errorTable, wordsOf } from '../core/error-table.ts';
import { Failure } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { answer, documentOf, failed } from './answer.ts';
import { failureAnswer } from './documents.ts';
import { given } from './input.ts';
import type { Tools } from './tools.ts';

const codes = Object.keys(errorTable) as readonly ErrorCode[];
const params = z.strictObject({
  code: z.string().min(1).max(100).optional().describe('A code such as PROVIDER_AUTH. Without it: all codes.'),
});
const explained = z.union([
  z.looseObject({
    schema: z.literal(1),
    ok: z.literal(true),
    command: z.literal('explain'),
    errors: z.array(
      z.looseObject({
        code: z.string(),
        summary: z.string(),
        when: z.string(),
        fix: z.string(),
        exit: z
          .int()
          .describe('Exit code of the command line: 1 a line failed or was refused, 2 refused before any request, 3 the scope is held.'),
      }),
    ),
  }),
  failureAnswer,
]);

/** Adds the tool that explains an error code. */
export function addExplainTool({ server, world }: Tools): void {
  server.registerTool(
    'explain',
    {
      title: 'Explain an error code',
      description: 'Says when an error code of pilotfish occurs and how to fix it. Every failure of the other tools has such a code.',
      inputSchema: given(params, world.redactor),
      outputSchema: explained,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    (input) => {
      if ('failure' in input) return failed('explain', input.failure, world);
      const { code } = input.params;
      const wanted = code?.trim().toUpperCase();
      const found = codes.filter((one) => wanted === undefined || one === wanted);
      if (found.length === 0) return failed('explain', unknown(wanted ?? ''), world);
      const errors = found.map((one) => ({ code: one, ...wordsOf(one) }));
      const text = errors.map((one) => `${one.code}: ${one.summary}. ${one.when}\nWhat to do: ${one.fix}`).join('\n\n');
      return answer({ document: documentOf('explain', { errors }), text });
    },
  );
}

const unknown = (code: string): Failure =>
  new Failure('USAGE', {
    detail: `pilotfish has no error code ${JSON.stringify(code)}.${didYouMean(code, codes)}`,
    fix: `Use one of ${codes.join(', ')}, or leave \`code\` out for all of them.`,
  });
