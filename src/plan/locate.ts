import { stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { door } from '../core/door.ts';
import { Failure } from '../core/errors.ts';

export const planFileName = 'release.plan.yaml';

/** Names that people give the file by mistake. The error names such a file; pilotfish does not read it. */
const nearNames = ['release.plan.yml', 'release-plan.yaml', 'release-plan.yml', 'releaseplan.yaml'];

/**
 * The absolute path of the plan: the flag's file, or `release.plan.yaml` in the nearest folder from `cwd` up to the repository root.
 * Beyond the root is another project. Without a repository the search ends at the root of the file system.
 */
export async function locatePlan(cwd: string, planFlag: string | null): Promise<string> {
  if (planFlag !== null) return await theFile(cwd, planFlag);
  const { plan, near, start, end } = await searchPlan(cwd);
  if (plan === null) throw notFound(start, end, near[0] ?? null);
  return plan;
}

/** The files that a search for the plan finds. */
interface PlanSearch {
  readonly plan: string | null;
  /** Files of nearly that name below the plan, the nearest first. */
  readonly near: readonly string[];
  readonly start: string;
  /** The last folder that was looked at. */
  readonly end: string;
}

/** Looks for the plan as `locatePlan` does. "None" is an answer. */
export async function searchPlan(cwd: string): Promise<PlanSearch> {
  const start = resolve(cwd);
  const near: string[] = [];
  let folder = start;
  for (;;) {
    const path = join(folder, planFileName);
    if (await exists(path)) return { plan: path, near, start, end: folder };
    for (const name of nearNames) if (await exists(join(folder, name))) near.push(join(folder, name));
    const parent = dirname(folder);
    if ((await exists(join(folder, '.git'))) || parent === folder) return { plan: null, near, start, end: folder };
    folder = parent;
  }
}

async function theFile(cwd: string, flag: string): Promise<string> {
  if (flag === '')
    throw new Failure('USAGE', { detail: `${door.named('plan')} was given without a file.`, fix: `Pass ${door.passed('plan')}.` });
  const path = resolve(cwd, flag);
  if (await exists(path)) return path;
  throw new Failure('PLAN_PARSE', {
    detail: `${door.named('plan')} names ${path}, but there is no such file.`,
    fix: 'Check the path, or run `pilotfish init` to make a plan.',
  });
}

function notFound(start: string, end: string, near: string | null): Failure {
  const where = start === end ? `in ${start}` : `in ${start} or a folder above it, up to ${end}`;
  if (near !== null) {
    const shown = relative(start, near);
    return new Failure('PLAN_PARSE', {
      detail: `There is no ${planFileName} ${where}. There is ${shown}, which is not the name of a plan.`,
      fix: `Rename it to ${planFileName}, or pass ${door.passed('plan', shown)}.`,
    });
  }
  return new Failure('PLAN_PARSE', {
    detail: `There is no ${planFileName} ${where}.`,
    fix: `Run \`pilotfish init\` to make one, or pass ${door.passed('plan')}.`,
  });
}

/** A file whose state cannot be read counts as there: reading it will give the reason. */
async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : '';
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}
