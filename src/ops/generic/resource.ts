import { Failure } from '../../core/errors.ts';
import { isMap, mapValues } from '../../core/json.ts';
import { lookUntil, patience } from '../../core/look-until.ts';
import { withoutFullStop } from '../../core/plain-text.ts';
import { getAt, setAt } from '../../core/pointer.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { Answer } from '../../http/types.ts';
import { isAsPlanned } from '../../remote/compare.ts';
import { type Found, findAll, idPointers, ownSpelling } from '../../remote/find.ts';
import { isOtherForm } from '../../remote/forms.ts';
import { fieldName, toLive } from '../../remote/live.ts';
import { type Live, sameAs } from '../../remote/live-object.ts';
import { without } from '../../remote/parent-body.ts';
import { isXmlAnswer } from '../../remote/read.ts';
import { saidError, saysError } from '../../remote/says.ts';
import { isSameId } from '../../remote/spelling.ts';
import { fillId } from '../../remote/template.ts';
import { type Desired, type Io, lookBy, type ObjectBound, type Params } from '../bound.ts';
import type { BindContext, Op, OutputSpec } from '../op.ts';
import { withLiveHeaders } from './live-headers.ts';
import { readinessOf } from './readiness.ts';
import { ownPart, placed, requestOf, sendsFields, sentFields } from './resource-body.ts';
import { carries, goesWith, leavingIn, maySend, stepsOf } from './resource-leaving.ts';
import { below, outputRules, planResource, type ResourcePlan } from './resource-plan.ts';
import { resourceShape, type UpdateShape } from './resource-shape.ts';
import { revive } from './revive.ts';
import { sendCreate } from './send-create.ts';
import { parseShape, shapeProblems } from './shape.ts';

/** One object per line, described by the requests that find, make, change and remove it. */
export const resource: Op = {
  kind: 'object',
  doc: 'One object of any HTTP API, described by the requests that find, make, change and remove it.',
  subject: [
    '[{find.match} in ]{find.path}',
    '[{find.match} in ]{find.graphql.data_path}[, {find.graphql.variables}]',
    '[{chosen_id} in ]{read.path}',
    '{read.graphql.data_path}[, {read.graphql.variables}]',
  ],
  params: {},
  open: true,
  outputs: { id: { doc: 'The id of the object.' } },
  outputsFor: (params) => resourceOutputs(params),
  problems: (params) => shapeProblems(resourceShape(), params),
  bind: (params, context) => bindResource(params, context),
};

export function bindResource(params: Params, context: Pick<BindContext, 'environment' | 'scope'>): ObjectBound {
  const plan = planResource(parseShape(resourceShape(), params), context);
  const { shape } = plan;
  const named = (names: readonly string[] | undefined) => names?.map(fieldName);
  const immutable = named(shape.immutable);
  const writeOnly = named(shape.write_only);
  const { read } = plan;
  return {
    kind: 'object',
    key: plan.key,
    fields: plan.fields,
    reach: plan.reach,
    ...(immutable && { immutable }),
    ...(writeOnly && { writeOnly }),
    // Two objects with one chosen id are one object. A replacement made beside the old object would go with it.
    ...((shape.coexist ?? (plan.chosenId === null ? undefined : false)) !== undefined && { coexist: shape.coexist ?? false }),
    ...(shape.create?.idempotency_key === true && { idempotency: true }),
    find: (io) => locate(plan, io),
    ...(read && plan.find.list !== null && { read: (io: Io, id: string) => readOne(plan, io, id, io.share ?? true) }),
    create: (io, desired) => create(plan, io, desired),
    ...(shape.ready && readinessOf(plan, shape.ready, (io, id) => readOne(plan, io, id, false))),
    ...(shape.update && {
      update: (io: Io, live: Live, desired: Desired, changed: readonly string[]) => update(plan, io, live, desired, changed),
      leaving: (field: string, changed: readonly string[]) => leavingIn(plan, field, changed),
    }),
  };
}

function resourceOutputs(params: { readonly [name: string]: unknown }): { readonly [name: string]: OutputSpec } {
  const declared = resourceShape().shape.outputs.safeParse(params.outputs);
  const rules = declared.success ? outputRules(declared.data) : {};
  const specs = mapValues(
    rules,
    (rule): OutputSpec => ({
      doc: `The value at ${rule.path}.`,
      ...(rule.sensitive && { sensitive: true }),
      ...(rule.once && { once: true }),
    }),
  );
  return { ...resource.outputs, ...specs };
}

async function locate(plan: ResourcePlan, io: Io): Promise<readonly Live[]> {
  const share = io.share ?? true;
  if (plan.find.list === null) return await locateByPath(plan, io, share);
  const found = await findAll(io.http, plan.find, lookBy(io));
  if (!plan.read) return found.map((one) => liveOf(plan, one));
  // The list names the objects, and their own path shows them whole. The path of a recorded object has its id as recorded.
  const whole = async ({ id: listed }: Found): Promise<Live> => {
    const id = io.ids?.find((one) => isSameId(one, listed)) ?? listed;
    return (await readOne(plan, io, id, share)) ?? { id, values: {}, outputs: {}, isListedOnly: true };
  };
  return await Promise.all(found.map(whole));
}

