import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Provider } from 'pilotfish-sandbox/serve/providers';
import type { Sandbox } from 'pilotfish-sandbox/serve/sandbox';
import { signedInPath } from 'pilotfish-sandbox/program/commands';
import { pilotfish, type Told } from '../../onboard/command.ts';
import { words } from '../../onboard/company.ts';
import type { Knowledge } from '../../onboard/fill-in.ts';

/** What somebody knows who has only the list of values that the sandbox prints. */
export function knowledgeOf(providers: readonly Provider[]): Knowledge {
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

/** A commit of the plan's own, so that no host has a build of an earlier walk. */
const commitOf = (folder: string): string => createHash('sha1').update(folder).digest('hex');

/** Applies the plan in a folder and takes it away, as somebody does who runs each command in the sandbox. */
export async function live(sandbox: Sandbox, state: string, folder: string, plan: string): Promise<Life> {
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
  const commit = ['--sha', commitOf(folder), '--branch', 'feature'];
  return {
    planned: await run('plan', ...commit),
    applied: await run('apply', ...commit),
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
    const errors = [...(document.errors ?? []), ...(document.lines ?? []).flatMap(({ error }: { readonly error?: unknown }) => error ?? [])];
    return errors.map(({ code, detail }) => `${code} ${detail}`);
  } catch {
    return [stderr || stdout];
  }
}
