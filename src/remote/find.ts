import { canonicalJson } from '../core/canonical.ts';
import { Failure } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import { getAt, setAt } from '../core/pointer.ts';
import { HttpFailure } from '../http/failure.ts';
import type { Http, StoredRequest } from '../http/types.ts';
import { isOtherForm } from './forms.ts';
import { graphqlCall, graphqlText } from './graphql.ts';
import { type ListEntry, type ReadList, readList } from './list-read.ts';
import type { ParentSpec } from './parent-spec.ts';
import type { FindSpec, Reach } from './reach.ts';
import { holds, isRefusalOfNone, isXmlAnswer, members, type ReadOptions, readOptions, saysNone, showRequest } from './read.ts';
import { saidError, says, saysError } from './says.ts';
import { isRespelt, isSameId } from './spelling.ts';
import { asJson } from './stored-json.ts';
import { fillId } from './template.ts';

/** A match: its id as text, and the item as the answer holds it. */
export interface Found {
  readonly id: string;
  readonly item: unknown;
  /** Read from XML, which has texts only. */
  readonly isXml?: true;
}

export interface FindOptions extends ReadOptions {
  /** For a caller that asks about an object reported as gone: a list that changes is then read once, and not until it stands still. */
  readonly passes?: 1;
  /** Ids of recorded objects. A list finds them whatever `match` says, because a person or the provider may have renamed them. */
  readonly ids?: readonly string[];
  /** Where nothing fits `match`, an entry with other forms of its values counts too, because the provider may have changed the form. */
  readonly isAlike?: boolean;
}

/**
 * Everything that a find matches, on every page. A second match must be seen, so reading never stops at the first one.
 * The engine decides what none, one or many mean.
 */
export async function findAll(http: Http, spec: FindSpec, o: FindOptions): Promise<Found[]> {
  if (spec.list === null) return findByPath(http, spec, o);
  const { list } = spec;
  let pass = await readList(http, spec, list, o);
  let found = matchesIn(spec, pass, o);
  // Nothing final rests on a shared look: a caller that must be sure looks for itself.
  for (let n = 1; !o.share && o.passes !== 1 && found.length === 0 && pass.pages > 1 && isShifting(spec); n += 1) {
    const again = await readList(http, spec, list, o);
    found = matchesIn(spec, again, o);
    if (found.length > 0 || pass.stands(spec.id, again)) break;
    if (n >= mostPasses) throw unsteady(spec.request, n + 1);
    pass = again;
  }
  return found;
}

/** A list may show one object twice, for example when others write to it between two pages. Equal ids are one match. */
function matchesIn(spec: FindSpec, list: ReadList, { ids = [], isAlike }: FindOptions): Found[] {
  const found = new Map<string, Found>();
  const add = ({ item, isXml }: ListEntry): void => {
    const id = idOf(spec, item);
    if (!found.has(id)) found.set(id, { id, item, ...(isXml && { isXml }) });
  };
  for (const entry of list.candidates(spec.match)) if (isMatch(spec, entry.item)) add(entry);
  // A recorded object says nothing about an object that an intent announced beside it.
  const isNone = found.size === 0;
  const recorded = (id: string, isAnyCase: boolean): readonly ListEntry[] =>
    idPointers(spec).flatMap((pointer) =>
      list.candidates({ [pointer]: id }, isAnyCase).filter(({ item }) => {
        const shown = isLeaving(spec, item) ? null : idOf(spec, item);
        return shown !== null && (isAnyCase ? isSameId(shown, id) : shown === id);
      }),
    );
  for (const id of ids) {
    if (found.has(id)) continue;
    for (const entry of recorded(id, false)) add(entry);
    // The answer to a create may show an id as it was sent, and the list in another case.
    if (found.size === 0) for (const entry of recorded(id, true)) add(entry);
  }
  if (isNone && isAlike) {
    const candidates = spec.completed ? list.entries : list.candidates(spec.match, true);
    for (const entry of candidates) if (!isLeaving(spec, entry.item) && isInForm(spec, entry.item)) add(entry);
  }
  return [...found.values()];
}

/** Most passes over a list that changes each time. */
const mostPasses = 5;

/**
 * Whether the pages of a find are counted from the front. There an entry that goes away meanwhile moves later entries onto pages that
 * were read already, so one pass may miss an object that exists all the time.
 */
export const isShifting = ({ page }: FindSpec): boolean => page !== undefined && page.kind !== 'cursor' && page.kind !== 'last_id';

/**
 * Removes one object, and lifts the protection that its line set where the provider refuses because of that. `gone`: the provider says that
 * the object is not there. The engine decides whether to believe that.
 */