/** Finds objects by path. A recorded id is the provider's own spelling of the chosen id, and the path may accept no other spelling. */
async function locateByPath(plan: ResourcePlan, io: Io, share: boolean): Promise<readonly Live[]> {
  for (const id of plan.chosenId === null ? [] : (io.ids ?? [])) {
    const live = id === plan.chosenId ? null : await readOne(plan, io, id, share);
    if (live) return [live];
  }
  return (await findAll(io.http, plan.find, lookBy(io))).map((one) => liveOf(plan, one));
}

function liveOf(plan: ResourcePlan, found: Found): Live {
  const at = plan.find.list === null ? plan.shape.item_path : (plan.shape.find?.entry_path ?? '');
  return toLive(plan, found.id, getAt(found.item, at), found.isXml);
}

async function readOne(plan: ResourcePlan, io: Io, id: string, share: boolean): Promise<Live | null> {
  if (!plan.read) return sameAs(id, await locate(plan, { ...io, share, ids: [id] }));
  const spec = { ...plan.read, request: fillId(plan.read.request, id), chosen_id: id };
  const [found] = await findAll(io.http, spec, { signal: io.signal, share });
  return found ? toLive(plan, id, getAt(found.item, plan.shape.item_path), found.isXml) : null;
}

/** Notes a name that the provider changed. After completing a host name outside of its zone, it made something else than the plan means. */
function noteOtherName(plan: ResourcePlan, io: Io, item: unknown): void {
  for (const [pointer, want] of Object.entries(plan.find.match)) {
    const made = getAt(item, pointer);
    if (typeof want !== 'string' || typeof made !== 'string' || isAsPlanned(want, made)) continue;
    const isSame = isOtherForm(want, made, { isLoose: true });
    io.note(
      isSame
        ? `Kept by the provider as \`${made}\`.`
        : `The provider made it as ${JSON.stringify(made)}, not as ${JSON.stringify(want)}. Correct the plan if you do not mean that.`,
    );
  }
}

async function create(plan: ResourcePlan, io: Io, desired: Desired): Promise<Live> {
  const { create: how } = plan.shape;
  if (!how)
    throw new Failure('PARAM_INVALID', {
      detail: `${plan.key} does not exist, and the line has no create.`,
      fix: 'Add create, or adopt an existing object.',
    });
  const fields = sendsFields(how) ? sentFields(plan, desired, () => true) : {};
  const start = placed(ownPart(how), fields, {}, how.fields_at);
  // The provider judges the stamp by its own clock.
  const now = io.http.time?.() ?? Date.now();
  const stamped = (how.stamp ?? []).reduce((at, pointer) => setAt(at ?? {}, pointer, new Date(now).toISOString()), start);
  const body = plan.mark ? setAt(stamped ?? {}, below(how.fields_at ?? '', plan.mark.at), plan.mark.text) : stamped;
  const request = requestOf(plan, how.method ?? 'POST', how, body, plan.chosenId, 'create');
  const answer = await sendCreate(plan, io, request, stamped).catch(async (thrown: unknown) => {
    // The create goes first, because only the provider can tell that no other create is under way.
    const woken = isConflict(thrown) ? await revive(plan, io, desired) : null;
    if (woken) return woken;
    throw thrown;
  });
  const item = getAt(answer.body, plan.shape.item_path);
  if (idIn(plan, item) === null && saysError(answer.body)) throw saidError(io.http, `${request.method} ${request.path}`, answer);
  // A mutation that answers with a scalar such as true does not show the object.
  const isScalar = request.graphql !== undefined && answer.data !== undefined && !isMap(getAt(answer.data, request.graphql.data_path));
  const isShown = !how.then_find && !isScalar;
  const id = isShown ? shownId(plan, item) : null;
  if (id !== null) {
    noteOtherName(plan, io, item);
    return toLive(plan, id, item, isXmlAnswer(answer));
  }
  const live = await findCreated(plan, io, answer);
  return { ...live, outputs: { ...live.outputs, ...onceOutputs(plan, live.id, item) } };
}

const isConflict = (thrown: unknown): boolean => thrown instanceof HttpFailure && thrown.code === 'PROVIDER_CONFLICT' && !thrown.unanswered;

/** The new object as the find sees it, for a create whose answer does not carry it. */
async function findCreated(plan: ResourcePlan, io: Io, answer: Answer): Promise<Live> {
  const look = (): Promise<readonly Live[]> => locate(plan, { ...io, share: false, isAlike: true });
  const [live, ...more] = await lookUntil(
    lateness(plan, io, (found: readonly Live[]) => found.length > 0),
    look,
  );
  if (live && more.length === 0) return live;
  const said = io.http.quote?.(answer.body) ?? '';
  throw new Failure('PROVIDER_RESPONSE', {
    detail: `${plan.key} was created, but the find after the create saw ${live ? `${more.length + 1} objects` : 'nothing'}.${said === '' ? '' : ` The answer to the create said: ${withoutFullStop(said)}.`}`,
    fix: 'Look for the object at the provider, and run again when it shows.',
    fixByHand: 'Check id_path, or make find.match name one object.',
  });
}

