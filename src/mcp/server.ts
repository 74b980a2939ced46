import { McpServer } from '@modelcontextprotocol/server';
import { version } from '../core/version.ts';
import type { Approvals } from './approvals.ts';
import type { Calls } from './calls.ts';
import { addCatalogueTool } from './catalogue-tool.ts';
import { addExplainTool } from './explain-tool.ts';
import { addReceiptTool } from './receipt-tool.ts';
import { addRunTools } from './run-tools.ts';
import type { ServerWorld } from './tools.ts';

/** The tool server of one connection. */
export function createServer(world: ServerWorld, calls: Calls, approvals: Approvals): McpServer {
  const server = new McpServer(
    { name: 'pilotfish', title: 'pilotfish', version },
    // Params are a few names; lines of a plan are the longest list among them.
    { instructions, capabilities: { tools: { listChanged: false } }, maxToolInputElements: 5_000 },
  );
  const tools = { server, world, calls, approvals };
  addRunTools(tools);
  addReceiptTool(tools);
  addExplainTool(tools);
  addCatalogueTool(tools);
  return server;
}

const instructions = `pilotfish keeps the state that ships beside a release: what release.plan.yaml says of database branches, variables, callback URLs, webhooks and flag rules, for each preview environment.

Call \`plan\` first and read the verdict of every line. Then call \`apply\` with the same params and \`expect\` set to the plan's digest, so that nothing else than what you read is done. \`receipt\` tells what was recorded, \`explain\` what an error code means, \`catalogue\` what a plan may say.

No tool takes a secret, and none asks for one: never pass a token, key or password, and do not ask a person to give you one. Credentials come from this server's environment, and plans name them by reference, as in { secret: env://NAME }. When one is missing, tell the person which variable is needed.

Stop and ask a person: when a credential is missing or refused, when production would be written or a command of the plan would be started (the client asks for the approval; you cannot give it), when an object is foreign, when something would be destroyed, replaced or made anew that you were not asked for, and when the plan has a TODO mark.`;
