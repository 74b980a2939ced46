import type { Simulation } from 'pilotfish-sandbox/kit/types';
import { writeXml } from '../../../src/http/encodings/xml-write.ts';

export type Thing = { readonly [member: string]: unknown };
export type WireName = 'json' | 'form' | 'xml' | 'graphql';

/** How requests and answers are written, and how a line says so. */
export interface Wire {
  /** Of the block of the API. */
  readonly api: Thing;
  /** The line, in the words of this wire. */
  readonly line: (line: Thing) => Thing;
  /** The provider, which speaks JSON by itself, behind this wire. */
  readonly put: <T>(simulation: Simulation<T>) => void;
}

/** A request in JSON; what is left out is as in the request that is translated. */
export interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly body?: unknown;
}
type Ask = (asked: Asked) => Promise<{ readonly ok: boolean; readonly status: number; readonly body: unknown }>;

/** Puts a translator before a simulation: it asks in JSON what it was asked in another way, and answers in that way. */
export const translated =
  (told: (request: Request, ask: Ask) => Promise<Response>) =>
  <T>(simulation: Simulation<T>): void => {
    const { handle } = simulation;
    const answer = (request: Request): Promise<Response> =>
      told(request, async ({ method = request.method, path, query, body }) => {
        const address = new URL(request.url);
        if (path !== undefined) address.pathname = path;
        if (query !== undefined) address.search = query;
        const headers = new Headers(request.headers);
        headers.set('content-type', 'application/json');
        const answered = await handle(new Request(address, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }));
        const text = await answered.text();
        return { ok: answered.ok, status: answered.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
      });
    Object.assign(simulation, { handle: answer });
  };

export const json: Wire = { api: {}, line: (line) => line, put: () => undefined };

export const isMap = (value: unknown): value is Thing => typeof value === 'object' && value !== null && !Array.isArray(value);

export const asJson = (status: number, body: unknown): Response =>
  body === undefined ? new Response(null, { status }) : Response.json(body, { status });

export const asXml = (status: number, body: Thing): Response =>
  new Response(writeXml(body), { status, headers: { 'content-type': 'application/xml' } });

/** Data and errors of a GraphQL answer: a refusal has status 200. */
export function asGraphql(name: string, { ok, status, body }: Awaited<ReturnType<Ask>>): Response {
  if (status === 401) return asJson(401, body);
  if (!ok) return asJson(200, { data: null, errors: [{ message: isMap(body) ? String(body.error) : `status ${status}` }] });
  return asJson(200, { data: { [name]: body ?? true } });
}

/** The first field that a query or mutation asks for. */
export const fieldOf = (query: string): string => /\{\s*(\w+)/.exec(query)?.[1] ?? '';

/** A request of GraphQL: a name with a capital in it is a mutation. Variables are declared, and given to the field by their names. */
export function graphql(name: string, variables: Thing, more: readonly string[] = []): Thing {
  const types: { readonly [variable: string]: string } = { id: 'ID!', after: 'String', input: 'ThingInput!' };
  const names = [...Object.keys(variables), ...more];
  const inBrackets = (parts: readonly string[]): string => (parts.length === 0 ? '' : `(${parts.join(', ')})`);
  const declared = inBrackets(names.map((variable) => `$${variable}: ${types[variable] ?? 'String'}`));
  const given = inBrackets(names.map((variable) => `${variable}: $${variable}`));
  const kind = /[A-Z]/.test(name) ? 'mutation' : 'query';
  return { graphql: { query: `${kind} it${declared} { ${name}${given} { id } }`, variables, data_path: `/${name}` } };
}
