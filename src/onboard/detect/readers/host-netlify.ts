import type { FactReader } from '../facts.ts';
import { folderOf } from '../paths.ts';
import { fromBuild, skipsPreviews } from './host-build.ts';
import { dataReader, evidence, mapOf, mapsOf, namesIn, pairsOf, textOf, variablesIn } from './host-file.ts';
import { idsOf } from './host-ids.ts';
import { joined } from './shell.ts';

const settings = dataReader('netlify', /(?:^|\/)netlify(?:[.-][\w-]+)?\.toml$/, (root, file, asked) => {
  const build = mapOf(root.build);
  const contexts = mapOf(root.context);
  const environments = [build.environment, ...Object.values(contexts).map((context) => mapOf(context).environment)];
  const variables = variablesIn(environments.flatMap(pairsOf), file, asked);
  // `/` is the root of the repository.
  const base = textOf(build.base)?.replace(/^\/$/, '') || undefined;
  const folder = base === undefined ? null : joined(base.startsWith('/') ? '' : folderOf(file.path), base.replace(/^\//, ''));
  const { targets = [], makes } = fromBuild(build.command);
  const published = base === undefined ? textOf(build.publish) : undefined;
  const preview = mapOf(contexts['deploy-preview']);
  const isOff = skipsPreviews(build.ignore) || skipsPreviews(preview.ignore);
  const schedules = Object.values(mapOf(root.functions)).some((one) => textOf(mapOf(one).schedule) !== undefined)
    ? [{ file: file.path, line: 0, by: 'netlify' }]
    : [];
  const said = evidence(file, {
    provider: 'netlify',
    ...(isRules(root) && { isPartial: true as const }),
    ...(folder !== null && { folder }),
    ...((targets.length > 0 || published?.includes('/')) && { targets: [...targets, ...(published?.includes('/') ? [published] : [])] }),
    ...(makes && { makes }),
    ...(isOff && { previews: 'off' as const }),
    ...namesIn(variables),
  });
  const facts = mapsOf(root.plugins).flatMap((plugin) => {
    const name = textOf(plugin.package);
    return name === undefined ? [] : [{ kind: 'package' as const, name: `npm:${name}`, file: file.path, line: 0, use: 'runtime' as const }];
  });
  return { hosts: [said], variables, schedules, facts };
});

/** Rules for addresses alone, which a site that moved to another host may have left. */
const isRules = (root: Record<string, unknown>): boolean => Object.keys(root).every((key) => key === 'redirects' || key === 'headers');

const link = dataReader('netlify-state', /(?:^|\/)\.netlify\/state\.json$/, (root, file) => ({
  hosts: [evidence(file, { provider: 'netlify', by: 'link', folder: folderOf(folderOf(file.path)), ids: idsOf({ site_id: root.siteId }) })],
}));

export const netlifyReaders: readonly FactReader[] = [settings, link];
