import { relative } from 'node:path';
import { door } from '../../core/door.ts';
import { Failures, type Place } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest.ts';
import type { ProviderBlock } from '../../http/types.ts';
import { Blocks } from '../../ops/blocks.ts';
import type { OutputSpec } from '../../ops/op.ts';
import { readParams } from '../../ops/params.ts';
import type { Registry } from '../../ops/registry.ts';
import { destroyPolicy, type ResolvedOp, resolveOp } from '../../ops/resolve-op.ts';
import type { Setup } from '../../ops/setup.ts';
import { isProduction, resolveContext } from '../../plan/context.ts';
import { orderLines, refsOf } from '../../plan/graph.ts';
import { readPlan } from '../../plan/load.ts';
import { locatePlan } from '../../plan/locate.ts';
import { Problems } from '../../plan/problems.ts';
import { lineKeys } from '../../plan/schema.ts';
import { type Context, FromRef, literalsOf, type Plan, type PlanLine } from '../../plan/types.ts';
import { withOwnFamilies } from '../../recipes/own/of-plan.ts';
import { checkExports, exportedOf, linesOfExports } from '../exports/exported.ts';
import { readCodeHostEvent } from '../timing/event.ts';
import type { Prepared, PreparedLine, RunRequest } from '../types.ts';
import { checkLineCredentials, checkSecrets, secretRefs, secretsOf } from './access.ts';
import { pendingOutput, tryBinding } from './bind.ts';
import { narrow } from './narrow.ts';
import { settleTexts } from './settle-texts.ts';
import { sharedObjects } from './shared-objects.ts';

export interface PrepareOptions {
  readonly request: RunRequest;
  readonly registry: Registry;
  /** The checkout, or `null` outside a repository. */
  readonly facts: { readonly sha: string | null; readonly branch: string | null } | null;
  /** A plan writes nothing, so it needs no approval and warns instead. Default `apply`. */
  readonly purpose?: 'plan' | 'apply';
  /** The run wants the variables of the plan, and only the lines that these need. */
  readonly wantsExports?: boolean;
}

/**
 * The plan, checked in everything that shows before the first request. Throws `Failures` with every mistake of every kind, in the
 * order of the file: the file's form, references, names, params, blocks, secrets, credentials, scope and approval.
 */
export async function prepare({
  request,
  registry: given,
  facts,
  purpose = 'apply',
  wantsExports = false,
}: PrepareOptions): Promise<Prepared> {
  const { cwd, env } = request;
  const path = await locatePlan(cwd, request.plan);
  const context = resolveContext({ flags: request, event: () => readCodeHostEvent(env), git: facts });
  const reading = await readPlan({ path, display: relative(cwd, path) || path, context, needsScope: true });
  const problems = new Problems();
  problems.take(...reading.problems);
  problems.leave(reading.lacking);
  const { registry, blocks: familyBlocks, problems: ofFamilies } = await withOwnFamilies(reading.plan, given);
  problems.take(...ofFamilies);
  // The lines of a broken family would only repeat its mistakes.
  if (ofFamilies.length > 0) problems.throwIfAny();
  const { plan, warnings: notes } = await settleTexts({ ...reading.plan, familyBlocks }, registry, problems);
  const spoiled = linesOf(plan, [...problems.list().flatMap(({ place }) => place ?? []), ...reading.lacking]);
  const { order, after } = orderOf(plan, problems);
  const exports = wantsExports ? await exportedOf(plan, registry, problems) : [];
  const lines = narrow(
    order,
    after,
    wantsExports ? { only: linesOfExports(exports, plan), recreate: [], isWhole: false } : request,
    problems,
  );
  const blocks = new Blocks({ plan, registry, env, problems });
  blocks.checkNames();
  const tools = { registry, blocks, problems, after, spoiled };
  const drafts: Draft[] = [];
  for (const line of lines) drafts.push(...(await draftLine(line, tools)));
  checkOutputs(
    drafts.map((draft) => draft.prepared),
    problems,
  );
  const outputsOf = (id: string) => drafts.find(({ prepared }) => prepared.line.id === id)?.prepared.outputs ?? null;
  checkExports(plan, { outputsOf, isNeeded: wantsExports }, problems);
  const { lines: ready, productionLines } = bindLines(drafts, context, problems);
  checkSecrets([...ready.flatMap(secretsOf), ...exports.flatMap(({ value }) => secretRefs(value))], registry, env, problems);
  checkLineCredentials(
    drafts.filter((draft) => draft.hasBlock),
    env,
    problems,
  );
  const warnings = checkApproval({ request, purpose, productionLines, problems, lines: ready });
  problems.throwIfAny();
  const known = { ...context, scope: context.scope ?? '' };
  const twins = (some: readonly PreparedLine[], other: Context) =>
    linesAgain(reading.again(other), some, { request, tools, context: other });
  const shared = await sharedObjects({ lines: ready, context: known, twins, isWritten: reading.holds });
  return { plan, context: known, lines: ready, exports, registry, warnings: [...notes, ...warnings, ...shared] };
}

