import type { Simulation } from 'pilotfish-sandbox/kit/index';
import { expect } from 'vitest';
import type { Bench } from './bench.ts';
import { type Case, editOutside } from './case.ts';
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
      run: (bench: Bench) => tell(bench, manner),
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

async function tell(bench: Bench, manner: Manner): Promise<void> {
  const { subject } = bench;
  speak(bench.simulation, shownOf(subject, manner));
  const writes = async (): Promise<number> =>
    (
      await bench.during(async () => {
        await bench.applied();
      })
    ).filter(({ write }) => write).length;
  await bench.applied();
  expect(await writes(), 'writes of the second apply').toBe(0);
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
function shownOf({ stands }: Subject, { show }: Manner): Shown {
  const shown = new Map<string, unknown>();
  const walk = (value: unknown): void => {
    const other = show(value);
    if (other !== undefined && other !== value) shown.set(JSON.stringify(value), other);
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) walk(inner);
  };
  walk(stands);
  return shown;
}

/** The simulation answers with the other forms, and takes each of them for the planned value that it stands for. */
function speak(simulation: Simulation, shown: Shown): void {
  const meant: Shown = new Map([...shown].map(([planned, other]) => [JSON.stringify(other), JSON.parse(planned) as unknown]));
  const { handle } = simulation;
  const spoken = async (request: Request): Promise<Response> => {
    const answer = await handle(await heard(request, meant));
    if (!/json/.test(answer.headers.get('content-type') ?? '')) return answer;
    const body = await answer.text();
    if (body === '') return new Response(null, answer);
    return new Response(JSON.stringify(replaced(JSON.parse(body), shown)), { status: answer.status, headers: answer.headers });
  };
  Object.assign(simulation, { handle: spoken });
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
  const isJson = /json/.test(request.headers.get('content-type') ?? '') && body !== '';
  return new Request(address, {
    method: request.method,
    headers: request.headers,
    signal: request.signal,
    ...(body !== '' && { body: isJson ? JSON.stringify(replaced(JSON.parse(body), meant)) : body }),
  });
}

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
