import { z } from 'zod';
import { ask } from '../../ops/answer.ts';
import type { Io } from '../../ops/bound.ts';

export const indexesPath = '/1/indexes';
export const indexPath = (name: string): string => `${indexesPath}/${encodeURIComponent(name)}`;
/** A read of the settings tells whether an index exists. */
export const settingsPath = (name: string): string => `${indexPath(name)}/settings`;

/** The answer to a copy or a delete: a task was put into the queue. */
export const queuedSchema = z.object({ taskID: z.number() });

const taskSchema = z.object({ status: z.string() });
const listSchema = z.object({ items: z.array(z.object({ name: z.string(), pendingTask: z.boolean().optional() })) });

/** A read that is never shared, because its answer decides whether something is overwritten. */
const fresh = (io: Io) => ({ purpose: 'read', signal: io.signal, share: false }) as const;

export async function exists(io: Io, name: string): Promise<boolean> {
  const { status } = await io.http.send({ method: 'GET', path: settingsPath(name) }, { ...fresh(io), accept: [404, 410] });
  return status < 400;
}

/** Clients ask for the task of a copy below its destination (2026-11-21). The destination answers 404 until the task has begun. */
export async function isDone(io: Io, name: string, task: number): Promise<boolean> {
  const request = { method: 'GET', path: `${indexPath(name)}/task/${task}` } as const;
  const { status } = await ask(io.http, request, { ...fresh(io), accept: [404] }, z.union([taskSchema, notYet]));
  return status === 'published';
}

const notYet = z.unknown().transform(() => ({ status: 'notPublished' }));

/** For a copy whose task only another run knows: the list shows whether an index still has a pending task. */
export async function hasPendingTask(io: Io, name: string): Promise<boolean> {
  // Without a page the answer holds all of them.
  const { items } = await ask(io.http, { method: 'GET', path: indexesPath }, fresh(io), listSchema);
  return items.some((item) => item.name === name && item.pendingTask === true);
}
