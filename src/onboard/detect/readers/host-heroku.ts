import type { Fact, FactReader, HostEvidence } from '../facts.ts';
import { folderOf } from '../paths.ts';
import { dataReader, evidence, listOf, mapOf, namesIn, pairsOf, textOf, variablesIn } from './host-file.ts';
import { startedIn } from './shell.ts';

/** Add-ons under another name than the service that they are. The others have the service's name. */
const addons: { readonly [addon: string]: string } = {
  'heroku-postgresql': 'postgres',
  'heroku-redis': 'redis',
  'heroku-kafka': 'kafka',
  'heroku-inference': 'heroku_inference',
  redistogo: 'redis',
  rediscloud: 'redis',
  openredis: 'redis',
  'stackhero-redis': 'redis',
  cloudamqp: 'rabbitmq',
  jawsdb: 'mysql',
  'jawsdb-maria': 'mysql',
  cleardb: 'mysql',
  mongolab: 'mongodb',
  ormongo: 'mongodb',
  bonsai: 'elasticsearch',
  searchbox: 'elasticsearch',
  foundelasticsearch: 'elasticsearch',
  memcachier: 'memcached',
  memcachedcloud: 'memcached',
  bucketeer: 's3',
  cloudcube: 's3',
  algoliasearch: 'algolia',
  honeybadger: 'honeybadger',
  sumologic: 'sumo_logic',
  logdna: 'mezmo',
  logentries: 'logentries',
  hostedgraphite: 'hosted_graphite',
};

/** Add-ons that are no service of the app: a clock, a fixed address. */
const skipped = /^(?:scheduler|fixie|quotaguard|quotaguardstatic|deployhooks|ssl|process-scheduler|advanced-scheduler|cron-to-go)$/;

function madeBy(list: unknown, where: string): NonNullable<HostEvidence['makes']> {
  return listOf(list).flatMap((one) => {
    const plan = textOf(one) ?? textOf(mapOf(one).plan) ?? '';
    const name = plan.split(/[:\s]/, 1)[0] ?? '';
    if (!/^[a-z][\w-]*$/.test(name) || skipped.test(name)) return [];
    return [{ service: addons[name] ?? name.replaceAll('-', '_'), what: `the add-on ${name} of ${where}` }];
  });
}

/** Expo has an `app.json` as well, with none of these keys. */
const own = ['formation', 'buildpacks', 'addons', 'stack', 'environments'];

const appJson = dataReader('heroku-app', /(?:^|\/)app\.json$/, (root, file, asked) => {
  if (!own.some((key) => key in root) || 'expo' in root) return null;
  const environments = mapOf(root.environments);
  const review = mapOf(environments.review ?? environments['pr-predestroy']);
  const variables = variablesIn(
    [...pairsOf(root.env), ...pairsOf(review.env)].map(([name, value]) => [name, mapOf(value).value ?? value] as const),
    file,
    asked,
  );
  const makes = madeBy(review.addons ?? root.addons, 'its review app');
  // A file with a logo or an address of the code is for the button by which others install the app.
  const isButton = ['logo', 'repository', 'keywords'].some((key) => key in root) && environments.review === undefined;
  const said = evidence(file, {
    provider: 'heroku',
    by: isButton ? 'word' : 'config',
    ...(environments.review !== undefined && { previews: 'each' as const }),
    ...(makes.length > 0 && { makes }),
    ...namesIn(variables),
  });
  return { hosts: [said], variables };
});

const herokuYml = dataReader('heroku-yml', /(?:^|\/)heroku\.ya?ml$/, (root, file, asked) => {
  const setup = mapOf(root.setup);
  const variables = variablesIn([...pairsOf(setup.config), ...pairsOf(mapOf(root.build).config)], file, asked);
  const makes = madeBy(setup.addons, 'its app');
  return {
    hosts: [evidence(file, { provider: 'heroku', builds: 'host', ...(makes.length > 0 && { makes }), ...namesIn(variables) })],
    variables,
  };
});

/** Other hosts read a Procfile too, so it shows Heroku only where nothing stronger names a host. */
const procfile: FactReader = {
  name: 'procfile',
  takes: (path) => /(?:^|\/)Procfile$/.test(path),
  endings: ['procfile'],
  read: ({ path, text }) => {
    const lines = text.split('\n').flatMap((line, i) => {
      const match = /^([A-Za-z0-9_-]+):[ \t]*(\S.*)$/.exec(line);
      return match ? [{ type: match[1] ?? '', command: match[2] ?? '', line: i + 1 }] : [];
    });
    if (lines.length === 0) return {};
    const facts = lines.flatMap(({ command, line }) =>
      startedIn(command).map(({ program }): Fact => ({ kind: 'command', name: program, file: path, line, use: 'runtime' })),
    );
    const schedules = lines
      .filter(({ type, command }) => /^(?:clock|scheduler|cron|beat)$/.test(type) || /\bbeat\b|clockwork/.test(command))
      .map(({ line }) => ({ file: path, line, by: 'procfile' }));
    return {
      facts,
      schedules,
      hosts: [evidence({ path, text }, { provider: 'heroku', by: 'script', folder: folderOf(path), builds: 'host' })],
    };
  },
};

export const herokuReaders: readonly FactReader[] = [appJson, herokuYml, procfile];
