import { readFile } from 'node:fs/promises';
import { isMap } from '../../core/json.ts';
import type { TodoDoc } from '../../engine/document.ts';
import { credentialVariables, variablesOf, withoutSecret } from '../../http/auth/variables.ts';
import type { AuthForm, ProviderBlock } from '../../http/types.ts';
import { Blocks } from '../../ops/blocks.ts';
import type { Adapter } from '../../ops/op.ts';
import type { Registry } from '../../ops/registry.ts';
import { type ResolvedOp, resolveOp } from '../../ops/resolve-op.ts';
import { credentialsNamedBy } from '../../ops/sealing-credentials.ts';
import type { Setup } from '../../ops/setup.ts';
import { planFromText } from '../../plan/load.ts';
import { Problems } from '../../plan/problems.ts';
import { type Expr, type Plan, type PlanLine, SecretRef } from '../../plan/types.ts';
import { findTodos } from '../standing.ts';
import { type ApiCheck, better, checkOf, someContext } from './check-of.ts';
import { type ByPlan, saidByPlan } from './hosts.ts';
import { type SealingNeed, sealingNeedOf } from './sealing-needs.ts';

/** A variable that a run of the plan reads. `isSecret` is false for a user name, a client id or an address. */
export interface NeededVariable {
  readonly name: string;
  readonly isSecret: boolean;
  /** Left out where it is not set: the session token of keys that may be temporary. */
  readonly isOptional?: boolean;
}

/** One API of the plan: what its credential is made of, where a person gets it, and what proves it. */
export interface ApiNeed {
  /** As messages name it: `neon`. */
  readonly provider: string;
  readonly title: string;
  /** `null` where placeholders of the plan keep it from being known. */
  readonly block: ProviderBlock | null;
  /** `null` for an API that the plan describes itself. */
  readonly setup: Setup | null;
  /** The read that proves the credential; `null` where none is known. */
  readonly check: ApiCheck | null;
  readonly variables: readonly NeededVariable[];
  /** Its settings hold a `# TODO`: its address may be anybody's, so no credential is sent there. */
  readonly isUnfinished: boolean;
  /** A program prints the credential: there is no variable to set. */
  readonly command: readonly string[] | null;
  readonly environments: readonly string[];
  /** `null` while placeholders keep the block from being known. */
  readonly byPlan: ByPlan | null;
}

/** A secret that a line takes from a variable: `{ secret: env://NAME }`. */
export interface SecretNeed {
  readonly variable: string;
  readonly lines: readonly string[];
  readonly environments: readonly string[];
}

/** Everything that a plan needs from where it runs. */
export interface PlanNeeds {
  /** Of the plan; `null` where it has none. */
  readonly name: string | null;
  readonly todos: readonly TodoDoc[];
  readonly apis: readonly ApiNeed[];
  readonly secrets: readonly SecretNeed[];
  /** Other places that secrets are read from, such as `vault`: CI signs in there in its own way. */
  readonly sources: readonly string[];
  readonly environments: readonly string[];
  /** What seals the lines that the ledger holds. */
  readonly sealing: readonly SealingNeed[];
  /** Where the plan wants its ledger; `null` where it does not say. */
  readonly receipts: Plan['receipts'];
}

