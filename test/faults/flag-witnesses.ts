import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { seed } from 'pilotfish-sandbox/all';
import { rollbar } from 'pilotfish-sandbox/rollbar';
import { type Mode, modes } from '../../src/cli/modes.ts';
import { openLocalStore } from '../../src/ledger/stores/local/local-store.ts';
import { leaseFact } from '../../src/ledger/writer/lease.ts';
import { openPulls, type Pulls, shaA } from '../lifecycle/pulls.ts';
import { lines, openRecord, planOf } from '../lifecycle/shop.ts';
import { commandLine } from '../support/command-line.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** What a person, a provider, a code host and the ledger can see of one command. */
export interface Seen {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Path and text of each file, the ledger's own apart. */
  readonly files: { readonly [path: string]: string };
  readonly records: readonly string[];
  readonly comments: number;
  /** Each receipts branch, with the newest receipt in it. */
  readonly receipts: { readonly [branch: string]: string };
}

/** A scene in which a flag has an effect: the same command is run without it and with it. */
export interface Witness {
  /** In place of what names the scope. */
  readonly base?: readonly string[];
  readonly add: readonly string[];
  /** The part that the flag is about. */
  readonly see: (seen: Seen) => unknown;
  readonly prepare?: (pulls: Pulls) => Promise<void>;
  readonly env?: { readonly [name: string]: string };
  readonly plan?: string;
  /** A person at a terminal types this when the run asks. */
  readonly types?: string;
}

const both = planOf(lines.dns, lines.alias).replace(
  'version: 1\n',
  'version: 1\nenvironments: [preview, staging, production]\nexports: { HOST: { from: dns.hostname } }\n',
);

async function startOf(mode: Mode, { prepare, plan = both }: Witness): Promise<Pulls> {
  const pulls = await openPulls(plan);
  pulls.pulls.world.open(12, shaA);
  if (!mode.startsWith('init')) await pulls.apply({ pr: 12, env: { GITHUB_REPOSITORY: 'acme/shop' } });
  if (mode.endsWith('--closed')) pulls.pulls.world.close(12);
  if (mode === 'plan --run last') await commandLine(pulls, ['plan', '--scope', 'pr-12']);
  if (mode === 'sandbox') await installSandbox(pulls.folder);
  if (mode === 'ledger') await openPlaces(pulls);
  await prepare?.(pulls);
  return pulls;
}

/** A checkout with a remote, and a ledger on this machine whose scope a dead run holds. */
async function openPlaces({ folder, clock }: Pulls): Promise<void> {
  const git = (...args: readonly string[]) =>
    promisify(execFile)('git', ['-C', folder, ...args], { env: { ...process.env, HOME: folder } });
  await git('init', '--quiet');
  // A remote inside of the checkout would be refused.
  const remote = await tempFolder('remote');
  await git('init', '--quiet', '--bare', remote);
  await git('remote', 'add', 'origin', remote);
  const store = openLocalStore({ folder: join(folder, '.pilotfish/ledger'), ground: folder });
  const terms = { holder: 'ci/7', run: 'abcdefabcdef', durationMs: 120_000, deadlineMs: 30_000 };
  const lease = new Map([['lease.json', JSON.stringify(leaseFact(terms, 1, clock.now()))]]);
  await store.append('pilotfish-receipts/preview/pr-12', lease, null, 'a run begins');
  await store.close();
}

/** A sandbox that writes down what it was given and ends: the real one stands until somebody ends it. */
async function installSandbox(folder: string): Promise<void> {
  const at = join(folder, 'node_modules/pilotfish-sandbox');
  await mkdir(at, { recursive: true });
  await writeFile(join(at, 'package.json'), JSON.stringify({ version: '0.1.0', bin: { 'pilotfish-sandbox': 'end.js' } }));
  await writeFile(join(at, 'end.js'), "require('node:fs').writeFileSync('given', process.argv.slice(2).join(' '))");
}

async function filesOf(folder: string): Promise<Seen['files']> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  const own = all.filter((file) => file.isFile() && !/\.pilotfish|node_modules/.test(file.parentPath));
  return Object.fromEntries(
    await Promise.all(
      own.map(
        async (file) =>
          [join(file.parentPath, file.name).slice(folder.length), await readFile(join(file.parentPath, file.name), 'utf8')] as const,
      ),
    ),
  );
}

