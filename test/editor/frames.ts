/** A message of JSON-RPC 2.0, from either side. */
export interface Message {
  readonly id?: number | string | undefined;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** A message as it goes over the wire: its length in bytes, an empty line, its JSON. */
export function frame(message: Message): string {
  const json = JSON.stringify({ jsonrpc: '2.0', ...message });
  return `Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
}

/** Takes pieces of a stream and gives every whole message in them to `take`. */
export function frames(take: (message: Message) => void): (piece: Buffer) => void {
  let held: Buffer = Buffer.alloc(0);
  return (piece) => {
    held = Buffer.concat([held, piece]);
    for (;;) {
      const end = held.indexOf('\r\n\r\n');
      if (end === -1) return;
      const length = Number(/content-length: (\d+)/i.exec(held.subarray(0, end).toString('latin1'))?.[1]);
      const from = end + 4;
      if (!(held.length >= from + length)) return;
      const message: Message = JSON.parse(held.subarray(from, from + length).toString('utf8'));
      held = held.subarray(from + length);
      take(message);
    }
  };
}
