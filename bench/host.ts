import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { BenchServer, Control, Reset } from './server.ts';

export interface Host extends BenchServer {
  reset(to: Reset): Promise<void>;
  ask<Name extends keyof Control>(name: Name): Promise<Control[Name]>;
}

/** The server in a process of its own, so that what it costs is not counted with those who ask it. */
export async function startHost(): Promise<Host> {
  const child = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const base = await new Promise<string>((resolve, reject) => {
    child.once('message', (told: { readonly base: string }) => resolve(told.base));
    child.once('exit', () => reject(new Error('the server of the measurements did not start')));
  });
  const ask = async <Name extends keyof Control>(name: Name, body?: unknown): Promise<Control[Name]> => {
    const answer = await fetch(`${base}/control/${name}`, { method: 'POST', body: JSON.stringify(body ?? null) });
    if (!answer.ok) throw new Error(`the server refused ${name}: ${await answer.text()}`);
    return (await answer.json()) as Control[Name];
  };
  return {
    base,
    ask,
    reset: async (to) => {
      await ask('reset', to);
    },
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.disconnect();
      await ended;
    },
  };
}
