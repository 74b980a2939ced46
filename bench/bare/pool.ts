import { readFile } from 'node:fs/promises';
import { Pool } from 'undici';
import type { Wanted } from '../wish.ts';

/** What a bare script is told: the server, what it shall do there, and what is wanted. */
export interface Task {
  readonly base: string;
  readonly token: string;
  readonly purpose: 'plan' | 'apply' | 'destroy';
  readonly wanted: Wanted;
}

export async function readTask(): Promise<Task> {
  const [, , purpose] = process.argv;
  return { ...JSON.parse(await readFile('task.json', 'utf8')), purpose };
}

/** Sixteen connections; undici keeps what waits for one. An answer that is not 2xx ends the script. */
export function connect({ base, token }: Task) {
  const pool = new Pool(base, { connections: 16 });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return {
    async send<Answer = unknown>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Answer> {
      const { statusCode, body: answer } = await pool.request({
        method,
        path,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (statusCode >= 300) throw new Error(`${method} ${path}: ${statusCode} ${text}`);
      return (text === '' ? undefined : JSON.parse(text)) as Answer;
    },
    close: () => pool.close(),
  };
}

/** Does one thing for each, after it was done for those that it needs. `before` names them. */
export async function inOrder<Item, Done>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  before: (item: Item) => readonly string[],
  act: (item: Item, done: readonly Done[]) => Promise<Done>,
): Promise<Map<string, Done>> {
  const running = new Map<string, Promise<Done>>();
  for (const item of items) {
    const needed = before(item).flatMap((name) => running.get(name) ?? []);
    running.set(nameOf(item), needed.length === 0 ? act(item, []) : Promise.all(needed).then((done) => act(item, done)));
  }
  const done = new Map<string, Done>();
  for (const [name, one] of running) done.set(name, await one);
  return done;
}

/** Name of an object → names of those that need it: who must be gone before it goes. */
export function neededBy(wishes: readonly { readonly name: string; readonly needs: readonly string[] }[]): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const { name, needs } of wishes) for (const need of needs) users.set(need, [...(users.get(need) ?? []), name]);
  return users;
}
