import type { VariableUse } from '../detect/facts.ts';
import type { Survey } from '../detect/survey.ts';
import { isOwnScript } from './by-hand.ts';

/**
 * How a file belongs to a deployable: `own` in its folder, `reached` in a package that it uses, `root` at the root of a repository whose
 * root deploys nothing or reads nothing; `null` for a file of something else.
 */
export type Belonging = 'own' | 'reached' | 'root' | null;

/** Tells for each file how it belongs to the deployable of a folder. A file belongs to the deepest unit around it. */
export function belongingTo(survey: Survey, folder: string): (file: string) => Belonging {
  const unitAround = unitAroundIn(survey, folder);
  const reached = survey.reaches?.get(folder) ?? new Set(survey.units.find((unit) => unit.folder === folder)?.reaches ?? []);
  const rootIsFree = survey.deployables.every((one) => one.folder !== '') || isIdleRoot(survey);
  return (file) => {
    const nearest = unitAround(file);
    if (nearest === folder) return 'own';
    if (nearest === '' && rootIsFree) return 'root';
    return reached.has(nearest) ? 'reached' : null;
  };
}

/** Places where an app reads a name, and does not only list it. */
export const isReading = ({ where }: VariableUse): boolean => where === 'code' || where === 'schema' || where === 'settings';

const idle = new WeakMap<Survey, boolean>();

/** Tells whether the root is deployed beside other folders and its code reads no name. What lies there is then for the others. */
export function isIdleRoot(survey: Survey): boolean {
  const known = idle.get(survey);
  if (known !== undefined) return known;
  const unitAround = unitAroundIn(survey, '');
  const hasOthers = survey.deployables.some(({ folder }) => folder === '') && survey.deployables.length > 1;
  const is = hasOthers && !survey.variables.some((one) => isReading(one) && isOfRoot(one, unitAround));
  idle.set(survey, is);
  return is;
}

const isOfRoot = ({ file, use }: VariableUse, unitAround: (file: string) => string): boolean =>
  (use === 'runtime' || use === 'infrastructure') && !isOwnScript(file) && unitAround(file) === '';

/** Finds the folder of the deepest unit around a file. */
export function unitAroundIn(survey: Survey, folder: string): (file: string) => string {
  const units = new Set(survey.units.map((unit) => unit.folder)).add('').add(folder);
  return (file) => nearestOf(file, units);
}

function nearestOf(file: string, units: ReadonlySet<string>): string {
  for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
    const folder = file.slice(0, end);
    if (units.has(folder)) return folder;
  }
  return '';
}