/** One mode with these flags, in a world of its own. */
export async function seen(mode: Mode, witness: Witness, flags: readonly string[]): Promise<Seen> {
  const pulls = await startOf(mode, witness);
  try {
    const head = pulls.remote.branches.get('pilotfish-receipts/preview/pr-12')?.head ?? '';
    const filled = (word: string): string => word.replace(/<id>|<run>/, lastRun(pulls)).replace('<commit>', head);
    const argv = [...mode.split(' '), ...(witness.base ?? baseOf(mode)), ...flags].map(filled);
    const path = process.env.PATH ?? '';
    const ended = await commandLine(pulls, argv, mode === 'ledger' ? { ...witness, env: { PATH: path, ...witness.env } } : witness);
    return {
      ...ended,
      files: await filesOf(pulls.folder),
      records: pulls.records().map(({ name }) => name),
      comments: pulls.pulls.log.filter(({ method, path }) => method === 'POST' && path.includes('/comments')).length,
      receipts: Object.fromEntries([...pulls.remote.branches].map(([name, { files }]) => [name, files.get('receipt.json') ?? ''])),
    };
  } finally {
    await pulls.close();
  }
}

const lastRun = (pulls: Pulls): string =>
  /"run":\s*"([^"]+)"/.exec(pulls.remote.branches.get('pilotfish-receipts/preview/pr-12')?.files.get('receipt.json') ?? '')?.[1] ?? '';

const looks: { readonly [mode in Mode]?: readonly string[] } = {
  list: [],
  sandbox: [],
  ledger: ['copy', 'local', 'git-branch'],
  show: ['pr-12'],
  live: ['rollbar.deploy'],
  mcp: [],
  explain: ['LEASE_HELD'],
  completion: ['bash'],
};

const baseOf = (mode: Mode): readonly string[] =>
  looks[mode] ??
  (mode.startsWith('init') || mode.endsWith('--closed') ? [] : mode.startsWith('plan --run') ? ['--trace', 'seen'] : ['--scope', 'pr-12']);

const out = ({ stdout }: Seen) => stdout;
const err = ({ stderr }: Seen) => stderr;
const next = ({ stdout }: Seen) => /^Next: (.*?)( --expect \S+)?$/m.exec(stdout)?.[1] ?? null;
const ending = ({ code, stderr }: Seen) => [code, /[A-Z]{3,}_?[A-Z]*/.exec(stderr)?.[0]];
const newest = (field: string) => (one: Seen) =>
  one.code === 0 && Object.values(one.receipts).map((text) => new RegExp(`"${field}":\\s*("[^"]*"|\\w+)`).exec(text)?.[1]);
const verdicts = ({ stdout }: Seen) => stdout.match(/^ {2}. +\w+ +\w+/gm);

const write = (name: string, text: string) => (pulls: Pulls) => writeFile(join(pulls.folder, name), text);
/** A line leaves the plan. */
const loseAlias = write('release.plan.yaml', planOf(lines.dns));
/** Its ledger is another one. */
const other = write('other.yaml', `name: other\n${both}`);
const otherAndOpen = async (pulls: Pulls): Promise<void> => {
  await other(pulls);
  pulls.pulls.world.reopen(12);
};
const named = (value: string) => both.replaceAll('cname.vercel-dns.com', `\${ctx.git.${value}}.acme.example`);
const remove = `/zones/${seed.zone.id}/dns_records/{id}`;

/** A run that dies with the lease of the scope. */
async function holdLease(pulls: Pulls): Promise<void> {
  const dead = { now: false };
  pulls.remote.before = () => {
    if (dead.now) throw new Error('the process is dead');
  };
  for (const simulation of pulls.simulations)
    simulation.watch(({ method }) => {
      if (method === 'DELETE' || dead.now) {
        if (ended) return;
        dead.now = true;
        throw new Error('the process is dead');
      }
    });
  let ended = false;
  await pulls.destroy({ only: ['alias'] }).catch(() => null);
  ended = true;
  dead.now = false;
}

