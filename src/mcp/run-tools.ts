import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { failed } from './answer.ts';
import { applyProduction } from './apply-production.ts';
import { runReading } from './approved-run.ts';
import { applyArgv, planArgv } from './argv.ts';
import { type Run, runCommandLine } from './command.ts';
import { applyAnswer, planAnswer } from './documents.ts';
import { type Given, given } from './input.ts';
import { applyParams, destroyParams, planParams } from './params.ts';
import { workplace } from './place.ts';
import { listenerOf } from './progress.ts';
import type { Tools } from './tools.ts';

type Answer = CallToolResult | InputRequiredResult;

/** Adds the tools that run a plan. They do the same as the command line, and answer with its documents. */
export function addRunTools(tools: Tools): void {
  const { server, world } = tools;
  server.registerTool(
    'plan',
    {
      title: 'Show what an apply would do',
      description:
        'Reads release.plan.yaml, the ledger and the live objects, and says for each line what `apply` would do. It only reads and changes nothing. A program that the plan names for a token or a secret starts only after a person approves it; the client asks that person. Call it before `apply`, read the verdicts, and pass its digest to `apply` as `expect`.',
      inputSchema: given(planParams, world.redactor),
      outputSchema: planAnswer,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
    (input, ctx) =>
      handle(tools, 'plan', input, ctx, (params, directory, run) => runReading({ tools, ctx, directory, run, argv: planArgv(params) })),
  );
  server.registerTool(
    'apply',
    {
      title: 'Make the services hold what the plan says',
      description:
        'Creates and updates the objects of the plan for one environment and scope, waits until they are ready, and records a receipt. A second apply of an unchanged plan writes nothing. With `prune` it also removes what has left the plan. A write to production needs the approval of a person. The client asks that person; no param can approve.',
      inputSchema: given(applyParams, world.redactor),
      outputSchema: applyAnswer,
      // An update replaces the old values, and a line that is made anew replaces its object.
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    },
    (input, ctx) =>
      handle(tools, 'apply', input, ctx, (params, directory, run) =>
        applyProduction({ tools, ctx, directory, run, argv: applyArgv(params), planArgv: planArgv(params), isDestroy: false }),
      ),
  );
  server.registerTool(
    'destroy',
    {
      title: 'Remove what pilotfish made in a scope',
      description:
        'Removes the objects that pilotfish made in one scope, and nothing else. It needs only the ledger; with `orphans` it needs the plan, and removes only what has left it. Call `plan` with `destroy: true` first. Destroy only a scope that you were asked to destroy. Production needs the approval of a person; the client asks that person.',
      inputSchema: given(destroyParams, world.redactor),
      outputSchema: applyAnswer,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    },
    (input, ctx) =>
      handle(tools, 'apply', input, ctx, (params, directory, run) =>
        applyProduction({
          tools,
          ctx,
          directory,
          run,
          argv: ['apply', '--destroy', ...applyArgv(params).slice(1)],
          planArgv: planArgv({ ...params, destroy: true }),
          isDestroy: true,
        }),
      ),
  );
}

/** Reads the params, finds the folder, runs the work, and always answers. */
async function handle<Params extends { directory?: string | undefined; plan?: string | undefined }>(
  { server, world, calls }: Tools,
  command: string,
  input: Given<Params>,
  ctx: ServerContext,
  act: (params: Params, directory: string, run: Run) => Promise<Answer>,
): Promise<Answer> {
  if ('failure' in input) return failed(command, input.failure, world);
  try {
    const place = await workplace(input.params, { server, ctx, cwd: world.cwd });
    if (typeof place !== 'string') return place;
    const listen = listenerOf(ctx, world);
    const run: Run = (call) => calls.run(ctx.mcpReq.signal, (signals) => runCommandLine({ ...call, signals, listen }, world));
    return await act(input.params, place, run);
  } catch (thrown) {
    return failed(command, thrown, world);
  }
}
