import { canonicalJson } from '../../core/canonical.ts';
import type { Answer, Http, StoredRequest } from '../../http/types.ts';
import type { Params } from '../../ops/bound.ts';
import { identityOf } from '../../ops/provider.ts';
import { countIn, type Figures, limitIn } from '../../ops/quota.ts';
import { isAsPlanned } from '../../remote/compare.ts';
import { fieldName } from '../../remote/live.ts';
import { readOptions } from '../../remote/read.ts';
import { expandPath, namesOf } from '../../remote/template.ts';
import { createsEarly } from '../line/create-early.ts';
import { type Judged, judgementOf, type LinePhase, type Ready } from '../line/phases.ts';
import { type Session, workOf } from '../session.ts';
import { HeldBack, type Misfit } from './misfit.ts';

/** A place that takes a number of objects, and the lines that make one there, in the order of the plan as far as that is known. */
interface Place {
  readonly of: string;
  readonly path: string;
  readonly numbers: Promise<Numbers | null>;
  readonly lines: string[];
}

interface Numbers {
  readonly limit: number;
  readonly count: number;
}

/** A create at a place whose provider tells its figures. */
interface Ask {
  readonly id: string;
  /** The name of the place: equal for lines that share its room. */
  readonly name: string;
  readonly of: string;
  readonly figures: Figures;
  readonly http: Http;
}

/**
 * The places of one start of the lines. Each is read once, before the first create there. Figures that nobody can read refuse nothing.
 * The first create already counts all creates that need no value of another line. The others are counted in their turn.
 */
export class Places {
  readonly #session: Session;
  readonly #places = new Map<string, Place>();
  readonly #refused = new Set<string>();
  #early: Promise<void> | null = null;
  #first: Promise<Misfit | null> | null = null;

  constructor(session: Session) {
    this.#session = session;
  }

  /** The figures by which the object of a line cannot be made; `null` where there is room, or nobody knows. */
  async misfitOf(line: LinePhase): Promise<Misfit | null> {
    const ask = line.phase === 'judged' && isMaking(line) ? askOf(line) : null;
    if (!ask) return null;
    await this.#lookEarly();
    const misfit = await this.#misfitAt(this.#add(ask));
    if (!misfit?.lines.includes(line.id)) return null;
    this.#refused.add(line.id);
    return misfit;
  }

  /** Called before each write of a line. Where some creates were known not to fit before the first write, the run writes nothing. */
  async mustAllFit(): Promise<void> {
    this.#first ??= this.#firstMisfit();
    const misfit = await this.#first;
    if (misfit) throw new HeldBack(this.#session, misfit);
  }

  async #firstMisfit(): Promise<Misfit | null> {
    await this.#lookEarly();
    const misfits = await Promise.all([...this.#places.values()].map((place) => this.#misfitAt(place)));
    return misfits.find((misfit) => misfit !== null) ?? null;
  }

  #lookEarly(): Promise<void> {
    this.#early ??= this.#addEarly();
    return this.#early;
  }

  async #addEarly(): Promise<void> {
    const lines = [...this.#session.works.values()].filter(({ prepared }) => prepared?.op.quota?.figures);
    const asks = await Promise.all(lines.map((line) => this.#askEarly(line)));
    for (const ask of asks) if (ask) this.#add(ask);
  }

  async #askEarly(line: LinePhase): Promise<Ask | null> {
    if (line.phase === 'judged') {
      // With a digest all lines are judged before, and go on from there.
      if (line.judgement.code === 'PROVIDER_QUOTA') this.#refused.add(line.id);
      return this.#refused.has(line.id) || isMaking(line) ? askOf(line) : null;
    }
    const early = line.phase === 'unjudged' ? await createsEarly(this.#session, line) : null;
    return early && askOf(early);
  }

  #add(ask: Ask): Place {
    const { id, name, of, figures } = ask;
    const numbers = (): Place['numbers'] => numbersOf(ask, this.#session.stopping).catch(() => null);
    const place = this.#places.get(name) ?? { of, path: figures.count.path, numbers: numbers(), lines: [] };
    this.#places.set(name, place);
    if (!place.lines.includes(id)) place.lines.push(id);
    return place;
  }

  async #misfitAt({ numbers, lines, of, path }: Place): Promise<Misfit | null> {
    const known = await numbers;
    const making = lines.filter((id) => this.#refused.has(id) || hasMadeOrMay(workOf(this.#session, id)));
    if (known === null || known.count + making.length <= known.limit) return null;
    return { ...known, of, path, creates: making.length, lines: making.slice(Math.max(0, known.limit - known.count)) };
  }
}

/** Whether the line makes an object beside those that stand. Room for one whose predecessor goes first is there when that is gone. */
function isMaking({ judgement: { verdict }, bound, going }: Judged): boolean {
  if (going.length > 0) return false;
  return verdict === 'create' || (verdict === 'replace' && bound.kind === 'object' && bound.coexist !== false);
}

/** A line that failed makes nothing more. One that is not judged yet was seen to make an object. A line of a plan ends as it is judged. */
function hasMadeOrMay(line: LinePhase): boolean {
  const verdict = judgementOf(line)?.verdict;
  const hasFailed = line.endedAt !== null && (line.phase === 'unjudged' || (line.phase === 'judged' && !line.isAhead));
  return !hasFailed && (verdict === undefined || verdict === 'create' || verdict === 'replace');
}

/** `null` where the operation tells no figures, where a param of their paths has no plain value, or where this object needs no room. */
function askOf({ id, prepared, resolved, block, bound, http }: Ready | Judged): Ask | null {
  const figures = prepared.op.quota?.figures;
  if (!figures) return null;
  const limit = filled(figures.limit.path, resolved.params);
  const count = filled(figures.count.path, resolved.params);
  if (limit === null || count === null) return null;
  const isCounted = Object.entries(figures.count.match ?? {}).every(([pointer, want]) => {
    const field = bound.fields[fieldName(pointer)];
    return typeof field === 'object' || field === undefined || isAsPlanned(want, field);
  });
  if (!isCounted) return null;
  const of = prepared.recipe ?? `${prepared.adapter}.${prepared.opName}`;
  const name = identityOf(prepared.adapter, block, canonicalJson([of, limit, count]));
  return { id, name, of, figures: { limit: { ...figures.limit, path: limit }, count: { ...figures.count, path: count } }, http };
}

function filled(path: string, params: Params): string | null {
  const values = namesOf(path).map((name): readonly [string, unknown] => [name, params[name]]);
  if (!values.every(([, value]) => typeof value === 'string' || typeof value === 'number')) return null;
  return expandPath(path, Object.fromEntries(values.map(([name, value]) => [name, String(value)])));
}

async function numbersOf({ figures, http }: Ask, signal: AbortSignal): Promise<Numbers | null> {
  const read = async (path: string): Promise<Answer> => {
    const request: StoredRequest = { method: 'GET', path };
    return await http.send(request, readOptions(request, { signal, share: true }));
  };
  const [told, seen] = await Promise.all([read(figures.limit.path), read(figures.count.path)]);
  const limit = limitIn(told.body, figures.limit);
  const count = countIn(seen.body, figures.count);
  return limit === null || count === null ? null : { limit, count };
}
