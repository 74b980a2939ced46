import {
  acceptedContent,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { canonicalJson } from '../core/canonical.ts';
import { wordsOf } from '../core/error-table.ts';
import type { ErrorData } from '../core/errors.ts';
import type { FailureDoc } from '../engine/document.ts';
import type { WantedCommands } from '../engine/types.ts';
import { errorsText } from '../report/errors-text.ts';
import { plainStyles } from '../report/styles.ts';
import { answer } from './answer.ts';
import { commandsForm, saysYes } from './approval-form.ts';
import type { Asked } from './approvals.ts';
import type { Reported, Run } from './command.ts';
import { clientOf } from './place.ts';
import type { Tools } from './tools.ts';

/** A call of a tool that runs a plan. */
export interface RunCall {
  readonly tools: Tools;
  readonly ctx: ServerContext;
  readonly directory: string;
  readonly run: Run;
  readonly argv: readonly string[];
}

/** The tool and all of its params. An approval is only for these. */
export const callText = ({ argv, directory }: RunCall): string => canonicalJson([argv, directory]);

/** Runs a call that only reads. If the plan names commands, the client asks a person about them first. */
export async function runReading(call: RunCall): Promise<CallToolResult | InputRequiredResult> {
  const approved = approvedCommands(call, takeQuestion(call));
  if (approved === 'declined') return declined(call);
  const { argv, directory } = call;
  const done = await call.run({ argv, directory, approved });
  return done.wanted ? askForCommands(call, done) : answer(done);
}

/** Closes the question that this call answers and returns it; `null` for a call that answers none. */
export const takeQuestion = (call: RunCall): Asked | null => call.tools.approvals.take(call.ctx.mcpReq.requestState(), callText(call));

/**
 * The commands that a person has just approved, or approved before another question of the same call; `null` if nobody was asked about any.
 */
export function approvedCommands({ ctx }: RunCall, asked: Asked | null): WantedCommands | null | 'declined' {
  if (asked === null) return null;
  if (asked.digest !== null) return asked.commands;
  return saysYes(acceptedContent(ctx.mcpReq.inputResponses, 'commands')) ? asked.commands : 'declined';
}

/** Lets the client ask a person about the unapproved commands of a refused run. If the client cannot ask, the refusal is the answer. */
export function askForCommands(call: RunCall, { wanted, ...refused }: Reported): CallToolResult | InputRequiredResult {
  const { tools, ctx, argv, directory } = call;
  if (wanted === undefined || !clientOf(tools.server, ctx).asksPeople) return answer(refused);
  const requestState = tools.approvals.ask({ call: callText(call), directory, digest: null, commands: wanted });
  return inputRequired({ inputRequests: { commands: commandsForm(wanted, { tool: argv[0] ?? '', directory }) }, requestState });
}

/** A person said no to the commands. */
export const declined = ({ argv }: RunCall): CallToolResult =>
  answer(
    failureOf(argv[0] ?? '', {
      code: 'COMMAND_NOT_APPROVED',
      summary: wordsOf('COMMAND_NOT_APPROVED').summary,
      detail:
        'The client asked a person about the commands that this run would start, and the person did not approve them. Nothing was started.',
      fix: wordsOf('COMMAND_NOT_APPROVED').fix,
    }),
  );

export function failureOf(command: string, error: ErrorData): Reported {
  const document: FailureDoc = { schema: 1, ok: false, command, error };
  return { document, text: errorsText([error], plainStyles) };
}
