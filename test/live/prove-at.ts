import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Redactor } from '../../src/core/redact.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { maskEnvironment } from '../../src/engine/prepare/secret-variables.ts';
import { runApply, runPlan } from '../../src/engine/run.ts';
import { type LiveRequest, type LiveWorld, type Proof, prove } from '../../src/live/live.ts';
import { tempFolder } from '../support/temp-folder.ts';

export interface ProveAt {
  readonly operation: string;
  readonly with?: readonly string[];
  readonly file?: LiveRequest['file'];
  readonly env: { readonly [name: string]: string };
  readonly server: string | null;
  readonly folder?: string;
  readonly world?: Partial<LiveWorld>;
}

/** Proves one operation at a server, in the time of this machine. */
export async function proveAt(o: ProveAt): Promise<{ readonly proof: Proof; readonly said: readonly string[]; readonly folder: string }> {
  const cwd = await tempFolder('live');
  const folder = o.folder ?? join(cwd, 'ledger-of-live');
  // After a lost answer the next run waits for one deadline.
  const terms = { PILOTFISH_REQUEST_DEADLINE_MS: '5000', PILOTFISH_LEASE_MS: '60000' };
  const env = { PATH: process.env.PATH, HOME: cwd, ...terms, ...o.env };
  const redactor = new Redactor();
  maskEnvironment(redactor, env);
  const said: string[] = [];
  const proof = await prove(
    {
      cwd,
      env,
      operation: o.operation,
      with: o.with ?? [],
      file: o.file ?? null,
      folder,
      git: { branch: null, sha: null, pr: null },
      server: o.server,
      leaves: false,
      waitTimeoutMs: 300_000,
      leaseTimeoutMs: 300_000,
    },
    {
      runner: { runPlan, runApply },
      registry: await openRegistry({ env, cwd }),
      redactor,
      signal: new AbortController().signal,
      say: (line) => said.push(redactor.text(line)),
      confirm: async (text) => void said.push(redactor.text(text)),
      ...o.world,
    },
  );
  return { proof, said, folder };
}

/** A line of `test/live/lines`. */
export async function lineFile(name: string): Promise<NonNullable<LiveRequest['file']>> {
  const file = join(import.meta.dirname, 'lines', name);
  return { name: basename(file), text: await readFile(file, 'utf8') };
}