/** The same lines as another run would prepare them. */
function linesAgain(
  plan: Plan,
  lines: readonly PreparedLine[],
  { request, tools, context }: { readonly request: RunRequest; readonly tools: LineTools; readonly context: Context },
): Promise<readonly PreparedLine[]> {
  const problems = new Problems();
  const blocks = new Blocks({ plan, registry: tools.registry, env: request.env, problems });
  const ids = new Set(lines.map(({ line }) => line.id));
  const same = { ...plan, lines: plan.lines.filter(({ id }) => ids.has(id)) };
  return preparedLines(same, { ...tools, blocks, problems, spoiled: new Set() }, context);
}

/** Lines of a plan as far as they can be prepared. The mistakes of the others are among the problems. */
export async function preparedLines(read: Plan, tools: LineTools, context: Context): Promise<readonly PreparedLine[]> {
  const { plan } = await settleTexts(read, tools.registry, tools.problems);
  const drafts = await Promise.all(plan.lines.map((line) => draftLine(line, tools)));
  return bindLines(drafts.flat(), context, tools.problems).lines;
}

interface LineTools {
  readonly registry: Registry;
  readonly blocks: Blocks;
  readonly problems: Problems;
  readonly after: ReadonlyMap<string, readonly string[]>;
  /** Lines with a value that could not be read: the stand-in there is not the user's. */
  readonly spoiled: ReadonlySet<string>;
}

/** A line as far as it could be prepared. */
interface Draft {
  readonly prepared: PreparedLine;
  readonly setup: Setup | undefined;
  readonly hasBlock: boolean;
  /** The line has no known mistake of its own, so its binding tells new ones. */
  readonly isSound: boolean;
}

async function draftLine(line: PlanLine, tools: LineTools): Promise<Draft[]> {
  const { registry, blocks, problems, after, spoiled } = tools;
  const resolved = await resolveOp(line, registry, problems);
  if (!resolved) return [];
  const { op, opName, adapter, family } = resolved;
  const { params, failures } = readParams(op, line);
  // A value that was not read is one mistake, not two: the op's words about its stand-in say nothing.
  problems.take(...failures.filter((failure) => !(failure.place && problems.hasAt(failure.place))));
  const destroy = destroyPolicy(resolved, problems);
  const block = await blockOf(resolved, blocks, problems);
  const prepared: PreparedLine = {
    line,
    adapter: adapter.name,
    opName,
    recipe: family === null ? null : `${family.name}.${opName}`,
    op,
    outputs: op.outputsFor?.(literalsOf(params)) ?? op.outputs,
    // A line without a block is among the problems, so this one is never used.
    block: block ?? { api: '', base_url: '', auth: null },
    api: line.api ?? family?.name ?? null,
    params,
    edges: refsOf(line).map(({ ref, path }) => ({ param: String(path[0]), ref })),
    after: after.get(line.id) ?? [],
    destroy,
    credential: line.credential,
    sends: null,
    whole: null,
  };
  return [
    {
      prepared,
      setup: (family ?? adapter).setup,
      hasBlock: block !== null,
      isSound: block !== null && failures.length === 0 && !spoiled.has(line.id),
    },
  ];
}

/**
 * The lines with these mistakes: each mistake belongs to the last line that begins before it. A value that several lines name by an
 * alias stands at its anchor. So the keys of a line, and its id alone, tell where the line begins.
 */
function linesOf(plan: Plan, spots: readonly Place[]): ReadonlySet<string> {
  if (spots.length === 0) return new Set();
  const begins = (places: (line: PlanLine) => readonly Place[]) =>
    plan.lines.map((line) => ({ id: line.id, at: Math.min(...places(line).map(positionOf)) })).toSorted((a, b) => b.at - a.at);
  const byKeys = begins((line) => {
    const keys = [...Object.keys(lineKeys), ...Object.keys(line.params)];
    return [line.place, ...keys.map((key) => line.placeOf([key]))];
  });
  const byId = begins((line) => [line.place]);
  return new Set(spots.flatMap((place) => [byKeys, byId].flatMap((starts) => starts.find(({ at }) => at <= positionOf(place))?.id ?? [])));
}

