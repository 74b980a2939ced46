import { McpServer } from '@modelcontextprotocol/server';
import { version } from '../core/version.ts';
import type { Approvals } from './approvals.ts';
import type { Calls } from './calls.ts';
import { addCatalogueTool } from './catalogue-tool.ts';
import { addExplainTool } from './explain-tool.ts';
import { addListTool } from './list-tool.ts';
import { addReceiptTool } from './receipt-tool.ts';
import { addRunTools } from './run-tools.ts';
import type { ServerWorld } from './tools.ts';

/** The tool server of one connection. */
export function createServer(world: ServerWorld, calls: Calls, approvals: Approvals): McpServer {
  const server = new McpServer(
    { name: 'pilotfish', title: 'pilotfish', version },
    // Params are few and short. The longest list among them holds the lines of a plan.
    { instructions, capabilities: { tools: { listChanged: false } }, maxToolInputElements: 5_000, jsonSchemaValidator },
  );
  const tools = { server, world, calls, approvals };
  addRunTools(tools);
  addListTool(tools);
  addReceiptTool(tools);
  addExplainTool(tools);
  addCatalogueTool(tools);
  return server;
}

/** Each tool checks the answer to its own form (approval-form.ts). The library would check one only for a request that no tool sends. */
const jsonSchemaValidator = {
  getValidator: (): never => {
    throw new Error('the library checks no form');
  },
};

const instructions = `pilotfish keeps the state that ships beside a release: the database branches, variables, callback URLs, webhooks and flag rules of release.plan.yaml, for each preview environment.

Call \`plan\` first and read the verdict of every line. Then call \`apply\` with the same params and \`expect\` set to the plan's digest, so that it does only what you read. \`list\` shows the scopes that stand, \`receipt\` the recorded objects of one, \`explain\` explains an error code, and \`catalogue\` lists the operations of plans.

No tool takes a secret, and none asks for one: never pass a token, key or password, and do not ask a person to give you one. Credentials come from this server's environment, and plans name them by reference, as in { secret: env://NAME }. When one is missing, tell the person the name of the variable.

Stop and ask a person: when a credential is missing or refused, when production would be written or a command of the plan would be started (the client asks for the approval; you cannot give it), when an object is foreign, when something would be destroyed, replaced or made anew that you were not asked for, and when the plan has a TODO mark.`;
