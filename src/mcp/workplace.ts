import { type InputRequiredResult, inputRequired, inputResponse, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { clientOf } from './client.ts';
import { type PlaceAsked, placeOf, rootPaths } from './place.ts';

/** The folder of a call, or the question to the client for its roots, without which that is not known. */
export async function workplace(
  asked: PlaceAsked,
  { server, ctx, cwd }: { readonly server: McpServer; readonly ctx: ServerContext; readonly cwd: string },
): Promise<string | InputRequiredResult> {
  const told = inputResponse(ctx.mcpReq.inputResponses, 'roots');
  const roots = told.kind === 'roots' ? rootPaths(told.roots) : clientOf(server, ctx).hasRoots ? null : [];
  const place = await placeOf(asked, { cwd, roots });
  return place === 'outside' ? inputRequired({ inputRequests: { roots: inputRequired.listRoots() } }) : place;
}
