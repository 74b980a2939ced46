import { Socket } from 'node:net';

/** Every connection of this process is refused and named on stderr, as on a machine without a network. */
const name = (to: unknown): string => {
  const {
    host = 'localhost',
    port = '',
    path,
  } = (Array.isArray(to) ? to[0] : to) as { host?: string; port?: number | string; path?: string };
  return path ?? `${host}:${port}`;
};

Object.assign(Socket.prototype, {
  connect(this: Socket, ...args: readonly unknown[]): Socket {
    // Node hands over its own arguments as one list.
    const [first] = args;
    process.stderr.write(`offline: ${name(Array.isArray(first) ? first[0] : first)}\n`);
    const refused = Object.assign(new Error('there is no network'), { code: 'ENETUNREACH' });
    setImmediate(() => this.destroy(refused));
    return this;
  },
});
