import { joined } from './shell.ts';
import { fromRoot, sourceOf } from './uploads.ts';
import type { DeployAction } from './workflow-actions.ts';

/** The folder of an action. Its inputs are paths from the root: the working directory of a job holds for its commands alone. */
export function placeOfAction({ folder: key, uploads }: DeployAction, input: (key: string) => string | undefined, folder: string): string {
  const given = fromRoot((key !== undefined && input(key)) || '') ?? undefined;
  const built = (uploads !== undefined && input(uploads)) || '';
  const place = given ?? folder;
  return built === '' ? place : ((given === undefined ? fromRoot(sourceOf(built)) : joined(given, sourceOf(built))) ?? place);
}
