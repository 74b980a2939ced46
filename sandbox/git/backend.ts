import { spawn } from 'node:child_process';
import type { IncomingMessage } from 'node:http';

export interface BackendAnswer {
  readonly status: number;
  readonly headers: { [name: string]: string };
  readonly body: Buffer;
}

/** One request through `git http-backend`, which speaks CGI. `env` has GIT_PROJECT_ROOT; `url`: path and query below it. */
export function gitBackend(
  request: IncomingMessage,
  body: Buffer,
  env: NodeJS.ProcessEnv,
  url: string = request.url ?? '',
): Promise<BackendAnswer> {
  const [pathInfo = '', query = ''] = url.split('?');
  const header = (name: string): string => [request.headers[name] ?? ''].flat().join(', ');
  const child = spawn('git', ['http-backend'], {
    env: {
      ...env,
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(pathInfo),
      QUERY_STRING: query,
      CONTENT_TYPE: header('content-type'),
      CONTENT_LENGTH: String(body.length),
      HTTP_CONTENT_ENCODING: header('content-encoding'),
      GIT_PROTOCOL: header('git-protocol'),
      REMOTE_USER: 'sandbox',
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(body);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.on('error', reject);
    child.on('close', () => resolve(parseCgi(Buffer.concat(parts))));
  });
}

function parseCgi(output: Buffer): BackendAnswer {
  const end = output.indexOf('\r\n\r\n');
  const lines = output.subarray(0, Math.max(end, 0)).toString('utf8').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.slice(line.indexOf(':') + 1).trim()]),
  );
  const { status = '200', ...rest } = headers;
  return { status: Number.parseInt(status, 10), headers: rest, body: output.subarray(end + 4) };
}

export async function wholeBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}
