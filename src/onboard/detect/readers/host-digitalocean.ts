import type { FactReader, HostEvidence } from '../facts.ts';
import { folderOf } from '../paths.ts';
import { dataReader, evidence, lineOf, mapOf, mapsOf, namesIn, textOf, variablesIn } from './host-file.ts';
import { idsOf } from './host-ids.ts';
import { joined } from './shell.ts';

const engines: { readonly [engine: string]: string } = {
  PG: 'postgres',
  MYSQL: 'mysql',
  REDIS: 'redis',
  VALKEY: 'redis',
  MONGODB: 'mongodb',
  KAFKA: 'kafka',
  OPENSEARCH: 'opensearch',
};

/** A spec of App Platform, also in the form of its button (`spec:`). Each part is deployed from its own folder. */
export const digitaloceanReaders: readonly FactReader[] = [
  dataReader('digitalocean', /(?:^|\/)(?:\.do|\.digitalocean)\/[\w.-]+\.ya?ml$|(?:^|\/)app-spec[\w.-]*\.ya?ml$/, (root, file, asked) => {
    const spec = 'spec' in root ? mapOf(root.spec) : root;
    const parts = ['services', 'static_sites', 'workers', 'jobs', 'functions'].flatMap((key) => mapsOf(spec[key]));
    if (parts.length === 0) return null;
    // The program is told this file from the root of the repository.
    const base = folderOf(folderOf(file.path));
    const isButton = /deploy\.template\.ya?ml$/.test(file.path);
    const variables = variablesIn(
      [spec, ...parts].flatMap(({ envs }) => mapsOf(envs).map(({ key, value }) => [textOf(key) ?? '', value] as const)),
      file,
      asked,
    );
    const makes = mapsOf(spec.databases)
      .filter(({ production }) => production !== true)
      .map(({ engine, name }) => ({
        service: engines[textOf(engine) ?? 'PG'] ?? 'postgres',
        what: `the database ${textOf(name) ?? ''} of the app's spec`,
      }));
    const hosts = parts.map(
      (part): HostEvidence =>
        evidence(file, {
          provider: 'digitalocean',
          by: isButton ? 'word' : 'config',
          folder: joined(base, (textOf(part.source_dir) ?? '').replace(/^\//, '')) ?? base,
          line: lineOf(file.text, textOf(part.name) ?? 'services'),
          ids: idsOf({ application: spec.name, region: spec.region }),
          builds: 'host',
          ...(makes.length > 0 && { makes }),
          ...namesIn(variables),
        }),
    );
    return { hosts, variables };
  }),
];
