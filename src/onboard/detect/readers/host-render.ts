import type { Asked, FactReader, HostEvidence, Reading, SourceFile } from '../facts.ts';
import { folderOf } from '../paths.ts';
import { dataReader, evidence, lineOf, mapOf, mapsOf, namesIn, textOf, variablesIn } from './host-file.ts';
import { idsOf } from './host-ids.ts';
import { joined } from './shell.ts';

/** A blueprint: each service is deployed by itself, and its databases come with it. */
export const renderReaders: readonly FactReader[] = [
  dataReader('render', /(?:^|\/)render(?:[.-][\w-]+)*\.ya?ml$/, (root, file, asked) => {
    const projects = mapsOf(root.projects).flatMap(({ environments }) => mapsOf(environments));
    const parts = [root, ...projects];
    const services = parts.flatMap((part) => mapsOf(part.services));
    const databases = parts.flatMap((part) => mapsOf(part.databases));
    if (services.length === 0 && databases.length === 0) return null;
    const groups = parts.flatMap((part) => mapsOf(part.envVarGroups));
    const shared = variablesOf(groups, file, asked);
    const hasPreviews = mapOf(root.previews).generation === 'automatic' || root.previewsEnabled === true;
    const makes = madeBy(services, databases, hasPreviews);
    const hosts = services
      .filter((service) => !isStore(service))
      .map((service) => fromService(service, file, { hasPreviews, makes, asked }));
    const own = services.flatMap((service) => variablesOf([service], file, asked));
    const schedules = services
      .filter(({ type }) => type === 'cron')
      .map(() => ({ file: file.path, line: lineOf(file.text, 'cron'), by: 'render' }));
    return { hosts, variables: uniqueNames([...own, ...shared]), schedules } satisfies Reading;
  }),
];

interface Blueprint {
  readonly hasPreviews: boolean;
  readonly makes: HostEvidence['makes'];
  readonly asked: Asked;
}

function fromService(service: Record<string, unknown>, file: SourceFile, { hasPreviews, makes, asked }: Blueprint): HostEvidence {
  const base = folderOf(file.path);
  const folder = joined(base, textOf(service.rootDir) ?? textOf(service.dockerContext) ?? '') ?? base;
  const isOwn = mapOf(service.previews).generation === 'automatic' || service.pullRequestPreviewsEnabled === true;
  const isOff = mapOf(service.previews).generation === 'off' || service.pullRequestPreviewsEnabled === false;
  return evidence(file, {
    provider: 'render',
    folder,
    line: lineOf(file.text, textOf(service.name) ?? 'services'),
    ids: idsOf({ application: service.name }),
    builds: 'host',
    ...(isOff ? { previews: 'off' } : (hasPreviews || isOwn) && { previews: 'each' }),
    ...(makes && makes.length > 0 && { makes }),
    ...namesIn(variablesOf([service], file, asked)),
  });
}

const isStore = ({ type }: Record<string, unknown>): boolean => type === 'redis' || type === 'keyvalue';

function madeBy(
  services: readonly Record<string, unknown>[],
  databases: readonly Record<string, unknown>[],
  hasPreviews: boolean,
): HostEvidence['makes'] {
  const when = hasPreviews ? ', one for each preview environment' : '';
  return [
    ...databases.map(({ name }) => ({ service: 'postgres', what: `the database ${textOf(name) ?? ''} of its blueprint${when}` })),
    ...services.filter(isStore).map(({ name }) => ({ service: 'redis', what: `the store ${textOf(name) ?? ''} of its blueprint${when}` })),
  ];
}

const variablesOf = (services: readonly Record<string, unknown>[], file: SourceFile, asked: Asked) =>
  variablesIn(
    services.flatMap(({ envVars }) => mapsOf(envVars).map(({ key, value }) => [textOf(key) ?? '', value] as const)),
    file,
    asked,
  );

const uniqueNames = <T extends { readonly name: string }>(list: readonly T[]): readonly T[] => [
  ...new Map(list.map((one) => [one.name, one])).values(),
];
