import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { Failure } from '../core/errors.ts';
import { isMap } from '../core/json.ts';

export interface PlaceAsked {
  readonly directory?: string | undefined;
  readonly plan?: string | undefined;
}

/** The folder of a call, or a question to the client for its roots if they decide. */
export async function workplace(
  asked: PlaceAsked,
  { server, ctx, cwd }: { readonly server: McpServer; readonly ctx: ServerContext; readonly cwd: string },
): Promise<string | InputRequiredResult> {
  const told = inputResponse(ctx.mcpReq.inputResponses, 'roots');
  const roots = told.kind === 'roots' ? rootPaths(told.roots) : clientOf(server, ctx).hasRoots ? null : [];
  const place = await placeOf(asked, { cwd, roots });
  return place === 'outside' ? inputRequired({ inputRequests: { roots: inputRequired.listRoots() } }) : place;
}

/** The abilities of a call's client. New clients send them with each request, old clients when they connect. */
export function clientOf(server: McpServer, { mcpReq }: ServerContext): { readonly asksPeople: boolean; readonly hasRoots: boolean } {
  const envelope: unknown = mcpReq.envelope;
  const said = isMap(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : server.server.getClientCapabilities();
  const able: { readonly [name: string]: unknown } = isMap(said) ? said : {};
  const { elicitation, roots } = able;
  // A client that names no mode of elicitation supports forms.
  const asksPeople = isMap(elicitation) && ('form' in elicitation || !('url' in elicitation));
  return { asksPeople, hasRoots: isMap(roots) };
}

/**
 * Finds the folder of a call. Plans name programs to run and variables to send, so an agent must not lead this server to any plan on the
 * machine. The folder must lie in the folder in which a person started the server, or in a root that the client names. Returns `outside` if
 * only the roots can allow the folder; `roots` is `null` while they are unknown.
 */
export async function placeOf(
  { directory, plan }: PlaceAsked,
  o: { readonly cwd: string; readonly roots: readonly string[] | null },
): Promise<string | 'outside'> {
  const folder = directory === undefined ? o.cwd : await mustBeFolder(directory);
  const allowed = await Promise.all([o.cwd, ...(o.roots ?? [])].map(truly));
  const wanted = [folder, ...(plan === undefined ? [] : [resolve(folder, plan)])];
  const outside = (await Promise.all(wanted.map(truly))).filter((path) => !allowed.some((root) => isWithin(path, root)));
  if (outside.length === 0) return folder;
  if (o.roots === null) return 'outside';
  throw new Failure('USAGE', {
    detail: `${outside.join(' and ')} lies outside the folder of this server (${o.cwd})${o.roots.length > 0 ? ` and of the roots of the client (${o.roots.join(', ')})` : ''}.`,
    fix: 'Name a folder inside it, or ask a person to start the server in that folder.',
  });
}

/** The paths of the roots that are folders of this machine. */
export function rootPaths(roots: readonly { readonly uri: string }[]): readonly string[] {
  return roots.flatMap(({ uri }) => {
    try {
      return [fileURLToPath(uri)];
    } catch {
      return [];
    }
  });
}

async function mustBeFolder(directory: string): Promise<string> {
  if (!isAbsolute(directory)) {
    throw new Failure('USAGE', {
      detail: '`directory` is not an absolute path.',
      fix: 'Give the absolute path, or leave `directory` out.',
    });
  }
  const found = await stat(directory).catch(() => null);
  if (found?.isDirectory() !== true) {
    throw new Failure('USAGE', {
      detail: '`directory` names no existing folder.',
      fix: 'Name an existing folder, or leave `directory` out.',
    });
  }
  return resolve(directory);
}

/** Resolves the links of an existing path. A missing path stays as it is, because its reader refuses it. */
const truly = (path: string): Promise<string> => realpath(path).catch(() => resolve(path));

function isWithin(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
