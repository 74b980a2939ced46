import { z } from 'zod';
import { commitIdPattern } from '../core/commit-id.ts';
import { Failure } from '../core/errors.ts';
import { once } from '../core/once.ts';
import type { Client } from '../http/client.ts';
import type { CommitTree } from '../platform/git-tree.ts';
import type { CodeHost } from './code-host.ts';

const treeShape = once(() =>
  z.object({ tree: z.array(z.object({ path: z.string(), type: z.string(), sha: z.string() })), truncated: z.boolean() }),
);
const blobShape = once(() => z.object({ content: z.string(), encoding: z.literal('base64') }));
const refShape = once(() =>
  z.object({ object: z.object({ type: z.literal('commit'), sha: z.string().regex(new RegExp(commitIdPattern)) }) }),
);

/** Opens a client for one question, and closes the client after it. */
export type WithClient = <T>(ask: (client: Client) => Promise<T>) => Promise<T>;

/** The commit's files as the code host has them, for a checkout that lacks the commit. Throws `Failure` where the host gives no answer. */
export async function hostTree(withClient: WithClient, host: CodeHost, commit: string, signal: AbortSignal): Promise<CommitTree> {
  const ask = async <T>(path: string, query: { readonly [name: string]: string }, shape: z.ZodType<T>): Promise<T> =>
    await withClient((client) => askHost(client, host, { path, query, shape, signal }));
  const { tree, truncated } = await ask(`/git/trees/${commit}`, { recursive: '1' }, treeShape());
  if (truncated) throw unusable(host, `does not list all files of the commit ${commit.slice(0, 12)}`);
  const blobs = new Map(tree.flatMap(({ path, type, sha }) => (type === 'blob' ? [[path, sha] as const] : [])));
  return {
    commit,
    paths: () => blobs.keys(),
    blobOf: (path) => blobs.get(path) ?? null,
    read: async (path) => {
      const id = blobs.get(path);
      return id === undefined ? null : Buffer.from((await ask(`/git/blobs/${id}`, {}, blobShape())).content, 'base64');
    },
  };
}

/** The commit at the head of a branch. */
export async function branchHead(client: Client, host: CodeHost, branch: string, signal: AbortSignal): Promise<string> {
  const path = `/git/ref/heads/${branch.split('/').map(encodeURIComponent).join('/')}`;
  return (await askHost(client, host, { path, query: {}, shape: refShape(), signal })).object.sha;
}

interface Question<T> {
  readonly path: string;
  readonly query: { readonly [name: string]: string };
  readonly shape: z.ZodType<T>;
  readonly signal: AbortSignal;
}

async function askHost<T>(client: Client, host: CodeHost, { path, query, shape, signal }: Question<T>): Promise<T> {
  const request = { method: 'GET', path: `/repos/${host.repository}${path}`, query } as const;
  const { body } = await client.api(host.block).send(request, { purpose: 'read', share: false, signal });
  const { data } = shape.safeParse(body);
  if (data === undefined) throw unusable(host, `gave an answer for ${path} that pilotfish cannot read`);
  return data;
}

const unusable = (host: CodeHost, what: string): Failure =>
  new Failure('PROVIDER_RESPONSE', {
    detail: `${new URL(host.block.base_url).host} ${what}.`,
    fix: 'Give the checkout the whole history (`fetch-depth: 0`), so that pilotfish need not ask the code host.',
  });
