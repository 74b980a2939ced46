import type { FactReader, Reading, SourceFile } from '../facts.ts';
import { folderOf, inFolder } from '../paths.ts';
import { fromBuild, skipsPreviews } from './host-build.ts';
import { dataReader, evidence, lineOf, mapOf, mapsOf, namesIn, pairsOf, textOf, variablesIn } from './host-file.ts';
import { idsOf } from './host-ids.ts';

/** `vercel.json` and its older name, also as `vercel.staging.json`, which the program takes by a flag. */
const settings = dataReader('vercel', /(?:^|\/)(?:vercel|now)(?:[.-][\w-]+)?\.json$/, (root, file, asked) => {
  const variables = variablesIn([...pairsOf(root.env), ...pairsOf(mapOf(root.build).env)], file, asked);
  const schedules = mapsOf(root.crons).map(({ path }) => ({
    file: file.path,
    line: lineOf(file.text, textOf(path) ?? 'crons'),
    by: 'vercel',
  }));
  const name = textOf(root.name);
  const said = evidence(file, {
    provider: 'vercel',
    // A file that only switches builds off may be a leftover of an app that is elsewhere now.
    ...(Object.keys(root).every((key) => /^(?:\$schema|github|git)$/.test(key)) && 'github' in root && { by: 'word' as const }),
    ids: idsOf({ application: name }),
    ...(isOff(root) && { previews: 'off' as const }),
    ...fromBuild(root.buildCommand),
    ...namesIn(variables),
  });
  return { hosts: [said], variables, schedules };
});

/** The builds of git are switched off, or those of all branches but one. */
function isOff(root: Record<string, unknown>): boolean {
  const { git, github } = root;
  const enabled = mapOf(git).deploymentEnabled;
  const isForOthers = Object.entries(mapOf(enabled)).some(([branch, on]) => on === false && /^\*+$/.test(branch));
  return enabled === false || isForOthers || mapOf(github).enabled === false || skipsPreviews(root.ignoreCommand);
}

const team = (id: unknown): unknown => (typeof id === 'string' && id.startsWith('team_') ? id : undefined);

/** What `vercel link` writes for one project, and for several of one repository. A personal account has an id that is no team's. */
const links: readonly FactReader[] = [
  dataReader('vercel-project', /(?:^|\/)\.vercel\/project\.json$/, (root, file) =>
    linked(file, [{ folder: above(file), project: root.projectId, name: root.projectName }], root.orgId),
  ),
  dataReader('vercel-repo', /(?:^|\/)\.vercel\/repo\.json$/, (root, file) =>
    linked(
      file,
      mapsOf(root.projects).map(({ id, name, directory }) => ({
        folder: inside(above(file), textOf(directory) ?? '.'),
        project: id,
        name,
      })),
      root.orgId,
    ),
  ),
];

interface Linked {
  readonly folder: string;
  readonly project: unknown;
  readonly name: unknown;
}

const linked = (file: SourceFile, projects: readonly Linked[], org: unknown): Reading => ({
  hosts: projects.map(({ folder, project, name }) =>
    evidence(file, {
      provider: 'vercel',
      by: 'link',
      folder,
      line: lineOf(file.text, textOf(project) ?? ''),
      ids: idsOf({ project, 'provider.team_id': team(org), application: name }),
    }),
  ),
});

/** The folder that holds the hidden folder of the file. */
const above = ({ path }: SourceFile): string => folderOf(folderOf(path));
const inside = (folder: string, directory: string): string => inFolder(folder, directory.replace(/^\.?\/?/, '')).replace(/\/+$/, '');

export const vercelReaders: readonly FactReader[] = [settings, ...links];
