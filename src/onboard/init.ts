import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../core/errors.ts';
import { locatePlan, planFileName } from '../plan/locate.ts';
import type { InitDoc, TodoDoc } from '../report/document.ts';
import { withIgnored } from './gitignore.ts';
import { exists, findRoot, repositoryName } from './repository.ts';
import { templateCredentials, templatePlan } from './template.ts';
import { findTodos } from './todos.ts';

/** Where `init` runs. It reads files of the repository and names of variables; no network, no credential. */
export interface InitRequest {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Writes a first plan and keeps `.pilotfish/` out of git. A plan that is there is never overwritten, only looked at. */
export async function init({ cwd, env }: InitRequest): Promise<InitDoc> {
  const root = await findRoot(cwd);
  const existing = await existingPlan(cwd);
  const path = existing ?? join(root.folder, planFileName);
  const written = existing === null && (await writeTemplate(path, root));
  const gitignore = join(root.folder, '.gitignore');
  const changed = await ignoreLocalFolder(gitignore);
  const todo = await todosOf(path);
  // Which credentials an earlier plan needs, `plan` says; here only the template's are known.
  const credentials = written
    ? templateCredentials.map((c) => ({ ...c, status: env[c.variable] ? ('set' as const) : ('missing' as const) }))
    : [];
  return {
    schema: 1,
    ok: true,
    command: 'init',
    plan: { path, written },
    gitignore: { path: gitignore, changed },
    detected: { found: [], unsupported: [], todo, assumed: written },
    credentials,
    next: nextStep(
      todo,
      credentials.filter((c) => c.status === 'missing').map((c) => c.variable),
    ),
  };
}

/** The plan that `plan` and `apply` would take from here. */
async function existingPlan(cwd: string): Promise<string | null> {
  try {
    return await locatePlan(cwd, null);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'PLAN_PARSE') return null;
    throw thrown;
  }
}

async function writeTemplate(path: string, root: Awaited<ReturnType<typeof findRoot>>): Promise<boolean> {
  const schema = './node_modules/pilotfish/schema/release.plan.schema.json';
  const text = templatePlan({
    repository: await repositoryName(root),
    schema: (await exists(join(root.folder, schema))) ? schema : null,
  });
  try {
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (cause) {
    // Somebody else wrote one between the look and the write: that one stays.
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false;
    throw unwritable(path, cause);
  }
}

async function ignoreLocalFolder(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return '';
    throw unwritable(path, cause);
  });
  const next = withIgnored(text);
  if (next === null) return false;
  await writeFile(path, next).catch((cause: unknown) => {
    throw unwritable(path, cause);
  });
  return true;
}

async function todosOf(path: string): Promise<readonly TodoDoc[]> {
  try {
    return findTodos(await readFile(path, 'utf8'), path);
  } catch (thrown) {
    // A plan that does not parse is not this command's to judge: `plan` says what is wrong with it, and where.
    if (thrown instanceof Failure || (thrown instanceof Error && ('code' in thrown || 'failures' in thrown))) return [];
    throw thrown;
  }
}

function unwritable(path: string, cause: unknown): Failure {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
  return new Failure('USAGE', {
    detail: `${path} could not be written (${code}).`,
    fix: 'Run `pilotfish init` in a folder that can be written.',
    cause,
  });
}

function nextStep(todo: readonly TodoDoc[], missing: readonly string[]): InitDoc['next'] {
  if (todo.length > 0) {
    const what = todo.length === 1 ? 'the value that is' : `the ${todo.length} values that are`;
    return { command: null, why: `Fill in ${what} marked # TODO in the plan and remove the marks, then run \`pilotfish plan\`.` };
  }
  if (missing.length > 0) return { command: null, why: `Set ${missing.join(' and ')} in the environment, then run \`pilotfish plan\`.` };
  return { command: 'pilotfish plan', why: 'The plan has no placeholder left; this shows what apply would do, and writes nothing.' };
}
