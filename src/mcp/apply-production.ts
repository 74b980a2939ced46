import { acceptedContent, type CallToolResult, type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server';
import { wordsOf } from '../core/error-table.ts';
import { isMap } from '../core/json.ts';
import type { PlanDoc } from '../engine/document.ts';
import { answer } from './answer.ts';
import { approvalForm, approverIn } from './approval-form.ts';
import { approvedCommands, askForCommands, callText, declined, failureOf, type RunCall, takeQuestion } from './approved-run.ts';
import { commandFor, type Reported } from './command.ts';
import { holdsSecret } from './input.ts';
import { clientOf } from './place.ts';

export interface ApplyCall extends RunCall {
  /** The command line of the plan that a person sees. */
  readonly planArgv: readonly string[];
  readonly isDestroy: boolean;
}

/**
 * Applies. If the apply needs an approval, the client asks a person for it. The approver is never a param, because an agent could invent
 * one. The call then applies exactly the plan that the person saw, or nothing.
 */
export async function applyProduction(call: ApplyCall): Promise<CallToolResult | InputRequiredResult> {
  const { tools, ctx, run, argv, directory } = call;
  const { world, approvals, server } = tools;
  const asked = takeQuestion(call);
  const approved = approvedCommands(call, asked);
  if (approved === 'declined') return declined(call);
  if (asked !== null && asked.digest !== null) {
    const who = approverIn(acceptedContent(ctx.mcpReq.inputResponses, 'approval'));
    if (who === null || holdsSecret(who, world.redactor))
      return refused(call, 'The client asked a person, who did not approve it with a name and a yes.');
    const words = argv.filter((word) => !word.startsWith('--expect='));
    const done = await run({ argv: [...words, `--approved-by=${who}`, `--expect=${asked.digest}`], directory, approved });
    return done.wanted ? askForCommands(call, done) : answer(done);
  }
  const first = await run({ argv, directory, approved });
  if (first.wanted) return askForCommands(call, first);
  if (!lacksApproval(first.document)) return answer(first);
  if (!clientOf(server, ctx).asksPeople) {
    return refused(call, 'This client cannot ask a person (it has no form elicitation), and an agent cannot approve for one.');
  }
  const look = await run({ argv: call.planArgv, directory, approved });
  if (look.wanted) return askForCommands(call, asApply(look));
  if (!isPlan(look.document)) return answer(asApply(look));
  if (look.document.error) return answer(failureOf('apply', look.document.error));
  const form = approvalForm(look.document, {
    isDestroy: call.isDestroy,
    command: commandFor(argv, directory, world.env),
  });
  const requestState = approvals.ask({ call: callText(call), directory, digest: look.document.digest, commands: approved });
  return inputRequired({ inputRequests: { approval: form }, requestState });
}

/** Tells whether the missing approval is the only error. Nobody is asked about a plan that could not be applied anyway. */
function lacksApproval(document: object): boolean {
  if (!('error' in document) || 'status' in document) return false;
  const { error } = document;
  const errors: readonly unknown[] = 'errors' in document && Array.isArray(document.errors) ? document.errors : [error];
  return errors.every((one) => isMap(one) && one.code === 'ENV_NOT_APPROVED');
}

function isPlan(document: object): document is PlanDoc {
  return 'digest' in document;
}

/** Reports a plan that never began as the apply that needed it. */
const asApply = (look: Reported): Reported => ({ ...look, document: { ...look.document, ...{ command: 'apply' } } });

function refused(call: ApplyCall, why: string): CallToolResult {
  const { directory, isDestroy } = call;
  return answer(
    failureOf('apply', {
      code: 'ENV_NOT_APPROVED',
      summary: wordsOf('ENV_NOT_APPROVED').summary,
      detail: `This writes production, and nobody has approved it. ${why} Nothing was written.`,
      fix: `Ask a person to run this ${isDestroy ? 'destroy' : 'apply'} at the command line in ${directory}, and to approve it there by name.`,
    }),
  );
}
