import { join } from 'node:path';
import fc from 'fast-check';
import { commands } from '../../../src/cli/flags.ts';
import { lines, planOf } from '../../lifecycle/shop.ts';
import { mutateBytes } from '../bytes.ts';
import { addForeign, foreignProblem } from '../foreign.ts';
import { bytesOf, type Input, type Kind, part } from '../kind.ts';
import { judge, writtenByPlan } from '../oracle.ts';
import type { Random } from '../random.ts';
import { mutateJson } from '../structure.ts';
import { freshWorld, invoke, lay } from '../world.ts';

const plan = planOf(
  lines.dns,
  `
  - id: variable
    adapter: vercel
    op: env
    project: shop
    key: PRICE
    value: "7"
    git_branch: \${ctx.git.branch}`,
);
const sha = '1'.repeat(40);

const events: readonly [unknown, ...unknown[]] = [
  {
    action: 'synchronize',
    number: 12,
    pull_request: { number: 12, state: 'open', head: { sha, ref: 'feature', repo: { full_name: 'acme/shop' } }, base: { ref: 'main' } },
    repository: { full_name: 'acme/shop', default_branch: 'main' },
  },
  {
    action: 'closed',
    number: 12,
    pull_request: { number: 12, state: 'closed', merged: true, head: { sha, ref: 'feature' }, base: { ref: 'main' } },
    repository: { full_name: 'acme/shop' },
  },
  {
    deployment_status: { id: 1, state: 'success', target_url: 'https://shop-git-feature.vercel.app', environment: 'Preview' },
    deployment: { id: 2, sha, ref: 'feature', environment: 'Preview', task: 'deploy', payload: {} },
    repository: { full_name: 'acme/shop' },
  },
];

let place = '';
const prepare = async (folder: string): Promise<void> => {
  place = join(folder, 'surroundings');
};

/** The file that the code host leaves for a job. */
const eventKind: Kind = {
  name: 'event files',
  share: 6,
  prepare,
  make: (random) => {
    const event = random.pick(events);
    const bytes = Buffer.from(JSON.stringify(event, null, 2));
    const mutated = random.chance(0.35)
      ? mutateBytes(bytes, random, [Buffer.from(plan)])
      : Buffer.from(JSON.stringify(mutateJson(event, random, [...events])) ?? '');
    const name = random.pick(['pull_request', 'deployment_status', 'push', 'workflow_dispatch']);
    const command = random.pick(['plan', 'plan', 'apply', 'apply --destroy']);
    const scope = random.chance(0.5) ? ' --scope pr-12' : '';
    return { how: `${name} ${command}${scope}`, parts: [part('event.json', mutated)] };
  },
  run: async (input) => {
    const world = freshWorld(4);
    addForeign(world);
    await lay(place, { 'release.plan.yaml': plan, 'event.json': bytesOf(input, 'event.json') ?? '' });
    const [name = '', ...argv] = input.how.split(' ');
    const env = {
      ...world.env,
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_NAME: name,
      GITHUB_EVENT_PATH: join(place, 'event.json'),
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_SHA: sha,
    };
    world.begin();
    const ended = await invoke(world, { folder: place, argv: [...argv, '--json'], env });
    const outcome = judge(ended, world, { json: true });
    const written = argv[0] === 'plan' ? writtenByPlan(world) : null;
    return { ...outcome, finding: outcome.finding ?? written ?? foreignProblem(world) };
  },
};

/** Variables that pilotfish, git or node's own code look at. */
const variables: readonly [string, ...string[]] = [
  'PILOTFISH_LEASE_MS',
  'PILOTFISH_REQUEST_DEADLINE_MS',
  'PILOTFISH_PLUGINS',
  'CLOUDFLARE_API_TOKEN',
  'CLOUDFLARE_API_URL',
  'GITHUB_API_URL',
  'GITHUB_SERVER_URL',
  'GITHUB_REPOSITORY',
  'GITHUB_EVENT_PATH',
  'GITHUB_EVENT_NAME',
  'GITHUB_ACTIONS',
  'GITHUB_REF',
  'GITHUB_HEAD_REF',
  'GITHUB_SHA',
  'GITHUB_TOKEN',
  'CI',
  'NO_COLOR',
  'FORCE_COLOR',
  'TERM',
  'COLUMNS',
  'HOME',
  'XDG_CACHE_HOME',
  'HTTPS_PROXY',
  'NO_PROXY',
  'TZ',
  'LANG',
];

