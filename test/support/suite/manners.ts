import type { Simulation } from 'pilotfish-sandbox/kit/types';

/** Planned value as JSON → what the provider shows in its place. */
export type Shown = ReadonlyMap<string, unknown>;

/** A way in which providers show what they were sent. */
export interface Manner {
  readonly says: string;
  /** The value as shown; `undefined` where this manner says nothing of such a value. */
  readonly show: (value: unknown) => unknown;
}

const text = (change: (value: string) => string | undefined) => (value: unknown) => (typeof value === 'string' ? change(value) : undefined);
const url = (change: (url: string) => string) => text((value) => (/^https:\/\/[^/\s]+/.test(value) ? change(value) : undefined));

/** The kinds of the providers' own table that can be told by the shape of a value alone. */
export const manners: { readonly [kind: string]: Manner } = {
  'case-folded': {
    says: 'texts in capitals',
    // Words of one piece are choices of the provider more often than texts of ours.
    show: text((value) => (/[\s./:-]/.test(value) && /[a-z]/.test(value) ? value.toUpperCase() : undefined)),
  },
  'url-normalised': { says: 'URLs with a port', show: url((value) => value.replace(/^(https:\/\/[^/:]+)(?=\/|$)/, '$1:443')) },
  trimmed: {
    says: 'URLs with or without a final slash',
    show: url((value) => (/[?#]/.test(value) ? value : value.endsWith('/') ? value.slice(0, -1) : `${value}/`)),
  },
  'host-respelled': {
    says: 'host names with a final dot',
    show: text((value) => (/^(?:[\w-]+\.)+[a-z]{2,}$/.test(value) ? `${value}.` : undefined)),
  },
  stringified: { says: 'numbers as text', show: (value) => (typeof value === 'number' ? String(value) : undefined) },
  'set-semantics': {
    says: 'lists backwards',
    show: (value) => (Array.isArray(value) && value.length > 1 ? [...(value as unknown[])].reverse() : undefined),
  },
  'default-filled': {
    says: 'maps with a member of the provider’s own',
    show: (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
        ? { ...value, pilotfish_never_sent: true }
        : undefined,
  },
  'empty-respelled': {
    says: 'empty values as null',
    show: (value) => (value === '' || (Array.isArray(value) && value.length === 0) ? null : undefined),
  },
};

/** The values, and all that is in them, that are ours, each with its other form. */
export function formsIn(value: unknown, { show }: Manner, isOurs: (value: unknown) => boolean = () => true): Shown {
  const shown = new Map<string, unknown>();
  const walk = (at: unknown): void => {
    const other = isOurs(at) ? show(at) : undefined;
    if (other !== undefined && other !== at) shown.set(JSON.stringify(at), other);
    if (typeof at === 'object' && at !== null) for (const inner of Object.values(at)) walk(inner);
  };
  walk(value);
  return shown;
}

/** What has the scope in it is ours, and nobody's choice or place. */
export const hasScope = (value: unknown): boolean => typeof value === 'string' && value.includes('pr-12');

/** Answers in which something was shown in another form. */
export interface Spoken {
  times: number;
}

/** The simulation answers with the other forms, and takes each of them for the planned value that it stands for. */
export function speak(simulation: Simulation, shown: Shown): Spoken {
  const meant: Shown = new Map([...shown].map(([planned, other]) => [JSON.stringify(other), JSON.parse(planned) as unknown]));
  const { handle } = simulation;
  const spoken: Spoken = { times: 0 };
  const answerIn = async (request: Request): Promise<Response> => {
    const answer = await handle(await heard(request, meant));
    const body = await answer.text();
    if (body === '') return new Response(null, answer);
    const said = inForms(body, answer.headers.get('content-type') ?? '', shown);
    if (said !== body) spoken.times += 1;
    return new Response(said, { status: answer.status, headers: answer.headers });
  };
  Object.assign(simulation, { handle: answerIn });
  return spoken;
}

async function heard(request: Request, meant: Shown): Promise<Request> {
  const address = new URL(request.url);
  address.pathname = address.pathname
    .split('/')
    .map((part) => encodeURIComponent(named(decodeURIComponent(part), meant)))
    .join('/');
  for (const [name, value] of [...address.searchParams]) {
    const plain = named(value, meant);
    if (plain !== value) address.searchParams.set(name, plain);
  }
  const body = await request.text();
  const { method, headers, signal } = request;
  const plain = inForms(body, headers.get('content-type') ?? '', meant);
  return new Request(address, { method, headers, signal, ...(body !== '' && { body: plain }) });
}

/** A body with the values in other forms: in JSON, in a form, as the content of an XML element, or as a part of its own. */
function inForms(body: string, type: string, forms: Shown): string {
  if (type.includes('json')) {
    const value: unknown = JSON.parse(body);
    const other = JSON.stringify(replaced(value, forms));
    return other === JSON.stringify(value) ? body : other;
  }
  if (type.includes('x-www-form-urlencoded')) {
    return new URLSearchParams(
      [...new URLSearchParams(body)].map(([name, value]): [string, string] => [name, named(value, forms)]),
    ).toString();
  }
  return [...forms].reduce((text, [from, to]) => {
    const before: unknown = JSON.parse(from);
    if (typeof before !== 'string' || typeof to !== 'string') return text;
    return text.replaceAll(`>${inXml(before)}<`, `>${inXml(to)}<`).replaceAll(`\r\n\r\n${before}\r\n`, `\r\n\r\n${to}\r\n`);
  }, body);
}

const inXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function named(value: string, meant: Shown): string {
  const plain = meant.get(JSON.stringify(value));
  return typeof plain === 'string' ? plain : value;
}

function replaced(value: unknown, forms: Shown): unknown {
  const other = forms.get(JSON.stringify(value));
  if (other !== undefined) return other;
  if (Array.isArray(value)) return value.map((one) => replaced(one, forms));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, forms)]));
}
