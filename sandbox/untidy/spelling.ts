import { isMap } from '../kit/json.ts';
import { type Change, changedBody } from './body.ts';
import type { Asked, Heard, Told, Wire } from './wire.ts';

/** The form in which a provider shows a value; `undefined` where this way says nothing of such a value. */
export type Show = (value: unknown) => unknown;

/** The planned values that are shown in another form, each with that form. */
export interface Forms {
  readonly other: ReadonlyMap<string, unknown>;
  /** Maps that are planned: a live one may hold more. */
  readonly maps: readonly Readonly<Record<string, unknown>>[];
  /** Members in which a number, a boolean or an empty value is ours. */
  readonly names: ReadonlySet<string>;
  readonly show: Show;
}

export function formsIn(planned: readonly unknown[], names: ReadonlySet<string>, show: Show): Forms | null {
  const other = new Map<string, unknown>();
  const maps: Readonly<Record<string, unknown>>[] = [];
  for (const value of planned) {
    const shown = show(value);
    if (shown === undefined || shown === value) continue;
    other.set(JSON.stringify(value), shown);
    if (isMap(value)) maps.push(value as Readonly<Record<string, unknown>>);
  }
  return other.size === 0 ? null : { other, maps, names, show };
}

/** Answers show the other forms, and each of them is taken for the value that it stands for. `tells`: which answers show them. */
export function spelled(forms: Forms, tells: (asked: Asked) => boolean = () => true): Wire {
  const meant = new Map<string, unknown>([...forms.other].map(([planned, shown]) => [JSON.stringify(shown), JSON.parse(planned)]));
  const isOurs = (value: unknown, name: string): boolean =>
    (typeof value === 'string' && value !== '') || isFilled(value) || forms.names.has(name);
  // A list is no entry of a list, so neither is what stands in place of one.
  const isMisplaced = (value: unknown, other: unknown, isEntry = false): boolean =>
    isEntry && Array.isArray(value) !== Array.isArray(other);
  const toShown: Change = (value, name, isEntry) => {
    if (!isOurs(value, name)) return value;
    const exact = forms.other.get(JSON.stringify(value));
    if (exact !== undefined) return isMisplaced(value, exact, isEntry) ? value : exact;
    if (!isMap(value) || !forms.maps.some((map) => holds(value, map))) return value;
    const shown = forms.show(value);
    if (shown === undefined) return value;
    meant.set(JSON.stringify(shown), value);
    return shown;
  };
  const toMeant: Change = (value, name, isEntry) => {
    if (!isOurs(value, name) || !meant.has(JSON.stringify(value))) return value;
    const plain = meant.get(JSON.stringify(value));
    return isMisplaced(value, plain, isEntry) ? value : plain;
  };
  return {
    hear: (request) => heardAs(request, toMeant),
    tell: (answer, asked) => (tells(asked) ? toldAs(answer, toShown) : answer),
  };
}

/** A request with other values in its path, its query and its body; the same one where nothing changed. */
export function heardAs(request: Heard, change: Change): Heard {
  const text = (value: string, name: string): string => {
    const other = change(value, name);
    return typeof other === 'string' ? other : value;
  };
  const url = new URL(request.url);
  const parts = url.pathname.split('/');
  const others = parts.map((part) => (text(plain(part), '') === plain(part) ? part : encodeURIComponent(text(plain(part), ''))));
  if (others.join('/') !== parts.join('/')) url.pathname = others.join('/');
  for (const [name, value] of [...url.searchParams]) if (text(value, name) !== value) url.searchParams.set(name, text(value, name));
  const body = changedBody(request.body, change);
  return url.href === request.url.href && body === request.body ? request : { ...request, url, body };
}

export function toldAs(answer: Told, change: Change): Told {
  const body = changedBody(answer.body, change);
  return body === answer.body ? answer : { ...answer, body };
}

const isFilled = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length > 0;

function plain(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Whether a live value holds what is planned, whatever else stands in its maps. */
export function holds(live: unknown, planned: unknown): boolean {
  if (isMap(planned)) return isMap(live) && Object.entries(planned).every(([name, value]) => holds(live[name], value));
  if (!Array.isArray(planned)) return live === planned;
  return Array.isArray(live) && live.length === planned.length && planned.every((value, i) => holds(live[i], value));
}