const value: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1.5',
    '1e400',
    'nan',
    '99999999999999',
    'true',
    'https://api.cloudflare.com/client/v4/',
    'https://user:pass-word@evil.example/x?y#z',
    'http://[::1',
    'ftp://x',
    '//x',
    'file:///etc',
    'node:fs',
    './release.plan.yaml',
    './nothing.mjs',
    'data:text/javascript,throw 1',
    'a,b,,c',
    '/dev/null',
    '/',
    'acme',
    'acme/shop/x',
    '../..',
    'refs/pull/12/merge',
    '\u001b[31m',
    '\r\nx: y',
    'é\u202e',
    'x'.repeat(5_000),
    'short',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.integer().map(String),
  fc.webUrl(),
);

/** The environment of a process is text without zero bytes. */
const asVariable = (text: string): string => text.replaceAll('\0', '');

const environmentKind: Kind = {
  name: 'environment variables',
  share: 3,
  prepare,
  make: (random) => ({
    how: random.pick(['plan', 'apply', 'apply --destroy']),
    parts: Array.from({ length: 1 + random.int(3) }, () => part(random.pick(variables), asVariable(random.sample(value)))),
  }),
  run: async (input) => {
    const world = freshWorld(5);
    addForeign(world);
    await lay(place, { 'release.plan.yaml': plan });
    const given = Object.fromEntries(input.parts.map(({ name, bytes }) => [name, bytes.toString('utf8')]));
    world.begin();
    const argv = [...input.how.split(' '), '--scope', 'pr-12', '--json'];
    const ended = await invoke(world, { folder: place, argv, env: { ...world.env, ...given } });
    const outcome = judge(ended, world, {
      json: true,
      // The command line of these runs names a scope that only an apply makes.
      placeless: ({ code, detail, fix }) =>
        code === 'USAGE' && !/^No run .*ever had/.test(detail) && !input.parts.some(({ name }) => `${detail} ${fix}`.includes(name)),
    });
    return { ...outcome, finding: outcome.finding ?? (input.how === 'plan' ? writtenByPlan(world) : null) ?? foreignProblem(world) };
  },
};

const flags = [...new Set(commands.flatMap((command) => command.flags.map((flag) => flag.name)))];

function argument(random: Random): string {
  const flag = `--${random.any(flags) ?? 'json'}`;
  const text = random.sample(value);
  return random.pick([
    flag,
    flag,
    `${flag}=${text}`,
    text,
    random.pick(['plan', 'apply', 'init', 'pr-12', 'preview', 'production', '12', '10m', 'dns', 'release.plan.yaml', 'plain', 'none']),
    random.pick([
      '--',
      '-',
      '-v',
      '-h',
      '--help',
      '--version',
      '---',
      '--=',
      '--__proto__',
      '--constructor=1',
      '--no-json',
      '-abc',
      '--json=',
    ]),
    mutateBytes(Buffer.from(flag), random).subarray(0, 2_000).toString('utf8'),
  ]);
}

/** A trace is written to where the flag says, and nowhere else: here that is always a folder of the trial. */
const keepsToItsFolder = (argv: readonly string[]): readonly string[] =>
  argv.map((one, i) => (argv[i - 1] === '--trace' ? 'trace' : one.startsWith('--trace=') ? '--trace=trace' : one));

const argumentsKind: Kind = {
  name: 'arguments',
  share: 4,
  prepare,
  make: (random) => {
    const first = random.chance(0.85) ? [random.pick(['plan', 'apply', 'init'])] : [];
    const scope = random.chance(0.7) ? ['--scope', 'pr-12'] : [];
    const json = random.chance(0.5) ? ['--json'] : [];
    const rest = Array.from({ length: random.int(6) }, () => argument(random));
    return { how: 'arguments', parts: [...first, ...scope, ...rest, ...json].map((text, i) => part(String(i), asVariable(text))) };
  },
  run: async (input: Input) => {
    const world = freshWorld(6);
    addForeign(world);
    await lay(place, { 'release.plan.yaml': plan });
    const argv = keepsToItsFolder(input.parts.map(({ bytes }) => bytes.toString('utf8')));
    world.begin();
    const ended = await invoke(world, { folder: place, argv });
    const typed = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
    const json = typed.some((one) => one === '--json' || one.startsWith('--json='));
    const outcome = judge(ended, world, { json });
    return { ...outcome, finding: outcome.finding ?? (argv[0] === 'plan' ? writtenByPlan(world) : null) ?? foreignProblem(world) };
  },
};

export const surroundingKinds: readonly Kind[] = [eventKind, environmentKind, argumentsKind];