export async function removeObject(http: Http, reach: Removable, id: string, signal: AbortSignal): Promise<Answered> {
  const { unlock } = reach;
  if (reach.repeats) return await removeAsItStands(http, reach, id, signal);
  try {
    return await sendRemoval(http, reach, id, signal);
  } catch (thrown) {
    if (!unlock || !(thrown instanceof HttpFailure) || thrown.status === null || !unlock.on.includes(thrown.status)) throw thrown;
  }
  await http.send(fillId(unlock.request, id), { purpose: 'write', signal, idempotent: true });
  return await sendRemoval(http, reach, id, signal);
}

/** The answer to a delete. `accepted`: the provider only promises to delete. */
export type Answered = 'removed' | 'accepted' | 'gone';

type Removable = Extract<Reach, { kind: 'object' }>;

/** A write, and two more when others wrote in between. */
const mostSends = 3;

/** A delete that names what it takes away as it stands. Its provider refuses it where somebody changed that since the read. */
async function removeAsItStands(http: Http, reach: Removable, id: string, signal: AbortSignal): Promise<Answered> {
  let before: string | null = null;
  for (let sends = 1; ; sends += 1) {
    const item = await standing(http, reach, id, signal);
    if (item === null) return 'gone';
    const remove = reach.remove && repeating(reach.remove, reach.repeats ?? {}, item);
    const seen = canonicalJson(asJson(item));
    try {
      return await sendRemoval(http, { ...reach, remove }, id, signal);
    } catch (thrown) {
      const isNo = thrown instanceof HttpFailure && ['PROVIDER_INVALID', 'PROVIDER_CONFLICT'].includes(thrown.code);
      // Where nobody changed it, the refusal has another reason.
      if (!isNo || seen === before || sends === mostSends) throw thrown;
      before = seen;
    }
  }
}

/** The object as its provider shows it now; `null` where nothing of it, or nothing around it, is to be seen. */
async function standing(http: Http, { find }: Removable, id: string, signal: AbortSignal): Promise<unknown> {
  if (!find) throw new Failure('INTERNAL', { detail: 'A delete must repeat what stands, and nothing says how to find that.' });
  try {
    const found = await findAll(http, find, { signal, share: false, ids: [id] });
    return found.find((one) => one.id === id)?.item ?? null;
  } catch (thrown) {
    if (thrown instanceof HttpFailure && thrown.code === 'PROVIDER_NOT_FOUND') return null;
    throw thrown;
  }
}

const repeating = (request: StoredRequest, repeats: NonNullable<Removable['repeats']>, item: unknown): StoredRequest => ({
  ...request,
  body: asJson(Object.entries(repeats).reduce<unknown>((body, [at, from]) => setAt(body, at, getAt(item, from)), request.body)),
});

async function sendRemoval(http: Http, reach: Removable, id: string, signal: AbortSignal): Promise<Answered> {
  if (reach.remove === null)
    throw new Failure('INTERNAL', { detail: 'pilotfish tried to delete an object that its provider cannot delete.' });
  const gone = [404, 410, ...(reach.gone ?? [])];
  try {
    // A delete names one object by its id, so two sends remove it once, even by POST. For a GraphQL mutation the line must say so.
    const { graphql } = reach.remove;
    const idempotent = graphql === undefined || graphql.idempotent === true;
    const answer = await http.send(fillId(reach.remove, id), { purpose: 'write', signal, accept: gone, idempotent });
    if (gone.includes(answer.status)) return 'gone';
    if (saysError(answer.body)) throw saidError(http, showRequest(reach.remove), answer);
    return answer.status === 202 ? 'accepted' : 'removed';
  } catch (thrown) {
    if (reach.gone_match && thrown instanceof HttpFailure && says(thrown.body, reach.gone_match)) return 'gone';
    throw reach.remove_fix !== undefined && isRefusal(thrown)
      ? new HttpFailure(thrown.code, { detail: thrown.detail, fix: reach.remove_fix, cause: thrown }, thrown)
      : thrown;
  }
}

/** A final refusal for a reason of the provider's own, not because of the credential or a passing failure. */
export const isRefusal = (thrown: unknown): thrown is HttpFailure =>
  thrown instanceof HttpFailure &&
  thrown.status !== null &&
  thrown.status >= 400 &&
  thrown.status < 500 &&
  thrown.status !== 401 &&
  !thrown.repeatable &&
  thrown.code !== 'PROVIDER_TRANSIENT';

