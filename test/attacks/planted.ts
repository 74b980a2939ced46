import { execFile, spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { factText } from '../../src/ledger/model/file-text.ts';
import { paths } from '../../src/ledger/model/state.ts';

/** A file of a commit: its text, or so many bytes of zeros. */
export type PlantedFile = readonly [path: string, content: string | { readonly zeros: number } | { readonly random: number }];

/** Pushes a commit with these files as whoever may push can: without pilotfish. */
export async function plant(dir: string, branch: string, files: readonly PlantedFile[]): Promise<void> {
  // What does not shrink is packed as it is.
  const level = files.some(([, content]) => typeof content !== 'string' && 'random' in content) ? 0 : 1;
  const packing = ['-c', `core.compression=${level}`, '-c', 'core.fsync=none'];
  const child = spawn('git', ['--git-dir', dir, ...packing, 'fast-import', '--force', '--quiet'], { stdio: ['pipe', 'ignore', 'pipe'] });
  let words = '';
  child.stderr.on('data', (chunk) => {
    words += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const write = (text: string | Buffer): Promise<void> =>
    new Promise((resolve) => void (child.stdin.write(text) ? resolve() : child.stdin.once('drain', resolve)));
  const ref = branch.startsWith('refs/') ? branch : `refs/heads/${branch}`;
  await write(`commit ${ref}\ncommitter a <a@example.com> 1 +0000\ndata 1\nx\n`);
  for (const [path, content] of files) {
    const length = typeof content === 'string' ? Buffer.byteLength(content) : 'zeros' in content ? content.zeros : content.random;
    await write(`M 100644 inline ${path}\ndata ${length}\n`);
    if (typeof content === 'string') await write(content);
    else
      for await (const chunk of createReadStream('zeros' in content ? '/dev/zero' : '/dev/urandom', { end: length - 1 }))
        await write(chunk);
    await write('\n');
  }
  child.stdin.end();
  if ((await ended) !== 0) throw new Error(words);
}

/** A record that a ledger takes: `n` tells it from others. */
export function recordOf(n: number, change: { readonly identity?: string; readonly [member: string]: unknown } = {}) {
  const identity = change.identity ?? n.toString(16).padStart(64, '0');
  const record = {
    v: 1,
    identity,
    adapter: 'http',
    op: 'resource',
    recipe: null,
    key: `hook ${n}`,
    provider: { api: 'bakery', base_url: 'http://127.0.0.1:1234', auth: null },
    line: `hook-${n}`,
    template: 't',
    plan: null,
    recordId: `DELETE /hooks/${n}`,
    objectId: String(n),
    reach: { kind: 'object', remove: { method: 'DELETE', path: '/hooks/{id}' }, find: null, revision: null },
    lock: null,
    destroy: 'delete',
    owned: true,
    kind: 'object',
    hash: 'h',
    fields: {},
    unready: false,
    fingerprints: {},
    outputs: {},
    edges: [],
    after: [],
    generation: 1,
    superseded: [],
    credential: 'block',
    writtenAt: '2026-01-01T00:00:00.000Z',
    run: 'aaaaaaaaaaaa',
    ...change,
  };
  return { identity, path: paths.record(identity), text: factText(record) };
}

export interface ByProcess {
  /** What was read, or what was thrown. */
  readonly outcome: string;
  /** The most memory that the process had. */
  readonly mb: number;
}

/** What a program beside this file comes to, in a process of its own. */
export async function byProcess(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<ByProcess> {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--max-old-space-size=1024', file, ...args], { env });
  return JSON.parse(stdout);
}
