import type { Asked, Fact, FactReader, Reading, SourceFile } from '../facts.ts';
import { dataReader, evidence, lineOf, listOf, mapOf, mapsOf, namesIn, pairsOf, variablesIn } from './host-file.ts';
import { idsOf } from './host-ids.ts';

/** Keys of bindings. Each is a product of Cloudflare that the Worker uses. */
const bindings = [
  'd1_databases',
  'kv_namespaces',
  'r2_buckets',
  'queues',
  'hyperdrive',
  'durable_objects',
  'ai',
  'vectorize',
  'browser',
  'analytics_engine_datasets',
  'workflows',
  'images',
  'send_email',
];

/**
 * A configuration of Wrangler, under any name: the program takes others by a flag. A project of Pages has the folder of its build. What has
 * a program or assets of its own is a Worker.
 */
export function readWrangler(root: Record<string, unknown>, file: SourceFile, asked: Asked): Reading {
  const environments = Object.values(mapOf(root.env)).map(mapOf);
  const all = [root, ...environments];
  const isPages = root.pages_build_output_dir !== undefined;
  const variables = variablesIn(
    all.flatMap(({ vars }) => pairsOf(vars)),
    file,
    asked,
  );
  const account = typeof root.account_id === 'string' && /^[0-9a-f]{32}$/.test(root.account_id) ? root.account_id : undefined;
  const said = evidence(file, {
    provider: 'cloudflare',
    product: isPages ? 'pages' : 'workers',
    ids: idsOf({ [isPages ? 'project_name' : 'application']: root.name, account_id: account }),
    ...(all.some(({ preview_urls }) => preview_urls === true) && { previews: 'each' as const }),
    ...namesIn(variables),
  });
  const facts = bindings
    .filter((key) => all.some((one) => isBound(one[key])))
    .map((key): Fact => ({ kind: 'key', name: `wrangler.toml#/${key}`, file: file.path, line: lineOf(file.text, key), use: 'runtime' }));
  const crons = mapOf(root.triggers).crons;
  const schedules = listOf(crons).length > 0 ? [{ file: file.path, line: lineOf(file.text, 'crons'), by: 'cloudflare' }] : [];
  return { hosts: [said], facts, variables, schedules };
}

/** A list with an item, or a map with a key. */
const isBound = (value: unknown): boolean => mapsOf(value).length > 0 || Object.keys(mapOf(value)).length > 0;

/** Keys that only such a configuration has. */
export const isWrangler = (root: Record<string, unknown>): boolean =>
  root.compatibility_date !== undefined ||
  root.pages_build_output_dir !== undefined ||
  (root.main !== undefined && root.name !== undefined && bindings.some((key) => key in root));

export const cloudflareReaders: readonly FactReader[] = [
  dataReader('wrangler-json', /(?:^|\/)wrangler(?:[.-][\w-]+)*\.jsonc?$/, readWrangler),
];
