import { z } from 'zod';
import { explain } from '../core/explain.ts';
import { answer, failed } from './answer.ts';
import { failureAnswer } from './documents.ts';
import { given } from './input.ts';
import type { Tools } from './tools.ts';

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
      try {
        const document = explain(input.params.code ?? null);
        const text = document.errors.map((one) => `${one.code}: ${one.summary}. ${one.when}\nWhat to do: ${one.fix}`).join('\n\n');
        return answer({ document, text });
      } catch (thrown) {
        return failed('explain', thrown, world);
      }
    },
  );
}
