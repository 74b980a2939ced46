import { createWriteStream, fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { WriteLine } from './transport.ts';

/** The way to the client. */
export interface Channel {
  readonly write: WriteLine;
  /** Resolves when everything has left this process, or can no longer. */
  written(): Promise<void>;
}

/** Opens the descriptor that leads to the client; `onGone` is called when nobody reads there any more. */
export function openChannel(fd: number, onGone: () => void): Channel {
  const stream = streamOf(fd);
  stream.on('error', onGone);
  const write: WriteLine = (line) => new Promise((resolve) => stream.write(line, () => resolve()));
  return { write, written: () => write('') };
}

/** A pipe that its reader is slow to empty must not hold a thread; a file has no such events. */
function streamOf(fd: number): Writable {
  const stats = fstatSync(fd);
  return stats.isFIFO() || stats.isSocket() ? new Socket({ fd, readable: false, writable: true }) : createWriteStream('', { fd });
}
