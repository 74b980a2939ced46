import { join } from 'node:path';
import { type ErrorCode, errorTable, wordsOf } from '../../core/error-table.ts';
import { receiptsPrefix, type ScopeName, scopeOf } from '../../ledger/model/names.ts';
import { defaultEnvironments } from '../../plan/context.ts';
import { locatePlan } from '../../plan/locate.ts';
import { readPlanFile } from '../../plan/read-file.ts';
import { readYaml } from '../../plan/read-yaml.ts';
import { isListTree, sourceTextOf, type Tree, valueAt } from '../../plan/tree.ts';
import { repositoryFacts } from '../../platform/checkout.ts';
import { gitInCheckout, runGit } from '../../platform/git-system.ts';
import { type KeptRun, readKeptRun } from '../../report/trace/kept-run.ts';
import type { Completes } from '../command-spec.ts';
import type { CliWorld } from '../world.ts';
import type { Offer } from './words.ts';

/** The folder and the environment in which a source looks for words, and the line so far. */
export interface Place extends Pick<CliWorld, 'cwd' | 'env'> {
  readonly given: ReadonlyMap<string, readonly string[]>;
}

type Kind = Exclude<Completes, 'files' | 'folders'>;

/** The words of a kind that this machine knows. It asks no network and runs no program but git, which reaches no remote. */
export const offersOf = (kind: Kind, place: Place): Promise<readonly Offer[]> => sources[kind](place);

const sources: { readonly [kind in Kind]: (place: Place) => Promise<readonly Offer[]> } = {
  branches: async ({ cwd, env }) => {
    const refs = await refsOf(['refs/heads'], { cwd, env });
    return refs.map((ref) => ref.replace('refs/heads/', '')).flatMap((value) => (value.startsWith(receiptsPrefix) ? [] : [{ value }]));
  },
  codes: async () => (Object.keys(errorTable) as readonly ErrorCode[]).map((value) => ({ value, about: wordsOf(value).summary })),
  environments: async (place) => {
    const root = await planOf(place).catch(() => undefined);
    const named = items(valueAt(root, 'environments')).flatMap(textIn);
    return (named.length > 0 ? named : defaultEnvironments).map((value) => ({ value }));
  },
  lines: async (place) => {
    const planned = items(valueAt(await planOf(place).catch(() => undefined), 'changes')).flatMap(lineIn);
    // A destroy takes recorded lines, and the plan may have lost them.
    const ran = keptLines(readKeptRun(place.cwd));
    return [...ran, ...planned];
  },
  'missing-lines': async ({ cwd, env, given }) => {
    const [{ openRegistry }, { missingLines }] = await Promise.all([
      import('../../engine/prepare/registry.ts'),
      import('../../onboard/missing-lines.ts'),
    ]);
    // Without variables the registry loads no plugin: a TAB runs nobody's code.
    const missing = await missingLines({ cwd, env }, await openRegistry({ env: {}, cwd }));
    const taken = [...(given.get('add') ?? []), ...(given.get('adopt') ?? [])];
    return missing.filter(({ id }) => !taken.includes(id)).map(({ id, operation }) => ({ value: id, about: operation }));
  },
  operations: async ({ cwd }) => {
    const [{ openRegistry }, { operationsIn }] = await Promise.all([
      import('../../engine/prepare/registry.ts'),
      import('../../onboard/operations.ts'),
    ]);
    const known = await operationsIn(await openRegistry({ env: {}, cwd }));
    return known.map(({ name, kind }) => ({ value: name, about: kind }));
  },
  pulls: async (place) => (await sources.scopes(place)).flatMap(({ value }) => (/^pr-\d+$/.test(value) ? [{ value: value.slice(3) }] : [])),
  runs: async ({ cwd }) => {
    const kept = readKeptRun(cwd);
    const ids = (kept?.events ?? []).flatMap((event) => (event.type === 'run' && event.run !== undefined ? [event.run] : []));
    return kept ? ['last', ...ids].map((value) => ({ value, about: kept.title })) : [];
  },
  scopes: async (place) => {
    const plan = await planOf(place).then(
      (root) => ({ name: textAt(root, 'name') }),
      () => null,
    );
    const environment = place.given.get('env')?.at(-1) ?? 'preview';
    const found = await scopesOf(place);
    const ofPlan = found.filter((one) => one.environment === environment && (plan === null || one.plan === plan.name));
    return ofPlan.map(({ scope }) => ({ value: scope }));
  },
};

