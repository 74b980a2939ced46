import { z } from 'zod';
import { readReceipts } from '../engine/finish/receipts.ts';
import { documentShape } from '../engine/shapes.ts';
import { answer, failed } from './answer.ts';
import { failureAnswer } from './documents.ts';
import { given } from './input.ts';
import { scopeParams } from './params.ts';
import { receiptText } from './receipt-text.ts';
import type { Tools } from './tools.ts';
import { workplace } from './workplace.ts';

const receiptParams = z.strictObject(scopeParams);
const history = z.looseObject({ run: z.string(), at: z.string(), outcome: z.string() });
const receiptAnswer = z.union([
  z.looseObject({
    schema: z.literal(1),
    ok: z.literal(true),
    command: z.literal('receipt'),
    environment: z.string(),
    scope: z.string(),
    branch: z.string(),
    commit: z.string().nullable(),
    receipt: z.looseObject({ run: z.string(), status: z.string(), command: z.string() }).nullable(),
    stands: z.array(z.looseObject({ line: z.string(), adapter: z.string(), op: z.string(), key: z.string(), destroy: z.string() })),
    announced: z.array(z.string()),
    held: z.boolean(),
    history: z.array(history),
  }),
  z.looseObject({
    schema: z.literal(1),
    ok: z.literal(true),
    command: z.literal('receipt'),
    environment: z.string(),
    scopes: z.array(z.looseObject({ scope: z.string(), plan: z.string().nullable(), branch: z.string() })),
  }),
  failureAnswer,
]);

/** The tool that reads the ledger. */
export function addReceiptTool({ server, world, calls }: Tools): void {
  server.registerTool(
    'receipt',
    {
      title: 'Read what pilotfish recorded',
      description:
        'Reads the ledger of a scope: the receipt of the last run, what stands, and the runs before. Without a scope it lists the scopes of the environment that have a ledger. It asks no provider, so it does not see what was changed outside of pilotfish; `plan` does.',
      inputSchema: given(receiptParams, world.redactor),
      outputSchema: receiptAnswer,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
    async (input, ctx) => {
      if ('failure' in input) return failed('receipt', input.failure, world);
      const { plan = null, environment = 'preview', scope = null, pr = null } = input.params;
      try {
        const place = await workplace(input.params, { server, ctx, cwd: world.cwd });
        if (typeof place !== 'string') return place;
        const request = { cwd: place, env: world.env, plan, environment, scope, pr };
        const document = await calls.run(ctx.mcpReq.signal, () =>
          readReceipts(request, { onSecret: (secret) => world.redactor.add(secret) }),
        );
        const told = world.redactor.document(document, documentShape);
        return answer({ document: told, text: receiptText(told) });
      } catch (thrown) {
        return failed('receipt', thrown, world);
      }
    },
  );
}
