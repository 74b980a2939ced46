import { join } from 'node:path';
import { isMap } from '../../../src/core/json.ts';
import { bytesOf, type Input, type Kind, type Outcome, part } from '../kind.ts';
import { judge, writtenByPlan } from '../oracle.ts';
import { mutateJson, replaced } from '../structure.ts';
import { freshWorld, invoke, lay } from '../world.ts';

/** A member that is code. */
const code = (text: string): { readonly $code: string } => ({ $code: text });

/** A plugin as data: an adapter, a recipe family and a secret source. */
const plugin: unknown = {
  adapter: {
    name: 'bakery',
    title: 'Bakery',
    docs: 'https://bakery.example/docs',
    provider: { base_url: 'https://bakery.example/v1', auth: { bearer_env: 'BAKERY_KEY' }, headers: { 'x-from': 'fuzz' } },
    setup: { page: 'https://bakery.example/keys', needs: 'A key.', check: { method: 'GET', path: '/loaves' } },
    ops: {
      loaf: {
        kind: 'object',
        doc: 'A loaf by its name.',
        params: {
          name: { type: 'string', required: true, doc: 'Its name.' },
          grain: { type: 'string', enum: ['rye', 'wheat'], doc: 'Of what.' },
        },
        outputs: { id: { doc: 'Its id.' }, shelf: { doc: 'Where it lies.', sensitive: true } },
        outputsFor: code('() => ({ id: { doc: "Its id." } })'),
        providerFor: code('(block) => block'),
        bind: code(`({ name, grain }) => (BOUND)`),
      },
    },
  },
  bound: {
    kind: 'object',
    key: code('`loaf:${name}`'),
    fields: { grain: code('grain') },
    immutable: ['grain'],
    reach: {
      kind: 'object',
      find: { request: { method: 'GET', path: '/loaves' }, list: '/items', match: { '/name': code('name') }, id: '/id' },
      remove: { method: 'DELETE', path: '/loaves/{id}' },
    },
    find: code('async (io) => (FOUND)'),
    create: code('async (io, desired) => (LIVE)'),
    update: code('async (io, live) => live'),
    ready: code('async (io, live) => ({ state: "ready", live })'),
    output: code('async () => "x"'),
  },
  found: [],
  live: { id: 'w1', values: { grain: 'rye' }, outputs: { id: 'w1', shelf: 'shelf-of-the-bakery' } },
  family: { name: 'oven', load: code('async () => (ADAPTER)') },
  source: { scheme: 'safe', resolve: code('async () => "value-of-the-safe"') },
  register: code('(registry) => { registry.addAdapter(ADAPTER); registry.addFamily(FAMILY); registry.addSecretSource(SOURCE); }'),
};

const plan = `version: 1
changes:
  - id: loaf
    adapter: bakery
    op: loaf
    name: loaf-\${ctx.scope}
    grain: rye
  - id: hook
    recipe: github.repo_webhook
    repo: acme/shop
    url: https://\${ctx.scope}.acme.example
    secret: { secret: "safe://hook" }
    depends_on: [loaf]
`;

/** What code of a plugin may give in the place of anything else. */
const oddCode: readonly [string, ...string[]] = [
  'undefined',
  '() => { throw new Error("plugin says no") }',
  '() => { throw undefined }',
  '() => { throw "text" }',
  '() => Promise.reject(new TypeError("later"))',
  '() => undefined',
  '() => null',
  '() => 7',
  '() => []',
  '() => [{}]',
  '() => [{ id: 7 }]',
  '() => ({ then: 7 })',
  '() => ({ get id() { throw new Error("getter") } })',
  'Symbol("x")',
  '10n',
  'NaN',
  'new Date(NaN)',
  'new Map()',
  'new Proxy({}, { get() { throw new Error("proxy") } })',
  'Object.create(null)',
  'class X {}',
  '(() => { const loop = {}; loop.loop = loop; return loop })()',
];

function source(value: unknown): string {
  if (isMap(value) && typeof value.$code === 'string') return value.$code;
  if (Array.isArray(value)) return `[${value.map(source).join(', ')}]`;
  if (isMap(value))
    return `{ ${Object.entries(value)
      .map(([name, item]) => `[${JSON.stringify(name)}]: ${source(item)}`)
      .join(', ')} }`;
  return JSON.stringify(value) ?? 'undefined';
}

const member = (value: unknown, name: string): string => source(isMap(value) ? value[name] : undefined);

/** The module. Its pieces are made when they are used, so that a broken one breaks only what uses it. */
function moduleOf(value: unknown): string {
  return [
    ['FAMILY', member(value, 'family')],
    ['SOURCE', member(value, 'source')],
    ['ADAPTER', member(value, 'adapter')],
    ['BOUND', member(value, 'bound')],
    ['FOUND', member(value, 'found')],
    ['LIVE', member(value, 'live')],
  ].reduce(
    (text, [name = '', piece = '']) => text.replaceAll(name, () => piece),
    `export const register = ${member(value, 'register')};\n`,
  );
}

let place = '';
let count = 0;

/** The code of somebody else, with other members, other types and other results than it should have. */
export const pluginsKind: Kind = {
  name: 'plugins',
  share: 3,
  prepare: async (folder) => {
    place = join(folder, 'plugins');
    const honest = await runPlugin({ how: 'apply', parts: [part('plugin.mjs', moduleOf(plugin))] });
    if (honest.codes.length > 0 || honest.finding !== null) throw new Error(`the honest plugin fails: ${JSON.stringify(honest)}`);
  },
  make: (random) => {
    const odd = { $code: random.pick(oddCode) };
    const mutated = random.chance(0.6) ? replaced(plugin, random, odd) : mutateJson(plugin, random);
    const command = random.pick(['plan', 'apply', 'apply']);
    return { how: command, parts: [part('plugin.mjs', moduleOf(mutated))] };
  },
  run: runPlugin,
};

async function runPlugin(input: Input): Promise<Outcome> {
  const world = freshWorld(7);
  // Modules are kept by their address, so each trial's has its own.
  count += 1;
  const name = `plugin-${count}.mjs`;
  await lay(place, { 'release.plan.yaml': plan, [name]: bytesOf(input, 'plugin.mjs') ?? '' });
  world.begin();
  const env = { ...world.env, BAKERY_KEY: 'key-of-the-bakery', PILOTFISH_PLUGINS: `./${name}` };
  const ended = await invoke(world, { folder: place, argv: [input.how, '--scope', 'pr-12', '--json'], env });
  const outcome = judge(ended, world, {
    json: true,
    placeless: ({ code: name, detail }) => name === 'PLUGIN_FAILED' && !detail.includes('plugin'),
  });
  const leaked = `${ended.stdout}${ended.stderr}`.includes('value-of-the-safe') ? 'the secret of the source was told' : null;
  return { ...outcome, finding: outcome.finding ?? leaked ?? (input.how === 'plan' ? writtenByPlan(world) : null) };
}
