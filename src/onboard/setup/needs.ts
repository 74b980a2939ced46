import { readFile } from 'node:fs/promises';
import { isMap } from '../../core/json.ts';
import type { TodoDoc } from '../../engine/init-document.ts';
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
import { withOwnFamilies } from '../../recipes/own/of-plan.ts';
import { findTodos } from '../standing.ts';
import { type ApiCheck, better, checkOf, someContext } from './check-of.ts';
import { type ByPlan, saidByPlan } from './hosts.ts';
import { type SealingNeed, sealingNeedOf } from './sealing-needs.ts';

/** A variable that a run of the plan reads. `isSecret` is false for a user name, a client id or an address. */
export interface NeededVariable {
  readonly name: string;
  readonly isSecret: boolean;
  /** The run works without this variable, such as the session token of keys that may be temporary. */
  readonly isOptional?: boolean;
}

/** One API of the plan: the variables of its credential, the page where a person gets it, and the read that proves it. */
export interface ApiNeed {
  /** The name in messages: `neon`. */
  readonly provider: string;
  readonly title: string;
  /** `null` if placeholders of the plan hide it. */
  readonly block: ProviderBlock | null;
  /** `null` for an API that the plan describes itself. */
  readonly setup: Setup | null;
  /** The read that proves the credential; `null` if none is known. */
  readonly check: ApiCheck | null;
  readonly variables: readonly NeededVariable[];
  /** Its settings hold a `# TODO`. The address may be anybody's, so no credential is sent there. */
  readonly isUnfinished: boolean;
  /** A program prints the credential: there is no variable to set. */
  readonly command: readonly string[] | null;
  readonly environments: readonly string[];
  /** `null` while placeholders hide the block. */
  readonly byPlan: ByPlan | null;
}

/** A secret that a line takes from a variable: `{ secret: env://NAME }`. */
export interface SecretNeed {
  readonly variable: string;
  readonly lines: readonly string[];
  readonly environments: readonly string[];
}

/** Everything that a plan needs from the machine that runs it. */
export interface PlanNeeds {
  /** The name of the plan; `null` if it has none. */
  readonly name: string | null;
  readonly todos: readonly TodoDoc[];
  readonly apis: readonly ApiNeed[];
  readonly secrets: readonly SecretNeed[];
  /** Other sources of secrets, such as `vault`. CI signs in there in its own way. */
  readonly sources: readonly string[];
  readonly environments: readonly string[];
  /** The credentials that seal the lines of the ledger. */
  readonly sealing: readonly SealingNeed[];
  /** The place of the ledger in the plan; `null` if the plan does not say. */
  readonly receipts: Plan['receipts'];
}

export interface NeedsRequest {
  /** Absolute. */
  readonly path: string;
  /** The path as messages show it. */
  readonly display: string;
  readonly registry: Registry;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Reads the needs of the plan in all of its environments. It looks at the value of a variable only if that is an address. Throws all
 * mistakes of the plan together, except `# TODO`.
 */
export async function readNeeds(request: NeedsRequest): Promise<PlanNeeds> {
  const text = await readFile(request.path, 'utf8');
  return await needsOf(text, request);
}

export async function needsOf(text: string, { path, display, registry: known, env }: NeedsRequest): Promise<PlanNeeds> {
  const todos = findTodos(text, path);
  const problems = new Problems();
  const readIn = (environment: string): ReturnType<typeof planFromText> =>
    planFromText(text, { path, display, context: { ...someContext, environment } });
  const preview = readIn('preview');
  const first = preview.plan;
  const { name, environments, receipts } = first;
  const { registry, blocks: familyBlocks, problems: ofFamilies } = await withOwnFamilies(first, known);
  problems.take(...ofFamilies);
  const found: Found[] = [];
  for (const environment of environments) {
    const { plan: read, problems: mistakes } = environment === 'preview' ? preview : readIn(environment);
    const plan = { ...read, familyBlocks };
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
  // The ledger holds nothing about a wait.
  const sealedBy = (api: Parameters<typeof sealingNeedOf>[1]): Found[] =>
    op.kind === 'wait' ? [] : [{ seal: sealingNeedOf(line, api, environment, world.named) }];
  if (name === undefined) {
    // An action without an API needs no credential. Any other line without an API is a mistake, which this call throws.
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
    // The rest of the API's settings cannot prove a credential that the line brings itself.
    check: owner?.setup && line.credential === null ? checkOf(owner.setup, block, resolved, world.todos) : null,
    variables: [...variablesIn(block, auth), ...addressVariable(block, owner, world.plan, [name, ...spellings])],
    isUnfinished,
    command: 'command' in auth ? auth.command : null,
    environments: [environment],
    byPlan: block && saidByPlan({ ...block, auth }, owner, world.env),
  };
  return [{ api }, ...seals];
}

/** Finds the owner of an API's page and check: the `recipe` of its block, the family of its name, or the family of the line. */
async function ownerOf(name: string, family: Adapter | null, { plan, registry }: LineWorld): Promise<Adapter | null> {
  const stated = plan.apis.get(name)?.values.recipe;
  return (typeof stated === 'string' ? await registry.family(stated) : null) ?? (await registry.family(name)) ?? family;
}

/** Reads the block of an API with placeholders. Its mistakes may come from the placeholders, so they are dropped. */
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

/** If only a variable gives the address of a tenant, CI needs that variable too. */
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

/** Merges the needs of lines: one need per API, with all of its environments. */
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
