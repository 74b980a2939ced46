import {
  acceptedContent,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { canonicalJson } from '../core/canonical.ts';
import { errorTable } from '../core/error-table.ts';
import type { ErrorData } from '../core/errors.ts';
import { isMap } from '../core/json.ts';
import type { FailureDoc, PlanDoc } from '../engine/document.ts';
import { errorsText } from '../report/errors-text.ts';
import { plainStyles } from '../report/styles.ts';
import { answer } from './answer.ts';
import { approvalForm, approverIn } from './approval-form.ts';
import { commandFor, type Reported, type Run } from './command.ts';
import { holdsSecret } from './input.ts';
import { clientOf } from './place.ts';
import type { Tools } from './tools.ts';

export interface ApplyCall {
  readonly tools: Tools;
  readonly ctx: ServerContext;
  readonly directory: string;
  readonly run: Run;
  readonly argv: readonly string[];
  /** Of the plan that a person is shown. */
  readonly planArgv: readonly string[];
  readonly isDestroy: boolean;
}

/**
 * Applies, and where that needs an approval, has the client ask a person for it. Who approves is never a param: an agent could make
 * one up. What is then applied is what the person was shown, or nothing.
 */
export async function applyProduction(call: ApplyCall): Promise<CallToolResult | InputRequiredResult> {
  const { tools, ctx, run, argv, directory } = call;
  const { world, approvals, server } = tools;
  const name = ctx.mcpReq.requestState();
  const asked = approvals.take(name, callText(call));
  if (asked) {
    const who = approverIn(acceptedContent(ctx.mcpReq.inputResponses, 'approval'));
    if (who === null || holdsSecret(who, world.redactor))
      return refused(call, 'A person was asked and did not approve it with a name and a yes.');
    const words = argv.filter((word) => !word.startsWith('--expect='));
    return answer(await run({ argv: [...words, `--approved-by=${who}`, `--expect=${asked.digest}`], directory }));
  }
  const first = await run({ argv, directory });
  if (!lacksApproval(first.document)) return answer(first);
  if (!clientOf(server, ctx).asksPeople) {
    return refused(call, 'This client cannot ask a person (it has no form elicitation), and an agent cannot approve for one.');
  }
  const look = await run({ argv: call.planArgv, directory });
  if (!isPlan(look.document)) return answer(asApply(look));
  if (look.document.error) return answer(failureOf(look.document.error));
  const form = approvalForm(look.document, {
    isDestroy: call.isDestroy,
    command: commandFor(argv, directory, world.env),
  });
  const requestState = approvals.ask({ call: callText(call), directory, digest: look.document.digest });
  return inputRequired({ inputRequests: { approval: form }, requestState });
}

const callText = ({ argv, directory }: ApplyCall): string => canonicalJson([argv, directory]);

/** Whether that nobody approved is all that is wrong: nobody is asked about a plan that could not be applied anyway. */
function lacksApproval(document: object): boolean {
  if (!('error' in document) || 'status' in document) return false;
  const { error } = document;
  const errors: readonly unknown[] = 'errors' in document && Array.isArray(document.errors) ? document.errors : [error];
  return errors.every((one) => isMap(one) && one.code === 'ENV_NOT_APPROVED');
}

function isPlan(document: object): document is PlanDoc {
  return 'digest' in document;
}

/** A plan that never began, told as the apply that it was for. */
const asApply = ({ document, text }: Reported): Reported => ({ document: { ...document, ...{ command: 'apply' } }, text });

function refused(call: ApplyCall, why: string): CallToolResult {
  const { argv, directory, tools } = call;
  const command = commandFor(argv, directory, tools.world.env);
  return answer(
    failureOf({
      code: 'ENV_NOT_APPROVED',
      summary: errorTable.ENV_NOT_APPROVED.summary,
      detail: `This writes production, and nobody has approved it. ${why} Nothing was written.`,
      fix: `Ask a person to run \`${command} --approved-by <name>\` in ${directory}.`,
    }),
  );
}

function failureOf(error: ErrorData): Reported {
  const document: FailureDoc = { schema: 1, ok: false, command: 'apply', error };
  return { document, text: errorsText([error], plainStyles) };
}
