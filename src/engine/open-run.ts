import { Failures } from '../core/errors.ts';
import type { Redactor } from '../core/redact.ts';
import type { Client } from '../http/client.ts';
import type { ProviderBlock } from '../http/types.ts';
import { textFailures } from '../plan/given-text.ts';
import { togetherFailures } from '../plan/given-together.ts';
import type { Context } from '../plan/types.ts';
import { type RepositoryFacts, repositoryFacts } from '../platform/checkout.ts';
import { askExtraHeader, type GitAnswer } from '../platform/git-system.ts';
import { isWebUrl } from '../platform/git-url.ts';
import type { Opened } from './apply.ts';
import { lookByPlan } from './look-by-plan.ts';
import { onlyOfBase, openBase } from './prepare/base-tree.ts';
import { destroyTarget } from './prepare/destroy-target.ts';
import { openSession } from './prepare/open-session.ts';
import { orphansOfPlan } from './prepare/orphans-of-plan.ts';
import { prepare } from './prepare/prepare.ts';
import { wantedBy } from './prepare/recorded-lines.ts';
import { openRegistry } from './prepare/registry.ts';
import { maskRemote } from './prepare/secret-variables.ts';
import { asTrusted, mustBeTrusted } from './prepare/trusted.ts';
import type { Session } from './session.ts';
import { freshnessOf } from './timing/freshness.ts';
import type { PreparedLine, RunRequest, RunWorld } from './types.ts';

interface OpenOptions {
  readonly command: 'plan' | 'apply';
  readonly redactor: Redactor;
  /** The run wants the variables of the plan, and only the lines that these need. */
  readonly wantsExports?: boolean;
}

/** Checks the texts of a request. The command line has checked its own before, but others call the run as well. */
export function mustBeTexts(request: RunRequest): void {
  const [first, ...rest] = [...textFailures(request), ...togetherFailures(request)];
  if (first) throw rest.length === 0 ? first : new Failures([first, ...rest]);
}

/** Asks git for the header while the plan is read, which takes as long as the process. In CI the tokens of the job come first. */
function headerAhead(facts: RepositoryFacts | null, { cwd, env }: RunRequest): Promise<GitAnswer> | undefined {
  const url = facts?.remoteUrl ?? '';
  if (env.CI || !isWebUrl(url)) return undefined;
  const asked = askExtraHeader(url, { cwd, env });
  // The request that signs in gets the failure.
  asked.catch(() => undefined);
  return asked;
}

/** Lines that come after none ask their provider as soon as they have begun. */
function expectRequests(client: Client, lines: readonly PreparedLine[]): void {
  const blocks = new Map<string, ProviderBlock>();
  for (const { after, block } of lines) if (after.length === 0) blocks.set(block.base_url, block);
  for (const block of blocks.values()) client.expect(block, 1);
}

async function factsOf({ cwd, env }: RunRequest, world: RunWorld, redactor: Redactor): Promise<RepositoryFacts | null> {
  const facts = world.repository === undefined ? await repositoryFacts(cwd, env) : world.repository;
  maskRemote(redactor, facts);
  return facts;
}

/**
 * Reads the plan, checks it, and opens the ledger. Throws `Failure` or `Failures` for what is wrong before the first request.
 */
export async function openRun(
  request: RunRequest,
  world: RunWorld,
  { command, redactor, wantsExports = false }: OpenOptions,
): Promise<Opened> {
  const { cwd, env } = request;
  const reading = factsOf(request, world, redactor);
  // Plugins may print while they load, so the masks for their output come first.
  const isFirst = env.PILOTFISH_PLUGINS ? reading : null;
  const { planFrom = null } = request;
  const base = planFrom === null ? null : await openBase(planFrom, { facts: await reading, env, redactor });
  const seen = base && onlyOfBase(base);
  const [facts, registry] = await Promise.all([reading, Promise.resolve(isFirst).then(() => openRegistry({ env, cwd, seen }))]);
  const extraHeader = world.store ? undefined : headerAhead(facts, request);
  const common = { request, world, registry, redactor, facts, extraHeader };
  const freshnessFor = (context: Context) => (session: Session) =>
    freshnessOf(session, { request, repository: facts, pr: context.pr.number });
  if (request.destroy) {
    const { context, plan: named, warnings } = await destroyTarget(request, { ...world, redactor }, facts, command);
    const plan = base ? await asTrusted(named, base, request, context) : named;
    const purpose = command === 'plan' ? 'plan' : 'destroy';
    const options = { ...common, purpose, context, plan, freshness: freshnessFor(context) } as const;
    const opened = await openSession(options);
    lookByPlan(opened, options);
    opened.session.warnings.push(...warnings);
    const wanted = request.orphans ? await orphansOfPlan(request, { registry, facts, base }) : wantedBy(request.only);
    return { ...opened, prepared: null, context, repository: facts, wanted };
  }
  const prepared = await prepare({ request, registry, facts, purpose: command, wantsExports });
  if (base) await mustBeTrusted(prepared, base, { registry, env });
  const { context, plan } = prepared;
  const opened = await openSession({
    ...common,
    registry: prepared.registry,
    purpose: command,
    context,
    plan,
    freshness: freshnessFor(context),
  });
  opened.session.warnings.push(...prepared.warnings);
  expectRequests(opened.session.client, prepared.lines);
  opened.session.trust.expect(prepared.lines.flatMap(({ block, credential }) => (credential === null ? block : [])));
  return { ...opened, prepared, context, repository: facts, wanted: wantedBy([]) };
}