/** The request that removes the object, as text. Records show this text, and it tells an object from its successor. */
export function recordIdOf(reach: Reach, id: string): string {
  if (reach.kind === 'none') return 'none';
  if (reach.kind === 'item') return itemRecordId(parentPlace(reach.parent), reach.parent.list_path, reach.item);
  if (reach.remove === null) return `none ${reach.find ? placeOf(reach.find.request) : ''}#${id}`;
  const request = fillId(reach.remove, id);
  if (request.graphql) return `mutation ${graphqlCall(request.graphql)}`;
  const target = `${request.method} ${withQuery(request)}`;
  return request.body === undefined ? target : `${target} ${canonicalJson(request.body)}`;
}

/** The part of a key that stands for the path. */
const placeOf = (request: StoredRequest): string => (request.graphql ? graphqlText(request.graphql) : request.path);
export const parentPlace = ({ path, graphql }: Pick<ParentSpec, 'path' | 'graphql'>): string =>
  graphql ? graphqlText(graphql.read) : path;

/** Key and record id of one entry of a collection. */
export const itemRecordId = (path: string, listPath: string, item: string): string => `${path}#${listPath}=${item}`;

async function findByPath(http: Http, spec: FindSpec, o: ReadOptions): Promise<Found[]> {
  const none = [404, 410, ...(spec.none ?? [])];
  const answer = await http.send(spec.request, readOptions(spec.request, o, none)).catch((thrown: unknown) => {
    if (isRefusalOfNone(spec, thrown)) return null;
    throw thrown;
  });
  if (!answer || none.includes(answer.status) || saysNone(spec, answer.body)) return [];
  // The path named the object, so its spelling may differ. It must not be another object, such as the target of an alias.
  if (isLeaving(spec, answer.body) || !isInForm(spec, answer.body)) return [];
  return [{ id: idOf(spec, answer.body), item: answer.body, ...(isXmlAnswer(answer) && { isXml: true }) }];
}

const isMatch = (spec: FindSpec, item: unknown): boolean => !isLeaving(spec, item) && holds(item, spec.match);

/** Whether the item fits `match`, in the plan's form or a form that the provider may have made. */
const isInForm = ({ match, completed }: FindSpec, item: unknown): boolean =>
  Object.entries(match).every(([at, want]) => {
    const live = getAt(item, at);
    return isOtherForm(want, live, { isLoose: true }) || (completed === true && isCompleted(want, live));
  });

/** `pr-12.preview` as `pr-12.preview.example.com`. */
const isCompleted = (want: Json, live: unknown): boolean =>
  typeof want === 'string' && typeof live === 'string' && live.toLowerCase().startsWith(`${want.toLowerCase().replace(/\.$/, '')}.`);

/** Whether the provider marks the item as deleted or going: by a value where other items have none, or `false`. */
const isLeaving = ({ absent = [] }: FindSpec, item: unknown): boolean =>
  absent.some((pointer) => !unmarked.has(getAt(item, pointer) as null | undefined | boolean));
const unmarked: ReadonlySet<null | undefined | boolean> = new Set([null, undefined, false]);

/** The places of an entry that hold its id. A match may name the place of a chosen id. */
export const idPointers = ({ id, chosen_id, match }: FindSpec): readonly string[] =>
  chosen_id === undefined ? [id] : [id, ...Object.entries(match).flatMap(([pointer, want]) => (want === chosen_id ? [pointer] : []))];

/** The id as the item shows it, even for a chosen id: the provider may spell the id differently and accept only its own spelling. */
function idOf(spec: FindSpec, item: unknown): string {
  const { chosen_id: chosen } = spec;
  if (chosen !== undefined) return ownSpelling(chosen, item, idPointers(spec));
  const id = getAt(item, spec.id);
  if ((typeof id === 'string' && id !== '') || typeof id === 'number') return String(id);
  throw new Failure('PROVIDER_RESPONSE', {
    detail: `${showRequest(spec.request)} found an object without an id at "${spec.id}"${members(item)}.`,
    fixByHand: 'Correct id_path so that it names the id inside the object.',
  });
}

/** A chosen id in the provider's spelling, where one of these places of an item shows it. */
export function ownSpelling(chosen: string, item: unknown, pointers: readonly string[]): string {
  for (const pointer of pointers) {
    const shown = getAt(item, pointer);
    if (typeof shown === 'string' && isRespelt(chosen, shown)) return shown;
  }
  return chosen;
}

const unsteady = (request: StoredRequest, passes: number): Failure =>
  new Failure('PROVIDER_TRANSIENT', {
    kind: 'unsteady',
    detail: `${showRequest(request)} is a list of several pages that changed during each of ${passes} reads, so pilotfish cannot tell whether the object is in it.`,
    fix: 'Run again when fewer others write to this list.',
  });

function withQuery(request: StoredRequest): string {
  const pairs = Object.entries(request.query ?? {}).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`),
  );
  if (pairs.length === 0) return request.path;
  return `${request.path}${request.path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}
