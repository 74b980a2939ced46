import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { portOf } from './oidc.ts';

/**
 * What happens to the next commit that passes. `before`: it never arrives. `during`: the client's connection ends as it is passed on. `late`: the
 * client's connection ends, and the commit arrives a moment later. `after`: the server's answer is lost. `silence`: nothing passes from then on.
 */
export type Fate = 'before' | 'during' | 'late' | 'after' | 'silence';

/** Stands before a database, and reads along where there is no TLS. */
export async function startCommitProxy(port: number, { refusesTls = false } = {}) {
  let next: { readonly fate: Fate; readonly afterwards: () => Promise<void>; readonly passed: () => void } | null = null;

  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('close', () => (isHeld ? undefined : upstream.destroy()));
    upstream.on('close', () => client.destroy());
    let isHeld = false;
    let isSilent = false;
    let lost: (() => Promise<void>) | null = null;
    client.on('data', (data) => {
      // What a client sends first where it wants TLS, and what a server without it says.
      if (refusesTls && data.length === 8) return void client.write('N');
      const isCommit = data.toString('latin1').endsWith('commit\0');
      const fate = isCommit ? next : null;
      if (fate) next = null;
      fate?.passed();
      switch (fate?.fate) {
        case 'before':
          return void client.destroy();
        case 'silence':
          isSilent = true;
          return;
        case 'during':
          return void upstream.write(data, () => client.destroy());
        case 'late':
          isHeld = true;
          client.destroy();
          return void delay(1_500).then(() => upstream.end(data));
        case 'after':
          lost = fate?.afterwards ?? null;
      }
      if (!isSilent) upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (isSilent || isHeld) return;
      if (lost === null) return void client.write(data);
      const afterwards = lost;
      lost = null;
      isHeld = true;
      void afterwards().finally(() => {
        client.destroy();
        upstream.destroy();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: portOf(server),
    /** Resolves when that commit comes by. */
    onNextCommit: (fate: Fate, afterwards: () => Promise<void> = async () => undefined): Promise<void> =>
      new Promise((passed) => {
        next = { fate, afterwards, passed };
      }),
    stop: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type CommitProxy = Awaited<ReturnType<typeof startCommitProxy>>;