/** Places in the order of the file; no line of text is a million characters long. */
const positionOf = (place: Place): number => place.line * 1_000_000 + place.column;

async function blockOf({ line, op, adapter, family }: ResolvedOp, blocks: Blocks, problems: Problems): Promise<ProviderBlock | null> {
  if (adapter.name === 'http') return await blocks.ofHttp(line, family, op);
  if (line.api !== null) {
    problems.add('PLAN_INVALID', {
      detail: `${line.id} names an API, and the adapter ${line.adapter} has only its own.`,
      fix: `Remove \`api\`; settings of ${line.adapter} stand in providers.${line.adapter}.`,
      place: line.placeOf(['api']),
    });
  }
  return blocks.ofAdapter(adapter, line);
}

function orderOf(plan: Plan, problems: Problems): { order: readonly PlanLine[]; after: ReadonlyMap<string, readonly string[]> } {
  try {
    return orderLines(plan);
  } catch (thrown) {
    if (!(thrown instanceof Failures)) throw thrown;
    // A reference to a line that is too broken for the plan would only repeat a known mistake.
    problems.take(...thrown.failures.filter(({ code }) => problems.size === 0 || code === 'REF_CYCLE'));
    return { order: plan.lines, after: new Map() };
  }
}

function checkOutputs(lines: readonly PreparedLine[], problems: Problems): void {
  const byId = new Map(lines.map((line) => [line.line.id, line]));
  for (const { line } of lines) {
    const refs = [...refsOf(line).map(({ ref }) => ref), ...(line.credential instanceof FromRef ? [line.credential] : [])];
    for (const ref of refs) {
      const outputs: { readonly [name: string]: OutputSpec } | undefined = byId.get(ref.line)?.outputs;
      if (!outputs || Object.hasOwn(outputs, ref.output)) continue;
      const known = Object.keys(outputs);
      problems.add('REF_OUTPUT_UNKNOWN', {
        detail: `${line.id} takes ${ref.line}.${ref.output}, and ${ref.line} has no such output.${didYouMean(ref.output, known)} ${
          known.length > 0 ? `It has ${known.join(', ')}.` : 'It has none.'
        }`,
        place: ref.place,
      });
    }
  }
}

/** Binds every line that can be bound; two lines of one identity would fight over one object. `productionLines`: ids that write it. */
function bindLines(drafts: readonly Draft[], context: Context, problems: Problems): { lines: PreparedLine[]; productionLines: string[] } {
  const byId = new Map(drafts.map(({ prepared }) => [prepared.line.id, prepared]));
  const { scope } = context;
  const outputOf = pendingOutput((producer) => byId.get(producer)?.outputs ?? null);
  const first = new Map<string, string>();
  const productionLines: string[] = [];
  const lines = drafts.map(({ prepared, isSound }) => {
    const { id, place } = prepared.line;
    if (!isSound || scope === null) return prepared;
    const { failures, writesProduction, identity, bound, sends, whole } = tryBinding(prepared, { ...context, scope }, outputOf);
    problems.take(...failures);
    if (writesProduction) productionLines.push(id);
    if (identity === null) return prepared;
    const earlier = first.get(identity);
    if (earlier === undefined) first.set(identity, id);
    else {
      problems.add('PARAM_INVALID', {
        detail: `${earlier} and ${id} are the same object (${bound?.key}), and each would undo what the other writes.`,
        fix: 'Remove one of the two lines, or give them different names.',
        place,
      });
    }
    return { ...prepared, sends, whole };
  });
  return { lines, productionLines };
}

interface Approval {
  readonly request: RunRequest;
  readonly purpose: 'plan' | 'apply';
  readonly productionLines: readonly string[];
  readonly lines: readonly PreparedLine[];
  readonly problems: Problems;
}

function checkApproval({ request, purpose, productionLines, lines, problems }: Approval): string[] {
  const isWhole = isProduction(request.environment);
  if (request.approvedBy !== null || (!isWhole && productionLines.length === 0)) return [];
  const why = isWhole ? `The environment is ${request.environment}` : `${productionLines.join(', ')} write production`;
  if (purpose === 'plan') return [`${why}: apply will need ${door.passed('approved-by')}.`];
  const place = isWhole ? undefined : lines.find(({ line }) => line.id === productionLines[0])?.line.place;
  problems.add('ENV_NOT_APPROVED', { detail: `${why}, and nobody has approved the run.`, ...(place && { place }) });
  return [];
}
