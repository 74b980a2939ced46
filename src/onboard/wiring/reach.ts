import type { Survey } from '../detect/survey.ts';

/**
 * How a file belongs to a deployable: `own` in its folder, `reached` in a package that it uses, `root` at the root of a repository whose
 * root deploys nothing; `null` for a file of something else.
 */
export type Belonging = 'own' | 'reached' | 'root' | null;

/** Tells for each file how it belongs to the deployable of a folder. A file belongs to the deepest unit around it. */
export function belongingTo(survey: Survey, folder: string): (file: string) => Belonging {
  const unitAround = unitAroundIn(survey, folder);
  const reached = survey.reaches?.get(folder) ?? new Set(survey.units.find((unit) => unit.folder === folder)?.reaches ?? []);
  const rootIsFree = survey.deployables.every((one) => one.folder !== '');
  return (file) => {
    const nearest = unitAround(file);
    if (nearest === folder) return 'own';
    if (nearest === '' && rootIsFree) return 'root';
    return reached.has(nearest) ? 'reached' : null;
  };
}

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