/** The object is said to be there for good, whatever was deleted. */
async function neverGone(pulls: Pulls): Promise<void> {
  const [record] = pulls.records();
  pulls.world.cloudflare.faults.times(100_000, `GET /client/v4/zones/${seed.zone.id}/dns_records/${record?.id}`, 200, {
    success: true,
    errors: [],
    messages: [],
    result: record,
  });
}
const slowToGo = openRecord({ more: [] }).replace(
  `delete: { path: "${remove}" }`,
  `delete: { path: "${remove}", until_gone: { path: "${remove}", seconds: 3000 } }`,
);
const slowToCome = openRecord({ more: ['ready: { path: /comment, value: done }'] });

const lacking = write('package.json', JSON.stringify({ name: 'shop', dependencies: { stripe: '^1.0.0', next: '^15.0.0' } }));
const sentElsewhere = write(
  'release.plan.yaml',
  both.replace('changes:', 'providers: { http: { cloudflare: { base_url: "https://cloudflare.acme.example" } } }\nchanges:'),
);
const unset = { CLOUDFLARE_API_TOKEN: '' };
const planText = ({ files }: Seen) => files['/release.plan.yaml'];

const told = (one: Seen) => [ending(one), verdicts(one), /destroyed|would destroy/.test(one.stdout)];
const traced = ({ files }: Seen) => Object.keys(files).filter((name) => name.startsWith('/seen/')).length;
const isColoured = ({ stdout, stderr }: Seen) => (stdout + stderr).includes('\u001b[');

const everywhere = (witness: Witness): { readonly [mode in Mode]: Witness } =>
  Object.fromEntries(modes.map((mode) => [mode, witness])) as { readonly [mode in Mode]: Witness };

/** A proof from its begin to its report. */
const proof = ['rollbar.deploy', '--with', 'environment=${ctx.scope}', '--yes'];
const account = { ROLLBAR_ACCESS_TOKEN: rollbar().tokens.full };

type Each = { readonly [mode in Mode]?: Witness } | Witness;

