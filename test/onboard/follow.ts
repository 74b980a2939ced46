import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { commentedLines } from '../../src/onboard/commented.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { pilotfish } from './command.ts';
import type { Company } from './company.ts';
import { fillIn, withComments } from './fill-in.ts';
import { readReport } from './report.ts';
import { write } from './repositories.ts';

/** A fresh clone of a remote that has the fixture, on a branch that somebody just began. */
export async function freshClone(name: string, files: ReadonlyMap<string, string>) {
  const folder = await tempFolder('first-user');
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  const git = async (cwd: string, ...args: readonly string[]): Promise<void> => {
    await promisify(execFile)('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@acme.example', ...args], { cwd, env });
  };
  const [remote, author, clone] = [join(folder, `acme/${name}.git`), join(folder, 'author'), join(folder, 'clone')];
  await git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  await git(folder, 'init', '--quiet', '--initial-branch=main', author);
  await write(author, files);
  await git(author, 'add', '--all', '--force');
  await git(author, 'commit', '--quiet', '--message', 'The shop as it is');
  await git(author, 'push', '--quiet', remote, 'main');
  await git(folder, 'clone', '--quiet', remote, clone);
  await git(clone, 'checkout', '--quiet', '-b', 'feature');
  return { cwd: clone, env };
}

/** One thing that a person ran or did, in order. */
export type Step = { readonly ran: string; readonly said: string } | { readonly did: readonly string[] };

export interface Habits {
  /** The lines that the person wants of those that stand as comments; all of them where nothing is said. */
  readonly wants?: readonly string[];
  /** Hears each step as it is done. */
  readonly tell?: (step: Step) => void;
}

/**
 * Does what the report of `init` says, and nothing else, until it names a command that is no other `init`. Gives that command, the
 * environment by then, and how often a person ran `init` and changed a value.
 */
export async function follow(
  cwd: string,
  env: NodeJS.ProcessEnv,
  company: (plan: string) => Company,
  { wants, tell = () => {} }: Habits = {},
) {
  const path = join(cwd, 'release.plan.yaml');
  const now: NodeJS.ProcessEnv = { ...env };
  let edits = 0;
  for (let round = 0; round < 6; round += 1) {
    const told = await pilotfish(['init'], { cwd, env: now });
    expect(told).toMatchObject({ code: 0, stderr: '' });
    tell({ ran: 'init', said: told.stdout });
    const { sections, toFill, missing } = readReport(told.stdout);
    const next = (sections.get('Next') ?? []).join(' ');
    const plan = await readFile(path, 'utf8');
    const { knowledge, credentials } = company(withComments(plan));
    for (const { file } of toFill) expect(join(cwd, file)).toBe(path);
    const wanted = wantedOf(plan, wants);
    const isAllComments = next.includes('Remove the # before');
    if (isAllComments || wanted.length > 0) {
      edits += Math.max(1, wanted.length);
      await writeFile(path, withComments(plan, wants));
      tell({ did: wanted.map(({ id, sentence }) => `remove the # before ${id}: ${sentence}`) });
    } else if (next.startsWith('Fill in')) {
      edits += toFill.length;
      const filled = fillIn(plan, toFill, knowledge);
      await writeFile(path, filled);
      tell({ did: toFill.map(({ line }) => `line ${line}: ${filled.split('\n')[line - 1]?.trim()}`) });
    } else if (next.startsWith('pilotfish init --setup')) {
      for (const variable of missing) now[variable] = credentials[variable];
      tell({ did: missing.map((variable) => `export ${variable}=…`) });
    } else return { command: /`pilotfish ([^`]+)`/.exec(next)?.[1]?.split(' ') ?? [], env: now, rounds: round + 1, edits };
  }
  throw new Error('following what init prints leads nowhere');
}

/** The lines that still stand as comments though the person wants them. */
function wantedOf(plan: string, wants: readonly string[] = []) {
  const rows = plan.split('\n');
  return commentedLines(plan)
    .filter(({ id }) => wants.includes(id))
    .map(({ id, start }) => ({ id, sentence: rows[start]?.replace(/^ *# /, '') ?? '' }));
}
