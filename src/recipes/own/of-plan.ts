import { realpathSync } from 'node:fs';
import { dirname, posix, relative, sep } from 'node:path';
import { bounds } from '../../core/bounds.ts';
import { Failure, Failures } from '../../core/errors.ts';
import { type Registry, withFamilies } from '../../ops/registry.ts';
import { Problems } from '../../plan/problems.ts';
import type { FamilyPattern, Plan } from '../../plan/types.ts';
import { checkoutTop } from '../../platform/checkout-top.ts';
import type { OwnFamily, Taken } from './add-families.ts';
import type { FileTree } from './file-tree.ts';

/** A registry with the families that a plan names. */
export interface WithOwnFamilies {
  readonly registry: Registry;
  readonly blocks: Plan['familyBlocks'];
  /** With mistakes in some files, the families of the others are there all the same. */
  readonly problems: readonly Failure[];
}

export type PlanWithFamilies = Pick<Plan, 'file' | 'path' | 'recipes'>;

/** Where the files of a plan are read. */
export interface FamilyPlace {
  readonly tree: FileTree;
  /** The folder of the plan, from the top. */
  readonly folder: string;
}

/** Reads the families that a plan names. `place` is the checkout of the plan, unless a commit is given. */
export async function withOwnFamilies(plan: PlanWithFamilies, registry: Registry, place?: FamilyPlace): Promise<WithOwnFamilies> {
  if (plan.recipes.length === 0) return { registry, blocks: [], problems: [] };
  // Few plans have families of their own, and the others need not load their reader.
  const [{ ownFamily, takenIn }, where] = await Promise.all([import('./add-families.ts'), place ?? checkoutOf(plan)]);
  const problems = new Problems();
  const families: OwnFamily[] = [];
  const taken: Taken = takenIn(registry);
  for (const [path, pattern] of await filesOf(plan, where, problems)) {
    try {
      families.push(ownFamily(await bytesOf(path, pattern, where.tree), displayOf(path, plan, where), taken));
    } catch (thrown) {
      if (!(thrown instanceof Failures)) throw thrown;
      problems.take(...thrown.failures);
    }
  }
  return { registry: withFamilies(registry, families), blocks: families.map(({ block }) => block), problems: problems.list() };
}

/** The checkout of a plan, whatever link leads to the plan. A plan outside of a repository may name files below its own folder. */
async function checkoutOf({ path }: PlanWithFamilies): Promise<FamilyPlace> {
  const { checkoutTree } = await import('./file-tree.ts');
  const folder = dirname(realpathSync(path));
  const top = checkoutTop(folder) ?? folder;
  return { tree: checkoutTree(top), folder: relative(top, folder).split(sep).join('/') };
}

/** Each file once, with the pattern that finds it first. */
async function filesOf(plan: PlanWithFamilies, { tree, folder }: FamilyPlace, problems: Problems): Promise<Map<string, FamilyPattern>> {
  const { findFiles } = await import('./find-files.ts');
  const files = new Map<string, FamilyPattern>();
  for (const pattern of plan.recipes) {
    try {
      for (const path of await findFiles(pattern.text, folder, tree)) if (!files.has(path)) files.set(path, pattern);
      if (files.size > bounds.families) throw tooMany();
    } catch (thrown) {
      problems.take(placed(thrown, pattern));
      if (files.size > bounds.families) return new Map();
    }
  }
  return files;
}

async function bytesOf(path: string, pattern: FamilyPattern, tree: FileTree): Promise<Uint8Array> {
  try {
    return await tree.read(path);
  } catch (thrown) {
    throw new Failures([placed(thrown, pattern)]);
  }
}

/** Paths in messages begin where the path of the plan does. */
const displayOf = (path: string, { file }: PlanWithFamilies, { folder }: FamilyPlace): string =>
  posix.join(dirname(file).split(sep).join('/'), posix.relative(folder, path));

function placed(thrown: unknown, { place }: FamilyPattern): Failure {
  if (thrown instanceof Failure) return new Failure(thrown.code, { detail: thrown.detail, fix: thrown.fix, place, cause: thrown.cause });
  throw thrown;
}

const tooMany = (): Failure =>
  new Failure('PLAN_INVALID', {
    detail: `The patterns of \`recipes\` find more than ${bounds.families} files.`,
    fix: 'Write patterns that find only recipe families.',
  });
