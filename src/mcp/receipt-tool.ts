import { z } from 'zod';
import { readReceipts } from '../engine/finish/receipts.ts';
import type { ReceiptDoc, ScopesDoc } from '../engine/receipt-document.ts';
import { documentShape } from '../engine/shapes.ts';
import { goesText } from '../report/lifetime-words.ts';
import { columns, counted, oneLine } from '../report/text.ts';
import { answer, failed } from './answer.ts';
import { failureAnswer } from './documents.ts';
import { given } from './input.ts';
import { scopeParams } from './params.ts';
import { workplace } from './place.ts';
import type { Tools } from './tools.ts';

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
    lifetime: z.looseObject({ goesAt: z.string(), label: z.string().optional() }).optional(),
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

/** Adds the tool that reads the ledger. */
export function addReceiptTool({ server, world, calls }: Tools): void {
  server.registerTool(
    'receipt',
    {
      title: 'Read what pilotfish recorded',
      description:
        'Reads the ledger of a scope: the receipt of the last run, the objects that stand, and the earlier runs. Without a scope it lists the scopes of the environment that have a ledger. It asks no provider, so it does not see changes outside pilotfish; `plan` does.',
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

/** Writes the document in a few lines, for a person who reads along. */
function receiptText(document: ReceiptDoc | ScopesDoc): string {
  if ('scopes' in document) {
    const { scopes, environment } = document;
    if (scopes.length === 0) return `No scope of ${oneLine(environment)} has a ledger.`;
    const names = scopes.map(({ scope, plan }) => `  ${oneLine(scope)}${plan === null ? '' : ` (plan ${oneLine(plan)})`}`);
    return [`${counted(scopes.length, 'scope')} of ${oneLine(environment)}:`, ...names].join('\n');
  }
  const { receipt, stands, announced, held, lifetime } = document;
  const head = receipt
    ? `The last run of ${oneLine(document.scope)} was a${receipt.command === 'apply' ? 'n apply' : ' destroy'} at ${receipt.startedAt}: ${receipt.status}.`
    : `No run of ${oneLine(document.scope)} has ended yet.`;
  const rows = stands.map(({ line, adapter, op, recipe, destroy }) => [`  ${oneLine(line)}`, recipe ?? `${adapter}.${op}`, destroy]);
  return [
    head,
    stands.length === 0 ? 'Nothing stands.' : 'These objects stand; the last column says what a destroy does with each:',
    ...columns(rows),
    ...(announced.length > 0 ? [`Announced but not recorded: ${announced.map(oneLine).join(', ')}.`] : []),
    ...(lifetime ? [`It goes on ${goesText(lifetime, oneLine)}.`] : []),
    ...(held ? ['A run holds the lease of this scope, or ended without releasing it.'] : []),
  ].join('\n');
}