/** For each flag, what it does: everywhere, or by mode. `leads`: it makes the command another mode, which has a witness of its own. */
export const witnesses: { readonly [flag: string]: Each } = {
  add: { add: ['--add', 'payments'], prepare: lacking, see: planText, env: unset },
  adopt: { add: ['--adopt', 'payments'], prepare: lacking, see: planText, env: unset },
  setup: { add: ['--setup'], see: out, env: unset },
  'send-to': {
    add: ['--send-to', 'cloudflare.acme.example'],
    prepare: sentElsewhere,
    see: ({ stdout }) => stdout.includes('It was not sent to'),
    env: {},
  },
  yes: {
    init: { add: ['--yes'], see: err, env: unset },
    'init --setup': { add: ['--yes'], see: out, env: unset },
    apply: {
      add: ['--yes'],
      base: ['--scope', 'pr-12', '--prune'],
      prepare: loseAlias,
      types: 'no\r',
      see: ({ code, records }) => [code, records],
    },
    live: { add: ['--yes'], env: account, see: ending },
    'apply --destroy': { add: ['--yes'], types: 'no\r', see: ({ code, records }) => [code, records] },
    'apply --destroy --closed': { add: ['--yes'], types: 'no\r', see: ({ code, records }) => [code, records] },
  },
  json: { add: ['--json'], see: ({ stdout }) => stdout.startsWith('{'), env: {} },
  'no-color': {
    ...everywhere({ add: ['--no-color'], env: { FORCE_COLOR: '1', ...unset }, see: isColoured }),
    // What is told of a trace has no colour but for its mistakes.
    'plan --run <id>': { add: ['--no-color'], env: { FORCE_COLOR: '1' }, prepare: write('seen', ''), see: isColoured },
    'plan --run last': { add: ['--no-color'], env: { FORCE_COLOR: '1' }, prepare: write('seen', ''), see: isColoured },
  },
  plan: {
    ...everywhere({ add: ['--plan', 'other.yaml'], prepare: other, see: told }),
    'plan --run <id>': { add: ['--plan', 'other.yaml'], prepare: other, base: ['--trace', 'seen', '--scope', 'pr-12'], see: ending },
    list: { add: ['--plan', 'other.yaml'], prepare: other, see: out },
    // A scope of another plan is told of only where the sweep ends it.
    'plan --destroy --closed': { add: ['--plan', 'other.yaml'], prepare: otherAndOpen, see: out },
    'apply --destroy --closed': { add: ['--plan', 'other.yaml'], prepare: otherAndOpen, see: out },
  },
  html: { add: ['--html', 'seen.html'], see: ({ files }) => Object.keys(files) },
  env: { add: ['--env', 'staging'], see: ({ code, stdout }) => [code, stdout.includes('staging')] },
  scope: {
    ...everywhere({ add: ['--scope', 'pr-13'], base: ['--pr', '12'], see: told }),
    'plan --run <id>': { add: ['--scope', 'pr-13'], see: ending },
  },
  pr: { ...everywhere({ add: ['--pr', '12'], base: [], see: ending }), 'plan --run <id>': { add: ['--pr', '13'], see: ending } },
  branch: {
    live: { add: ['--branch', 'topic'], base: [...proof, '--with', 'revision=${ctx.git.branch}'], env: account, see: ending },
    plan: { add: ['--branch', 'topic'], plan: named('branch'), see: ending },
    'plan --destroy': { add: ['--branch', 'topic'], see: next },
    apply: { add: ['--branch', 'topic'], plan: named('branch'), see: ending },
    run: { add: ['--branch', 'topic'], plan: named('branch'), see: ending },
    'apply --destroy': { add: ['--branch', 'topic'], see: newest('branch') },
  },
  sha: {
    live: { add: ['--sha', 'c'.repeat(40)], base: [...proof, '--with', 'revision=${ctx.git.sha}'], env: account, see: ending },
    plan: { add: ['--sha', 'c'.repeat(40)], plan: named('sha'), see: ending },
    'plan --destroy': { add: ['--sha', 'c'.repeat(40)], see: next },
    apply: { add: ['--sha', 'c'.repeat(40)], plan: named('sha'), see: ending },
    run: { add: ['--sha', 'c'.repeat(40)], plan: named('sha'), see: ending },
    'apply --destroy': { add: ['--sha', 'c'.repeat(40)], see: newest('commit') },
  },
  only: {
    plan: { add: ['--only', 'dns'], see: verdicts },
    'plan --destroy': { add: ['--only', 'alias'], see: verdicts },
    apply: { add: ['--only', 'dns'], see: verdicts },
    'apply --destroy': { add: ['--only', 'alias'], see: ({ records }) => records },
  },
  prune: {
    plan: { add: ['--prune'], prepare: loseAlias, see: ({ stdout }) => stdout.includes('1 orphan to prune') },
    apply: { add: ['--prune'], prepare: loseAlias, see: ({ records }) => records },
  },
  orphans: {
    'plan --destroy': { add: ['--orphans'], prepare: loseAlias, see: verdicts },
    'apply --destroy': { add: ['--orphans'], prepare: loseAlias, see: ({ records }) => records },
  },
  recreate: { add: ['--recreate', 'alias'], see: verdicts },
  reconcile: {
    add: ['--reconcile'],
    plan: openRecord({ remove }),
    prepare: write('release.plan.yaml', openRecord({ remove: `${remove}?again=1` })),
    see: verdicts,
  },
  'put-back': {
    add: ['--put-back'],
    plan: `${both}drift: report\n`,
    prepare: async (pulls) => {
      for (const record of pulls.records()) Object.assign(record, { content: 'elsewhere.example' });
    },
    see: verdicts,
  },
  destroy: { add: ['--destroy'], see: verdicts },
  'approved-by': {
    add: ['--approved-by', 'ann'],
    base: ['--env', 'production'],
    prepare: async (pulls) => void (await pulls.apply({ environment: 'production', scope: 'production', approvedBy: 'ben' })),
    see: ({ code, stdout }) => [code, stdout.includes('--approved-by <name>')],
  },
  comment: { add: ['--comment'], base: ['--pr', '12'], see: ({ comments }) => comments },
  trace: {
    ...everywhere({ add: ['--trace', 'seen'], see: traced }),
    'plan --run <id>': { add: ['--trace', 'seen'], base: [], see: traced },
    'plan --run last': { add: ['--trace', 'seen'], base: [], see: traced },
  },
  progress: { add: ['--progress', 'live'], see: err },
  events: { add: ['--events'], see: err },
  run: { add: ['--run', '<run>'], base: ['--scope', 'pr-12', '--trace', 'seen'], see: ({ stdout }) => stdout.split(' ', 3) },
  expect: { add: ['--expect', '0000000000000000'], see: ({ code, records }) => [code, records] },
  'if-from': { add: ['--if-from', 'web', '--', 'true'], see: ({ stderr }) => stderr.includes('was not started') },
  'plan-from': { add: ['--plan-from', 'f'.repeat(40)], see: ({ code }) => code },
  'restore-ledger': { add: ['--restore-ledger', '<commit>'], see: ({ stdout }) => stdout.includes('was restored') },
  'trust-ledger': { add: ['--trust-ledger', '0000000'], see: ({ code }) => code },
  closed: { add: ['--closed'], base: [], see: ending },
  expired: {
    add: ['--expired'],
    plan: both.replace('version: 1\n', 'version: 1\nlifetime: { idle: 1d }\n'),
    prepare: async (pulls) => {
      pulls.pulls.world.reopen(12);
      await pulls.clock.sleep(2 * 86_400_000);
    },
    see: ({ stdout }) => stdout.match(/would destroy|destroyed/),
  },
  'keep-receipts': {
    add: ['--keep-receipts', '30'],
    prepare: async (pulls) => {
      await pulls.destroy({ pr: 12, env: { GITHUB_REPOSITORY: 'acme/shop' } });
      await pulls.clock.sleep(10 * 86_400_000);
    },
    see: ({ receipts }) => Object.keys(receipts),
  },
  'lease-timeout': {
    ...everywhere({ add: ['--lease-timeout', '1s'], prepare: holdLease, see: ({ code }) => code }),
    ledger: { add: ['--lease-timeout', '1s'], see: ({ code }) => code },
  },
  'dry-run': { add: ['--dry-run'], see: out },
  'wait-timeout': {
    apply: { add: ['--wait-timeout', '7s'], plan: slowToCome, see: ({ stderr, stdout }) => /\b7 s\b/.test(stderr + stdout) },
    'apply --destroy': {
      add: ['--wait-timeout', '7s'],
      plan: slowToGo,
      prepare: neverGone,
      see: ({ stderr, stdout }) => /\b7 s\b/.test(stderr + stdout),
    },
    'apply --destroy --closed': {
      add: ['--wait-timeout', '7s'],
      plan: slowToGo,
      prepare: neverGone,
      see: ({ stderr, stdout }) => /\b7 s\b/.test(stderr + stdout),
    },
  },
  with: { add: ['--with', 'revision=7'], see: err },
  line: { add: ['--line', 'line.yaml'], prepare: write('line.yaml', 'revision: 7'), see: err },
  folder: { add: ['--folder', 'proofs'], see: err },
  leave: { add: ['--leave'], base: ['sentry.deploy'], see: err },
  report: {
    add: ['--report', 'seen.json'],
    base: [...proof, '--with', 'revision=7'],
    env: account,
    see: ({ files }) => Object.keys(files),
  },
  server: {
    add: ['--server', 'a server of ours'],
    base: [...proof, '--with', 'revision=7', '--report', 'seen.json'],
    env: account,
    see: ({ files }) => files['/seen.json'],
  },
  port: { add: ['--port', '4400'], see: ({ files }) => files['/given'] },
  state: { add: ['--state', 'kept'], see: ({ files }) => files['/given'] },
  help: { add: ['--help'], see: ({ stdout }) => stdout.startsWith('Usage') },
  version: { add: ['--version'], see: ({ stdout }) => /^\d+\.\d+\.\d+\n$/.test(stdout) },
};

/** A value that the parser takes, for a flag that is refused. */
export const sampleOf: { readonly [flag: string]: string } = {
  pr: '12',
  port: '4400',
  'keep-receipts': '7',
  'lease-timeout': '5s',
  'wait-timeout': '5s',
  progress: 'none',
  'plan-from': 'f'.repeat(40),
};

export function witnessOf(flag: string, mode: Mode): Witness | null {
  const of = witnesses[flag];
  if (!of) return null;
  if ('add' in of) return of as Witness;
  return of[mode] ?? null;
}
