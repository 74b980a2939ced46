import { Failure } from '../core/errors.ts';
import { isMap } from '../core/json.ts';
import { getAt, splitPointer } from '../core/pointer.ts';
import { pages } from '../http/paging.ts';
import type { Http, StoredRequest } from '../http/types.ts';
import { formOf } from './forms.ts';
import type { FindSpec } from './reach.ts';
import { holds, isRefusalOfNone, isXmlAnswer, members, type ReadOptions, readOptions, saysNone, showRequest } from './read.ts';

/** How a list is read, without the match: lines of one collection are equal here. */
type ListSpec = Pick<FindSpec, 'request' | 'page' | 'none' | 'none_match' | 'empty' | 'id'> & { readonly list: string };

/** Reads the list of a find to its end. A look that may be shared is one pass for all lines that look into this list. */
export function readList(
  http: Http,
  { request, page, none, none_match, empty, id }: FindSpec,
  list: string,
  o: ReadOptions,
): Promise<ReadList> {
  const spec = {
    request,
    list,
    id,
    ...(page && { page }),
    ...(none && { none }),
    ...(none_match && { none_match }),
    ...(empty && { empty }),
  };
  if (!http.joined) return readPages(http, spec, o);
  const share = o.share === true;
  return http.joined({ name: `list ${JSON.stringify(spec)}`, signal: o.signal, share }, () => readPages(http, spec, { share }));
}

/** An entry, and whether it was read from XML, which has texts only. */
export interface ListEntry {
  readonly item: unknown;
  readonly isXml: boolean;
}

/** Every entry of a list, in order, as one pass over its pages gave it. */
export class ReadList {
  readonly entries: readonly ListEntry[];
  readonly pages: number;
  readonly #indexes = new Map<string, Map<string, ListEntry[]>>();
  /** Answers of `stands`, by the later pass and the pointer to the ids: thousands of lines ask the same. */
  readonly #standing = new WeakMap<ReadList, Map<string, boolean>>();

  constructor(entries: readonly ListEntry[], pages: number) {
    this.entries = entries;
    this.pages = pages;
  }

  /**
   * A small set of entries that holds every entry which fits `match`, with `isAlike` also in another form. Thousands of lines look into one
   * list, and they must not each walk all of it. The caller must still compare these entries.
   */
  candidates(match: FindSpec['match'], isAlike = false): readonly ListEntry[] {
    const pointers: string[] = [];
    const wanted: Scalar[] = [];
    for (const [pointer, want] of Object.entries(match)) {
      if (!isScalar(want)) continue;
      pointers.push(pointer);
      wanted.push(want);
    }
    if (pointers.length === 0) return this.entries;
    return this.#indexBy(pointers, isAlike).get(placeOf(wanted, isAlike)) ?? [];
  }

  /**
   * Whether a later pass has every entry of this one in the same order, so that this pass missed none. A pass misses an entry when an entry
   * before it goes away or moves. Entries that were added meanwhile, maybe by this very run, hide none.
   */
  stands(id: string, later: ReadList): boolean {
    const known = this.#standing.get(later)?.get(id);
    if (known !== undefined) return known;
    const there = later.#idsAt(id);
    let passed = 0;
    const stands = this.#idsAt(id).every((one) => {
      passed = there.indexOf(one, passed) + 1;
      return passed > 0;
    });
    this.#standing.set(later, new Map(this.#standing.get(later)).set(id, stands));
    return stands;
  }

  /** The ids as texts, each once: an entry that moved onto the next page was read twice. */
  #idsAt(pointer: string): readonly string[] {
    return [...new Set(this.entries.map(({ item }) => JSON.stringify(getAt(item, pointer) ?? null)))];
  }

  #indexBy(pointers: readonly string[], isAlike: boolean): Map<string, ListEntry[]> {
    const name = [isAlike, ...pointers].join('\n');
    const known = this.#indexes.get(name);
    if (known) return known;
    const index = new Map<string, ListEntry[]>();
    this.#indexes.set(name, index);
    for (const entry of this.entries) {
      const values = pointers.map((pointer) => getAt(entry.item, pointer));
      // A planned scalar never equals a map, a list or an absent value.
      if (!values.every(isScalar)) continue;
      const place = placeOf(values, isAlike);
      const there = index.get(place);
      if (there) there.push(entry);
      else index.set(place, [entry]);
    }
    return index;
  }
}

type Scalar = null | boolean | number | string;

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Equal for values that `isAsPlanned`, or `isOtherForm`, takes as equal: a number and its own text have one place. */
const placeOf = (values: readonly Scalar[], isAlike: boolean): string =>
  JSON.stringify(values.map((value) => (isAlike ? formOf(String(value ?? ''), true) : typeof value === 'number' ? String(value) : value)));

async function readPages(http: Http, spec: ListSpec, o: Partial<ReadOptions>): Promise<ReadList> {
  const { list } = spec;
  const entries: ListEntry[] = [];
  let count = 0;
  const none = spec.none ?? [];
  const read = pages(http, spec.request, spec.page, readOptions(spec.request, o, none), {
    list: (body, answer) => listIn(spec, list, body, isXmlAnswer(answer)),
    idOf: (item) => JSON.stringify(getAt(item, spec.id) ?? item),
  });
  try {
    for await (const { body, answer } of read) {
      if (none.includes(answer.status) || saysNone(spec, body)) return new ReadList([], 1);
      count += 1;
      const isXml = isXmlAnswer(answer);
      const items = listIn(spec, list, body, isXml);
      if (items === null) throw noList(spec.request, list, body);
      for (const item of items) entries.push({ item, isXml });
    }
  } catch (thrown) {
    if (isRefusalOfNone(spec, thrown)) return new ReadList([], 1);
    throw thrown;
  }
  return new ReadList(entries, count);
}

/** The list in an answer. Some answers leave an empty list out, and say so in another place. */
function listIn(spec: Pick<ListSpec, 'empty'>, list: string, body: unknown, fromXml: boolean): readonly unknown[] | null {
  return listAt(body, list, fromXml) ?? (spec.empty && holds(body, spec.empty) ? [] : null);
}

/** The list at a pointer. In XML a list of one is its entry, and an empty list is absent, but the document must have the pointer's root. */
function listAt(body: unknown, pointer: string, fromXml: boolean): readonly unknown[] | null {
  const list = getAt(body, pointer);
  if (Array.isArray(list) || !fromXml) return Array.isArray(list) ? list : null;
  const [root] = splitPointer(pointer);
  if (root === undefined || !isMap(body) || !Object.hasOwn(body, root)) return null;
  return list === undefined || list === '' ? [] : [list];
}

function noList(request: StoredRequest, pointer: string, body: unknown): Failure {
  return new Failure('PROVIDER_RESPONSE', {
    detail: `${showRequest(request)} answered without a list at "${pointer}"${members(body)}.`,
    fixByHand: 'Correct find.list_path so that it names the list inside the answer ("" when the answer is the list).',
  });
}