export interface NeedsRequest {
  /** Absolute. */
  readonly path: string;
  /** As messages show it. */
  readonly display: string;
  readonly registry: Registry;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Reads the plan for what it needs, in all of its environments: no value of a variable is looked at but that of an address.
 * Throws every mistake of the plan together, `# TODO` apart.
 */
export async function readNeeds(request: NeedsRequest): Promise<PlanNeeds> {
  const text = await readFile(request.path, 'utf8');
  return await needsOf(text, request);
}

export async function needsOf(text: string, { path, display, registry, env }: NeedsRequest): Promise<PlanNeeds> {
  const todos = findTodos(text, path);
  const problems = new Problems();
  const readIn = (environment: string): ReturnType<typeof planFromText> =>
    planFromText(text, { path, display, context: { ...someContext, environment } });
  const { name, environments, receipts } = readIn('preview').plan;
  const found: Found[] = [];
  for (const environment of environments) {
    const { plan, problems: mistakes } = readIn(environment);
    problems.take(...mistakes.filter(({ code }) => code !== 'PLAN_TODO'));
    const blocks = new Blocks({ plan, registry, env, problems });
    const world = { plan, registry, blocks, problems, env, todos, named: credentialsNamedBy(plan) };
    for (const line of plan.lines) found.push(...(await ofLine(line, environment, world)));
  }
  problems.throwIfAny();
  return { name, todos, environments, receipts, ...merged(found) };
}

interface LineWorld {
  readonly plan: Plan;
  readonly registry: Registry;
  readonly blocks: Blocks;
  readonly problems: Problems;
  readonly env: NodeJS.ProcessEnv;
  readonly todos: readonly TodoDoc[];
  readonly named: ReadonlySet<string>;
}

type Found =
  | { readonly api: ApiNeed }
  | { readonly seal: SealingNeed }
  | { readonly variable: string; readonly line: string; readonly environment: string }
  | { readonly source: string };

async function ofLine(line: PlanLine, environment: string, world: LineWorld): Promise<Found[]> {
  const references = [...secretsIn(line.params), ...(line.credential instanceof SecretRef ? [line.credential] : [])];
  const secrets = references.map(({ reference }): Found => {
    const [scheme = '', rest = ''] = reference.split('://', 2);
    return scheme === 'env' ? { variable: rest, line: line.id, environment } : { source: scheme };
  });
  const resolved = await resolveOp(line, world.registry, world.problems);
  return [...(resolved ? await ofApi(resolved, environment, world) : []), ...secrets];
}

async function ofApi(resolved: ResolvedOp, environment: string, world: LineWorld): Promise<Found[]> {
  const { line, adapter, family, op } = resolved;
  const isHttp = adapter.name === 'http';
  const name = isHttp ? (line.api ?? family?.name) : adapter.name;
  // Of a wait the ledger holds nothing.
  const sealedBy = (api: Parameters<typeof sealingNeedOf>[1]): Found[] =>
    op.kind === 'wait' ? [] : [{ seal: sealingNeedOf(line, api, environment, world.named) }];
  if (name === undefined) {
    // An action without an API is sent without any credential; of any other line this tells what is wrong with it.
    await world.blocks.ofHttp(line, family, op);
    return sealedBy(null);
  }
  const owner = isHttp ? await ownerOf(name, family, world) : adapter;
  const spellings = isHttp ? world.registry.familySpellings(name) : [adapter.name, adapter.alias ?? adapter.name];
  const isUnfinished = hasTodo(world.todos, isHttp ? 'providers.http' : 'providers', [name, ...spellings]);
  const block = isUnfinished
    ? await tolerant(resolved, world)
    : isHttp
      ? await world.blocks.ofHttp(line, family, op)
      : world.blocks.ofAdapter(adapter, line);
  if (block === null && !isUnfinished) return [];
  const whole: AuthForm | null = block === null ? (owner?.provider.auth ?? null) : block.auth;
  const auth = line.credential === null ? whole : withoutSecret(whole);
  const provider = block?.api ?? spellings[0] ?? name;
  const { session_token_env } = block ?? owner?.provider ?? {};
  const seals = sealedBy({ name: provider, auth: whole, session_token_env });
  if (auth === null) return seals;
  const api: ApiNeed = {
    provider,
    title: owner?.title ?? provider,
    block: block && { ...block, auth },
    setup: owner?.setup ?? null,
    // What a line brings as its own credential is not proven with what is left of the API's.
    check: owner?.setup && line.credential === null ? checkOf(owner.setup, block, resolved, world.todos) : null,
    variables: [...variablesIn(block, auth), ...addressVariable(block, owner, world.plan, [name, ...spellings])],
    isUnfinished,
    command: 'command' in auth ? auth.command : null,
    environments: [environment],
    byPlan: block && saidByPlan({ ...block, auth }, owner, world.env),
  };
  return [{ api }, ...seals];
}

/** Whose page and check an API has: its block's `recipe`, the family of its name, or that of the line. */
async function ownerOf(name: string, family: Adapter | null, { plan, registry }: LineWorld): Promise<Adapter | null> {
  const stated = plan.apis.get(name)?.values.recipe;
  return (typeof stated === 'string' ? await registry.family(stated) : null) ?? (await registry.family(name)) ?? family;
}

/** The block of an API with placeholders: what is wrong with it goes with them. */
async function tolerant({ line, family, op, adapter }: ResolvedOp, { plan, registry, env }: LineWorld): Promise<ProviderBlock | null> {
  const blocks = new Blocks({ plan, registry, env, problems: new Problems() });
  return adapter.name === 'http' ? await blocks.ofHttp(line, family, op) : blocks.ofAdapter(adapter, line);
}

const hasTodo = (todos: readonly TodoDoc[], within: string, names: readonly string[]): boolean =>
  todos.some(({ path }) => names.some((name) => path === `${within}.${name}` || path.startsWith(`${within}.${name}.`)));

function variablesIn(block: ProviderBlock | null, auth: AuthForm): NeededVariable[] {
  const own = variablesOf(auth).map(({ name, secret }) => ({ name, isSecret: secret }));
  const session = block === null ? [] : credentialVariables({ ...block, auth }).filter((name) => !own.some((known) => known.name === name));
  return [...own, ...session.map((name) => ({ name, isSecret: true, isOptional: true }))];
}

/** Where only a variable says which address a tenant has, CI needs that variable, too. */
function addressVariable(
  block: ProviderBlock | null,
  owner: Adapter | null,
  plan: Plan,
  names: readonly string[],
): readonly NeededVariable[] {
  const name = block?.base_url_env;
  if (name === undefined || (owner?.provider.base_url ?? null) !== null) return [];
  const isStated = names.some((one) => [plan.apis.get(one), plan.providers.get(one)].some((entry) => entry?.values.base_url !== undefined));
  return isStated ? [] : [{ name, isSecret: false }];
}

/** Lines of one API ask for it once; several environments of one need are one need. */
function merged(found: readonly Found[]): Pick<PlanNeeds, 'apis' | 'secrets' | 'sources' | 'sealing'> {
  const apis = new Map<string, ApiNeed>();
  const secrets = new Map<string, SecretNeed>();
  const sources = new Set<string>();
  const sealing: SealingNeed[] = [];
  for (const one of found) {
    if ('source' in one) sources.add(one.source);
    else if ('seal' in one) sealing.push(one.seal);
    else if ('variable' in one) {
      const known = secrets.get(one.variable);
      secrets.set(one.variable, {
        variable: one.variable,
        lines: union(known?.lines, [one.line]),
        environments: union(known?.environments, [one.environment]),
      });
    } else {
      const { api } = one;
      const key = JSON.stringify([
        api.block?.base_url ?? null,
        api.block?.auth ?? api.variables,
        api.block?.region ?? null,
        api.setup?.check ?? null,
      ]);
      const known = apis.get(key);
      apis.set(
        key,
        known ? { ...known, check: better(known.check, api.check), environments: union(known.environments, api.environments) } : api,
      );
    }
  }
  return { apis: [...apis.values()], secrets: [...secrets.values()], sources: [...sources], sealing };
}

const union = (a: readonly string[] = [], b: readonly string[]): readonly string[] => [...new Set([...a, ...b])];

function secretsIn(value: Expr): SecretRef[] {
  if (value instanceof SecretRef) return [value];
  if (Array.isArray(value)) return value.flatMap((item: Expr) => secretsIn(item));
  return isMap(value) ? Object.values(value).flatMap((item) => secretsIn(item as Expr)) : [];
}