/** How long to look again, because a read just after a write may not show its result. */
const lateness = <T>({ find }: ResourcePlan, { http, signal }: Io, isEnough: (seen: T) => boolean) => ({
  clock: { sleep: (ms: number) => http.pause?.(ms, signal) ?? Promise.resolve() },
  seconds: http.pause ? Math.max(find.settle ?? 0, patience) : 0,
  signal,
  isEnough,
});

/** The id at the place that the line names; `null` when the answer has none there. */
function idIn(plan: ResourcePlan, item: unknown): string | null {
  const id = getAt(item, plan.shape.id_path);
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : null;
}

/** The id in the answer to a create. A chosen id comes in the provider's spelling. */
function shownId(plan: ResourcePlan, item: unknown): string | null {
  if (plan.chosenId === null) return idIn(plan, item);
  const { find, shape } = plan;
  const places = find.list === null || shape.find?.entry_path !== undefined ? [shape.id_path] : idPointers(find);
  return ownSpelling(plan.chosenId, item, places);
}

/** Outputs that only the create shows. They come from its answer, whatever the source of the rest. */
function onceOutputs(plan: ResourcePlan, id: string, item: unknown): Live['outputs'] {
  const once = Object.fromEntries(Object.entries(plan.outputs).filter(([, rule]) => rule.once));
  return toLive({ ...plan, outputs: once }, id, item).outputs;
}

async function update(plan: ResourcePlan, io: Io, live: Live, desired: Desired, changed: readonly string[]): Promise<Live> {
  const steps = stepsOf(plan.shape, changed);
  const uncarried = changed.filter((field) => !steps.some((step) => carries(step, [field])));
  if (uncarried.length > 0) {
    throw new Failure('PARAM_INVALID', {
      detail: `${plan.key}: no update carries ${uncarried.join(', ')}, so the provider cannot change it in place.`,
    });
  }
  let last: Answer | null = null;
  for (const step of steps) last = await sendUpdate(plan, io, live, { desired, changed, step });
  const item = getAt(last?.body, plan.shape.item_path);
  if (last && idIn(plan, item) === live.id && steps.length === 1) return toLive(plan, live.id, item, isXmlAnswer(last));
  const after = await lookUntil(
    lateness(plan, io, (seen: Live | null) => seen !== null),
    () => readOne(plan, io, live.id, false),
  );
  if (after) return after;
  throw new Failure('PROVIDER_RESPONSE', { detail: `${plan.key} was updated, but the read after the update saw nothing.` });
}

interface OneUpdate {
  readonly desired: Desired;
  readonly changed: readonly string[];
  readonly step: UpdateShape;
}

async function sendUpdate(plan: ResourcePlan, io: Io, live: Live, { desired, changed, step }: OneUpdate): Promise<Answer> {
  // The request holds all fields that it may, or only those that go with the changed ones where the line leaves what others changed.
  const isSent = (field: string): boolean => maySend(plan, step, field) && (io.leaves === undefined || goesWith(step, field, changed));
  const fields = sendsFields(step) ? sentFields(plan, desired, (field) => isSent(field) && io.leaves?.includes(field) !== true) : {};
  const asRead = [
    ...(step.live ?? []).map((pointer) => [pointer, pointer] as const),
    ...(io.leaves ?? []).filter(isSent).map((field) => [below(step.fields_at ?? '', field), field] as const),
  ];
  const kept = asRead.reduce<unknown>((at, [pointer, from]) => {
    const value = getAt(live.raw, from);
    return value === undefined ? at : setAt(at, pointer, value);
  }, {});
  const whole = placed(ownPart(step), fields, without(kept, step.drop ?? []), step.fields_at);
  const body = step.body_at === undefined ? whole : getAt(whole, step.body_at);
  const parts = step.live_headers ? { ...step, headers: withLiveHeaders(step.headers, step.live_headers, live.raw) } : step;
  const request = requestOf(plan, step.method ?? 'PATCH', parts, body, live.id, 'update');
  const answer = await io.http.send(request, {
    purpose: 'write',
    signal: io.signal,
    ...(request.graphql && { idempotent: request.graphql.idempotent === true }),
  });
  const isShown = idIn(plan, getAt(answer.body, plan.shape.item_path)) !== null;
  if (!isShown && saysError(answer.body)) throw saidError(io.http, `${request.method} ${request.path}`, answer);
  for (const [at, words] of Object.entries(step.lost ?? {}))
    if (plan.fields[fieldName(at)] === undefined && (getAt(live.raw, at) ?? '') !== '')
      io.note(`The update removed ${words}: the provider replaces the whole object, and the line does not declare this part.`);
  return answer;
}