/** The plan of the line, mistakes and all. */
async function planOf({ cwd, given }: Place): Promise<Tree> {
  const path = await locatePlan(cwd, given.get('plan')?.at(-1) ?? null);
  return readYaml(await readPlanFile(path, path), path).root;
}

const items = (tree: Tree | undefined): readonly Tree[] => (isListTree(tree) ? tree.items : []);
const textIn = (tree: Tree): readonly string[] => sourceTextOf(tree)?.split('\n', 1) ?? [];
const textAt = (tree: Tree, key: string): string | null => sourceTextOf(valueAt(tree, key));

function lineIn(tree: Tree): readonly Offer[] {
  const id = textAt(tree, 'id');
  const operation = textAt(tree, 'recipe') ?? [textAt(tree, 'adapter'), textAt(tree, 'op')].filter((part) => part !== null).join('.');
  return id === null ? [] : [{ value: id, about: operation }];
}

const keptLines = (kept: KeptRun | null): readonly Offer[] =>
  (kept?.events ?? []).flatMap((event) => {
    if (event.type !== 'lines') return [];
    return event.lines.map(({ id, adapter, op, recipe }) => ({ value: id, about: recipe ?? `${adapter}.${op}` }));
  });

/**
 * The scopes that this machine has seen: of the last run, in a local ledger, in the branches that a `git fetch` brought, and in what earlier
 * runs remember of the remote.
 */
async function scopesOf({ cwd, env }: Place): Promise<readonly ScopeName[]> {
  const facts = await repositoryFacts(cwd, env).catch(() => null);
  const [fetched, local, remembered] = await Promise.all([
    facts ? refsOf(['refs/remotes', 'refs/heads'], { cwd, env }) : [],
    localBranches(facts?.top ?? cwd),
    facts?.remote ? rememberedRefs(facts.remote.reveal(), { cwd, env }) : [],
  ]);
  const branches = [...fetched.map((ref) => ref.replace(/^refs\/remotes\/[^/]+\//, '')), ...local, ...remembered];
  return [...lastScope(readKeptRun(cwd)), ...branches.map(scopeOf).filter((scope) => scope !== null)];
}

/** The last word of the title of a run: `apply --destroy preview/pr-12`. */
function lastScope(kept: KeptRun | null): readonly ScopeName[] {
  const { environment, scope } =
    /^(?:plan|apply)(?: --[a-z]+)* (?<environment>[^\s/]+)\/(?<scope>\S+)$/.exec(kept?.title ?? '')?.groups ?? {};
  return environment === undefined || scope === undefined ? [] : [{ environment, plan: null, scope }];
}

async function refsOf(below: readonly string[], { cwd, env }: Pick<Place, 'cwd' | 'env'>): Promise<readonly string[]> {
  const args = ['for-each-ref', '--format=%(refname)', `--count=${mostRefs}`, ...below];
  const { stdout } = await runGit(args, { cwd, env: gitInCheckout(env), timeoutMs: 1_000 });
  return stdout.split('\n').filter((ref) => ref !== '');
}

/** More than anybody reads of. */
const mostRefs = 5_000;

async function localBranches(top: string): Promise<readonly string[]> {
  const { openLocalStore } = await import('../../ledger/stores/local/local-store.ts');
  const branches = await openLocalStore({ folder: join(top, '.pilotfish', 'ledger'), ground: top }).list(receiptsPrefix);
  return branches.map(({ branch }) => branch);
}

async function rememberedRefs(url: string, { cwd, env }: Pick<Place, 'cwd' | 'env'>): Promise<readonly string[]> {
  const [{ cachePlace }, { rememberedIn }] = await Promise.all([
    import('../../ledger/stores/git/git-cache.ts'),
    import('../../ledger/stores/git/git-known.ts'),
  ]);
  return rememberedIn(cachePlace({ url, cwd, env }));
}
