import type { Asked, FactReader, Reading, SourceFile } from '../facts.ts';
import { baseOf } from '../paths.ts';
import { isWrangler, readWrangler } from './host-cloudflare.ts';
import { dataReader, evidence, mapOf, namesIn, pairsOf, variablesIn } from './host-file.ts';
import { idsOf } from './host-ids.ts';

/** Files of tools that are no host. Most TOML files of a repository have such a name. */
const others =
  /(?:^|\/)(?:Cargo|pyproject|Pipfile|poetry|uv|netlify|book|bunfig|rustfmt|clippy|taplo|ruff|\.ruff|mise|\.mise|hugo|gradle\/libs\.versions|libs\.versions|foundry|Move|Anchor|biome|typos|_typos|deny|cliff|lefthook|supabase\/config)(?:[.-][\w-]+)*\.toml$/;

/** Hosts' configurations in TOML. Their programs take any name by a flag, so the content decides. */
export const tomlHosts: readonly FactReader[] = [
  dataReader('toml-hosts', /\.toml$/, (root, file, asked) => {
    const name = baseOf(file.path);
    if (others.test(file.path)) return null;
    if (/^wrangler\b/.test(name) || isWrangler(root)) return readWrangler(root, file, asked);
    if (isFly(root) || /^fly(?:[.-][\w-]+)*\.toml$/.test(name)) return readFly(root, file, asked);
    if (isRailway(root) || /^railway\b/.test(name)) return readRailway(root, file);
    if (/^samconfig\b/.test(name)) return { hosts: [evidence(file, { provider: 'aws_lambda' })] };
    if (root.manifest_version !== undefined && root.language !== undefined)
      return { hosts: [evidence(file, { provider: 'fastly_compute' })] };
    return null;
  }),
  dataReader('fly-json', /(?:^|\/)fly(?:[.-][\w-]+)*\.(?:json|ya?ml)$/, (root, file, asked) =>
    isFly(root) ? readFly(root, file, asked) : null,
  ),
  dataReader('railway-json', /(?:^|\/)railway(?:[.-][\w-]+)*\.json$/, (root, file) => readRailway(root, file)),
];

/** An app, and what only Fly.io has beside it. */
const isFly = (root: Record<string, unknown>): boolean =>
  typeof root.app === 'string' &&
  ['primary_region', 'http_service', 'services', 'mounts', 'vm', 'processes', 'kill_signal'].some((key) => key in root);

function readFly(root: Record<string, unknown>, file: SourceFile, asked: Asked): Reading {
  const variables = variablesIn([...pairsOf(root.env), ...pairsOf(mapOf(mapOf(root.build).args))], file, asked);
  const said = evidence(file, {
    provider: 'fly',
    builds: 'host',
    ids: idsOf({ application: root.app, region: root.primary_region }),
    ...namesIn(variables),
  });
  return { hosts: [said], variables };
}

const isRailway = (root: Record<string, unknown>): boolean =>
  /^(?:nixpacks|railpack|dockerfile|heroku|paketo)$/i.test(String(mapOf(root.build).builder ?? '')) &&
  Object.keys(root).every((key) => ['$schema', 'build', 'deploy', 'environments'].includes(key));

function readRailway(root: Record<string, unknown>, file: SourceFile): Reading {
  const hasPreviews = 'pr' in mapOf(root.environments);
  const schedules = mapOf(root.deploy).cronSchedule === undefined ? [] : [{ file: file.path, line: 0, by: 'railway' }];
  return { hosts: [evidence(file, { provider: 'railway', builds: 'host', ...(hasPreviews && { previews: 'each' as const }) })], schedules };
}
