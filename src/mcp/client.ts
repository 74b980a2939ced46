import { CLIENT_CAPABILITIES_META_KEY, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { isMap } from '../core/json.ts';

/** What the client of a call can do: newer ones say it with each request, older ones when they connect. */
export function clientOf(server: McpServer, { mcpReq }: ServerContext): { readonly asksPeople: boolean; readonly hasRoots: boolean } {
  const envelope: unknown = mcpReq.envelope;
  const said = isMap(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : server.server.getClientCapabilities();
  const able: { readonly [name: string]: unknown } = isMap(said) ? said : {};
  const { elicitation, roots } = able;
  // Without a word about its modes a client means forms.
  const asksPeople = isMap(elicitation) && ('form' in elicitation || !('url' in elicitation));
  return { asksPeople, hasRoots: isMap(roots) };
}
