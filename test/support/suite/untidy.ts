import type { Simulation } from 'pilotfish-sandbox/kit/index';
import { expect } from 'vitest';
import type { Bench } from './bench.ts';
import { type Case, editOutside } from './case.ts';
import { neverShown } from './never-shown.ts';
import type { Subject } from './subject.ts';

/** Planned value as JSON → what the provider shows in its place. */
type Shown = ReadonlyMap<string, unknown>;

/** A way in which providers show what they were sent. */
interface Manner {
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
  'empty-respelled': {
    says: 'empty values as null',
    show: (value) => (value === '' || (Array.isArray(value) && value.length === 0) ? null : undefined),
  },
};

/** One case for each manner: made once, written when needed alone, put back, and taken away. */
export const untidy: { readonly [name: string]: Case } = Object.fromEntries(
  Object.entries(manners).map(([kind, manner]) => [
    `untidy ${kind}`,
    {
      says: `untidy: shown with ${manner.says}, it is made once, and nothing of it is left`,
      unless: (subject: Subject) => {
        if (subject.stands === undefined) return 'its subject does not say how it stands';
        return shownOf(subject, manner).size > 0 ? null : `it has no value that could be shown with ${manner.says}`;
      },
      run: (bench: Bench, skip: (reason: string) => never) => tell(bench, manner, skip),
    },
  ]),
);

/** `npm run untidy` runs these cases and no others. */
export const isOnly = (): boolean => process.env.PILOTFISH_UNTIDY === 'only';

/** All of them in `npm run untidy`; else the first that means something for the operation, beginning at one that its name picks. */
export function untidyCases(op: string, subject: Subject): { readonly [name: string]: Case } {
  if (isOnly()) return untidy;
  const all = Object.entries(untidy);
  const start = [...op].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % all.length;
  const turned = [...all.slice(start), ...all.slice(0, start)];
  return Object.fromEntries(turned.filter(([, { unless }]) => unless?.(subject) === null).slice(0, 1));
}

async function tell(bench: Bench, manner: Manner, skip: (reason: string) => never): Promise<void> {
  const { subject } = bench;
  const spoken = speak(bench.simulation, shownOf(subject, manner));
  const writes = async (): Promise<number> =>
    (
      await bench.during(async () => {
        await bench.applied();
      })
    ).filter(({ write }) => write).length;
  await bench.applied();
  expect(await writes(), 'writes of the second apply').toBe(0);
  if (spoken.times === 0) skip(neverShown);
  expect(await bench.planned(), 'the plan').toMatchObject({ verdict: 'none', drift: 'none' });
  const [edit] = Object.values(subject.edits ?? {});
  if (edit) {
    editOutside(bench, edit);
    await bench.applied();
    expect(await writes(), 'writes of the apply after an outside change was put back').toBe(0);
  }
  bench.one();
  expect(await bench.destroy(), 'the destroy').toMatchObject({ ok: true });
  if (!subject.stays) expect(subject.mine(), 'what destroy leaves').toEqual([]);
}

/** Every value that stands in the object as planned, with its other form. */
function shownOf({ stands, params }: Subject, { show }: Manner): Shown {
  const shown = new Map<string, unknown>();
  const walk = (value: unknown, isOurs: (value: unknown) => boolean): void => {
    const other = isOurs(value) ? show(value) : undefined;
    if (other !== undefined && other !== value) shown.set(JSON.stringify(value), other);
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) walk(inner, isOurs);
  };
  walk(stands, () => true);
  // A name by which it is found may be no field of it. What has the scope in it is ours, and nobody's choice or place.
  walk(params, (value) => typeof value === 'string' && value.includes('pr-12'));
  return shown;
}

/** Answers in which something was shown in another form. */
interface Spoken {
  times: number;
}

/** The simulation answers with the other forms, and takes each of them for the planned value that it stands for. */
function speak(simulation: Simulation, shown: Shown): Spoken {
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
