import { z } from 'zod';
import { documentShape } from '../engine/shapes.ts';
import { listScopes } from '../engine/stands/list.ts';
import { listText } from '../report/list-text.ts';
import { plainStyles } from '../report/styles.ts';
import { answer, failed } from './answer.ts';
import { failureAnswer } from './documents.ts';
import { given } from './input.ts';
import { scopeParams } from './params.ts';
import { workplace } from './place.ts';
import type { Tools } from './tools.ts';

const { directory, plan, environment } = scopeParams;
const listParams = z.strictObject({ directory, plan, environment });

const listAnswer = z.union([
  z.looseObject({
    schema: z.literal(1),
    ok: z.boolean(),
    command: z.literal('list'),
    environment: z.string(),
    ledger: z.string(),
    at: z.string(),
    notAsked: z.string().optional(),
    scopes: z.array(
      z.looseObject({
        scope: z.string().nullable(),
        plan: z.string().nullable(),
        branch: z.string(),
        pulls: z.looseObject({ numbers: z.array(z.int()), state: z.string() }),
        lineCount: z.int(),
        objectCount: z.int(),
        firstRun: z.string().nullable(),
        lastRun: z.looseObject({ run: z.string(), at: z.string(), outcome: z.string() }).nullable(),
        lease: z.looseObject({ holder: z.string(), run: z.string() }).nullable(),
        leftovers: z.looseObject({ unfinished: z.int(), superseded: z.int(), leaving: z.int(), left: z.int() }),
      }),
    ),
  }),
  failureAnswer,
]);

/** Adds the tool that lists the scopes. */
export function addListTool({ server, world, calls }: Tools): void {
  server.registerTool(
    'list',
    {
      title: 'List what stands',
      description:
        'Lists every scope of an environment, the oldest first: its pull request and whether that is open, lines, objects, age, last run, and what a run left unfinished. It reads the ledgers and the open pull requests, and asks no provider. `receipt` shows one scope.',
      inputSchema: given(listParams, world.redactor),
      outputSchema: listAnswer,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
    async (input, ctx) => {
      if ('failure' in input) return failed('list', input.failure, world);
      const { plan: file = null, environment: name = 'preview' } = input.params;
      try {
        const place = await workplace(input.params, { server, ctx, cwd: world.cwd });
        if (typeof place !== 'string') return place;
        const { signal } = ctx.mcpReq;
        const document = await calls.run(signal, () =>
          listScopes(
            { cwd: place, env: world.env, plan: file, environment: name },
            { signal, onSecret: (secret) => world.redactor.add(secret) },
          ),
        );
        const told = world.redactor.document(document, documentShape);
        return answer({ document: told, text: listText(told, plainStyles) });
      } catch (thrown) {
        return failed('list', thrown, world);
      }
    },
  );
}
