import type { Registry } from '../ops/registry.ts';
import { draftOf } from './init.ts';
import { look } from './look.ts';
import { findPlan } from './plan-file.ts';
import { findRoot } from './repository.ts';
import { readStanding, stands } from './standing.ts';

/** A line that the repository asks for and its plan lacks. */
export interface MissingLine {
  readonly id: string;
  /** `stripe.webhook_endpoint` */
  readonly operation: string;
}

/** `env`: of git, which is asked for the remote. */
interface Where {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The lines that `init --add` takes. It only reads. Empty where there is no plan to add to. */
export async function missingLines({ cwd, env }: Where, registry: Registry): Promise<readonly MissingLine[]> {
  const root = await findRoot(cwd);
  const { text, path } = await findPlan(cwd, root);
  if (text === null) return [];
  const looked = await look(root.folder, registry);
  const standing = await readStanding(text, path, registry);
  const { lines } = await draftOf(looked, { root, env, standing });
  return lines
    .filter((line) => !stands(standing, line))
    .map(({ id, provider, op }) => ({ id, operation: `${provider.adapter.name}.${op}` }));
}
