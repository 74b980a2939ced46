import { z } from 'zod';
import { Failure } from '../core/errors.ts';
import { once } from '../core/once.ts';
import type { Client } from '../http/client.ts';
import type { Answer, RequestSpec, SendOptions } from '../http/types.ts';
import type { CodeHost } from './code-host.ts';
import type { CommentApi, HostComment } from './comment-mark.ts';
import { mergeRequestPath } from './pull-request.ts';

const noteShape = once(() => z.object({ id: z.int(), body: z.string(), author: z.object({ id: z.int() }), system: z.boolean() }));
const userShape = once(() => z.object({ id: z.int() }));
type Note = z.infer<ReturnType<typeof noteShape>>;

const perPage = 100;
/** Pages of the longest conversation that is read. Nobody reads a longer one. */
const mostPages = 50;

/**
 * The notes of a merge request (https://docs.gitlab.com/api/notes/#merge-requests). Our notes are those of the token's account. A project's
 * token has a bot as its account. Notes that GitLab writes by itself belong to nobody.
 */
export function gitlabNotes(client: Client, host: CodeHost, iid: number): CommentApi {
  const path = `${mergeRequestPath(host, iid)}/notes`;
  const send = async (request: RequestSpec, how: SendOptions): Promise<Answer> => await client.api(host.block).send(request, how);
  let account: number | null = null;
  const me = async (signal: AbortSignal): Promise<number> => {
    if (account !== null) return account;
    const { body } = await send({ method: 'GET', path: '/user' }, { purpose: 'read', share: false, signal });
    account = read(userShape(), body, host, 'its own account').id;
    return account;
  };
  const comment = (note: Note, mine: number): HostComment => ({
    id: String(note.id),
    body: note.body,
    isOwn: note.author.id === mine && !note.system,
  });
  return {
    longest: 1_000_000,
    now: () => client.api(host.block).time?.() ?? null,
    async list(signal) {
      const mine = await me(signal);
      const found: HostComment[] = [];
      for (let page: string | undefined = '1', asked = 0; page && asked < mostPages; asked += 1) {
        const query = { per_page: String(perPage), page, sort: 'asc', order_by: 'created_at' };
        const { body, headers } = await send({ method: 'GET', path, query }, { purpose: 'read', share: false, signal });
        const notes = read(z.array(noteShape()), body, host, `the notes of the merge request ${iid}`);
        found.push(...notes.map((note) => comment(note, mine)));
        page = headers['x-next-page'];
      }
      return found;
    },
    async create(body, signal) {
      const mine = await me(signal);
      // A note whose answer was lost may exist: the next list shows it.
      const answer = await send({ method: 'POST', path, body: { body } }, { purpose: 'write', retry: 'none', signal });
      return comment(read(noteShape(), answer.body, host, 'the new note'), mine);
    },
    async update(id, body, signal) {
      await send({ method: 'PUT', path: `${path}/${id}`, body: { body } }, { purpose: 'write', signal });
    },
    async remove(id, signal) {
      await send({ method: 'DELETE', path: `${path}/${id}` }, { purpose: 'write', signal, accept: [404] });
    },
  };
}

function read<T>(shape: z.ZodType<T>, body: unknown, host: CodeHost, what: string): T {
  const { data } = shape.safeParse(body);
  if (data !== undefined) return data;
  const where = new URL(host.block.base_url).host;
  throw new Failure('PROVIDER_RESPONSE', { detail: `${where} gave an answer about ${what} that pilotfish cannot read.` });
}
