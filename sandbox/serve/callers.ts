import type { IncomingMessage } from 'node:http';

/**
 * Why a request comes from a page of somebody else; `null` where it does not. A browser on this machine reaches loopback ports for every
 * site it shows. A site whose name leads to 127.0.0.1 is told by its Host, and any other by the headers that browsers add.
 */
export function refusalOf({ headers, socket }: IncomingMessage): string | null {
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${socket.localPort}`);
  if (!own.includes(headers.host ?? '')) return 'The sandbox answers only at its loopback address.';
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${headers.host}`) return 'The sandbox answers no page of another origin.';
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'The sandbox answers no page of another site.';
  return null;
}
