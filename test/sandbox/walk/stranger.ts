import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { signedInPath } from 'pilotfish-sandbox/program/commands';
import type { Provider } from 'pilotfish-sandbox/serve/providers';
import type { Sandbox } from 'pilotfish-sandbox/serve/sandbox';
import type { FaultName, Order } from 'pilotfish-sandbox/serve/told';
import { pilotfish, type Told } from '../../onboard/command.ts';
import { words } from '../../onboard/company.ts';
import type { Knowledge } from '../../onboard/fill-in.ts';
import { cleanGitEnv } from '../../support/git-remote.ts';

/** What somebody knows who has only the list of values that the sandbox prints. */
export function knowledgeOf(providers: readonly Pick<Provider, 'name' | 'values'>[]): Knowledge {
  const named = new Map(providers.map((provider) => [provider.name, provider]));
  return {
    valueOf: (provider, param, placeholder = '') =>
      /^your-[\w-]+-vercel-project$/.test(placeholder) ? placeholder.slice(5, -15) : named.get(provider)?.values[param],
    wordFor: (placeholder) => words[placeholder] ?? (/-preview$/.test(placeholder) ? words['your-preview'] : undefined),
    isOwn: () => true,
  };
}

/** The way of one plan through a sandbox: each step's end. */
export interface Life {
  readonly planned: Told;
  readonly applied: Told;
  /** A plan of what stands. */
  readonly again: Told;
  readonly destroyed: Told;
}

/** Turns a fault on at every provider, as the page does. */
export async function turnOn(sandbox: Sandbox, fault: FaultName): Promise<void> {
  const page = await (await fetch(sandbox.url)).text();
  const token = /name="sandbox-token" content="([^"]+)"/.exec(page)?.[1] ?? '';
  const order: Order = { do: 'fault', place: '*', fault, on: true };
  const headers = { 'content-type': 'application/json', 'x-sandbox-token': token };
  const answer = await fetch(`${sandbox.url}/~/control`, { method: 'POST', headers, body: JSON.stringify(order) });
  if (!answer.ok) throw new Error(`the sandbox refused the order: ${await answer.text()}`);
}

/** Pushes a commit to the sandbox's remote, as the branch of a pull request, and gives its id. */
async function push(sandbox: Sandbox): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-pushed-'));
  const git = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd: folder, env: cleanGitEnv(folder) })).stdout.trim();
  await git('init', '--quiet', '--initial-branch=feature');
  await git('commit', '--quiet', '--allow-empty', '--message', 'A change');
  await git('push', '--quiet', sandbox.remote('acme/shop') ?? '', 'feature');
  const sha = await git('rev-parse', 'HEAD');
  await rm(folder, { recursive: true, force: true });
  return sha;
}

/** Applies the plan in a folder and takes it away, as somebody does who runs each command in the sandbox. `onStands`: called once the plan is applied. */
export async function live(
  sandbox: Sandbox,
  {
    state,
    folder,
    plan,
    onStands,
  }: { readonly state: string; readonly folder: string; readonly plan: string; readonly onStands: () => Promise<void> },
): Promise<Life> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'release.plan.yaml'), plan);
  // A person chooses the secrets that a plan names, and keys beside the usual ones are keys all the same.
  const own = Object.fromEntries(Array.from(plan.matchAll(/env:\/\/(\w+)/g), ([, name]) => [name, 'a-long-random-text-0123']));
  const all: Readonly<Record<string, string>> = Object.assign({}, ...sandbox.variables.values());
  const env = {
    ...own,
    ...all,
    UPLOADS_KEY_ID: all.AWS_ACCESS_KEY_ID,
    UPLOADS_SECRET_KEY: all.AWS_SECRET_ACCESS_KEY,
    PILOTFISH_LEDGER_KEY: sandbox.ledgerKey,
    PILOTFISH_RECEIPTS: 'local',
    PATH: signedInPath(state, process.env.PATH ?? ''),
  };
  const run = (...argv: readonly string[]): Promise<Told> => pilotfish([...argv, '--pr', '12', '--json'], { cwd: folder, env });
  const commit = ['--sha', await push(sandbox), '--branch', 'feature'];
  const [planned, applied] = [await run('plan', ...commit), await run('apply', ...commit)];
  await onStands();
  return {
    planned,
    applied,
    again: await run('plan', ...commit),
    destroyed: await run('apply', '--destroy', ...commit),
  };
}

/** What went otherwise than it should: a sentence for each. */
export function flawsOf({ planned, applied, again, destroyed }: Life): readonly string[] {
  const steps = Object.entries({ planned, applied, again, destroyed });
  const failed = steps.flatMap(([step, told]) => (told.code === 0 ? [] : [`${step}: ${errorsIn(told).join(' ') || told.stderr}`]));
  if (failed.length > 0) return failed;
  const { lines }: { readonly lines: readonly { readonly id: string; readonly verdict: string }[] } = JSON.parse(again.stdout);
  return lines.flatMap(({ id, verdict }) => (verdict === 'none' ? [] : [`again: ${id} is to ${verdict}`]));
}

function errorsIn({ stdout, stderr }: Told): readonly string[] {
  try {
    const document = JSON.parse(stdout);
    const errors = [
      ...(document.errors ?? (document.error ? [document.error] : [])),
      ...(document.lines ?? []).flatMap(({ error }: { readonly error?: unknown }) => error ?? []),
    ];
    return errors.map(({ code, detail }) => `${code} ${detail}`);
  } catch {
    return [stderr || stdout];
  }
}
