import type { VariableUse } from '../facts.ts';
import { isIn } from '../paths.ts';
import type { Deployable } from '../survey.ts';
import type { Units } from '../units/units.ts';

/** The folders of a deployable's own and of what it uses. Facts of other folders do not speak for it. */
export type Reach = ReadonlySet<string>;

/**
 * What each deployable reaches: its own folder, the folders that its code uses, the root where the root is no deployable, and the folders
 * within its own that nobody else deploys or uses. An app that nothing deploys, such as a worker in `services`, has a reach of its own: the
 * repository uses its services, whoever runs it.
 */
export function reachesOf(deployables: readonly Deployable[], units: Units, variables: readonly VariableUse[]): ReadonlyMap<string, Reach> {
  const configured = new Set(variables.filter(isOwnSetting).map(({ file }) => units.ownerOf(file).folder));
  const folders = new Set(deployables.map(({ folder }) => folder));
  const reaches = new Map(
    [...folders].map((folder) => [folder, new Set([folder, ...(units.list.find((unit) => unit.folder === folder)?.reaches ?? [])])]),
  );
  const used = new Set([...reaches.values()].flatMap((reach) => [...reach]));
  if (!folders.has('')) for (const reach of reaches.values()) reach.add('');
  for (const { folder, role } of units.list) {
    if (role !== 'package' && role !== 'app') continue;
    if (used.has(folder)) continue;
    if (units.graph.get(folder)?.memberOf !== null && !units.mayBeApp(folder)) {
      // A package of a workspace that nobody lists is code for somebody else, unless it opens the database or has settings of its own.
      if (configured.has(folder)) for (const one of folders) reaches.get(one)?.add(folder);
      continue;
    }
    const own = [folder, ...(units.list.find((unit) => unit.folder === folder)?.reaches ?? [])];
    const above = nearestAbove(folder, folders);
    if (above !== null) for (const one of own) reaches.get(above)?.add(one);
    else if (folder !== '' && units.mayBeApp(folder)) reaches.set(folder, new Set(own));
  }
  return reaches;
}

function nearestAbove(folder: string, deployed: ReadonlySet<string>): string | null {
  const above = [...deployed].filter((one) => one !== folder && isIn(folder, one));
  return above.length === 0 ? null : above.reduce((best, one) => (one.length > best.length ? one : best));
}

const isOwnSetting = ({ where, opens }: VariableUse): boolean => where === 'env-file' || opens !== undefined;
