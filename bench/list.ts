import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { cleanGitEnv, startGitRemote } from '../test/support/git-remote.ts';
import { plantScopes } from '../test/support/many-scopes.ts';

/**
 * `node bench/list.ts --scopes 5000`: `pilotfish list` over the ledgers of a git host on this machine, in a fresh checkout with nothing cached.
 * It prints the seconds and megabytes of the program, the processor time of it with every git that it starts, and its fetches.
 */
const { values } = parseArgs({
  options: {
    scopes: { type: 'string', default: '5000' },
    runs: { type: 'string', default: '3' },
    lines: { type: 'string', default: '3' },
    assert: { type: 'boolean', default: false },
  },
});
/** On a machine where nothing else waits for a processor. Time that the program waited for one is not its own. */
const most = { seconds: 3, mb: 200, fetches: 1 };
const run = promisify(execFile);
const program = fileURLToPath(new URL('../dist/pilotfish.js', import.meta.url));
const usage = fileURLToPath(new URL('usage.cjs', import.meta.url));

const remote = await startGitRemote({ user: 'ci', password: 'bench-password' });
const root = await mkdtemp(join(tmpdir(), 'pilotfish-bench-'));
let failed = false;
try {
  const scopes = Number(values.scopes);
  await plantScopes(remote.dir, scopes, { lines: Number(values.lines) });
  for (let n = 1; n <= Number(values.runs); n += 1) {
    const checkout = join(root, String(n));
    const env = cleanGitEnv(join(root, `home-${n}`));
    await run('git', ['init', '--quiet', checkout], { env });
    await run('git', ['-C', checkout, 'remote', 'add', 'origin', remote.urlWithAuth], { env });
    const before = remote.count.wants;
    const { seconds, used, rows } = await listed(checkout, env);
    const fetches = remote.count.wants - before;
    const isHeld = rows === scopes && fetches <= most.fetches && used.rss_mb <= most.mb && seconds - used.waited_ms / 1_000 <= most.seconds;
    if (values.assert && !isHeld) console.log(`NOT HELD: at most ${most.seconds} s, ${most.mb} MB and ${most.fetches} fetch`);
    failed ||= rows !== scopes || (values.assert && !isHeld);
    const facts = [
      `${rows} scopes`,
      `${seconds.toFixed(2)} s`,
      `${Math.round(used.rss_mb)} MB`,
      `${fetches} fetch${fetches === 1 ? '' : 'es'}`,
    ];
    console.log(
      `${facts.join(', ')}; ${(used.cpu_ms / 1_000).toFixed(2)} s of processor, waited ${(used.waited_ms / 1_000).toFixed(2)} s for one`,
    );
  }
} finally {
  await remote.stop();
  await rm(root, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

interface Used {
  readonly cpu_ms: number;
  readonly rss_mb: number;
  readonly waited_ms: number;
}

async function listed(
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly seconds: number; readonly used: Used; readonly rows: number }> {
  const started = performance.now();
  const child = spawn(process.execPath, ['--require', usage, program, 'list', '--json'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  const [out, told] = [child.stdio[1], child.stdio[3]].map(async (stream) => {
    let text = '';
    for await (const part of stream as NodeJS.ReadableStream) text += part;
    return text;
  });
  await new Promise((resolve) => child.once('close', resolve));
  const seconds = (performance.now() - started) / 1_000;
  const document = JSON.parse((await out) ?? '') as { readonly scopes: readonly { readonly error?: unknown }[] };
  return { seconds, used: JSON.parse((await told) ?? '') as Used, rows: document.scopes.filter(({ error }) => !error).length };
}
