import { MockAgent } from 'undici';

/** What the provider answers to the request of one object in place of its own answer. */
export interface Fault {
  readonly status: number;
  readonly body: string;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An API of named things that works, except where a name has a fault. */
export function provider(faults: Readonly<Record<string, Fault>> = {}): MockAgent {
  const agent = new MockAgent();
  agent.disableNetConnect();
  const made: { readonly id: string; readonly name: string }[] = [];
  const json = { 'content-type': 'application/json' };
  const answer = (name: string, status: number, body: unknown) => {
    const fault = faults[name];
    return fault
      ? { statusCode: fault.status, data: fault.body, responseOptions: { headers: { 'content-type': fault.type, ...fault.headers } } }
      : { statusCode: status, data: JSON.stringify(body), responseOptions: { headers: json } };
  };
  const pool = agent.get('https://api.things.example');
  pool
    .intercept({ path: (path) => path.startsWith('/things'), method: 'GET' })
    .reply(({ path }) => {
      const name = new URL(path, 'https://x').searchParams.get('name') ?? '';
      return answer(name, 200, { things: made.filter((thing) => thing.name === name) });
    })
    .persist();
  pool
    .intercept({ path: '/things', method: 'POST' })
    .reply(({ body }) => {
      const { name } = JSON.parse(String(body)) as { readonly name: string };
      const thing = { id: `th_${made.length + 1}`, name };
      made.push(thing);
      return answer('', 201, thing);
    })
    .persist();
  return agent;
}

/** A line of that API; `needs` are lines whose id it takes. */
export const thing = (id: string, ...needs: readonly string[]): string => `
  - id: ${id}
    adapter: http
    op: resource
    api: things
    find: { path: "/things?name=${id}-\${ctx.scope}", list_path: /things, match: { /name: "${id}-\${ctx.scope}" } }
    create: { path: /things, body: { name: "${id}-\${ctx.scope}" } }
    delete: { path: "/things/{id}" }
    id_path: /id
    fields: { /name: "${id}-\${ctx.scope}" }
    outputs: { id: /id }${needs.length === 0 ? '' : `\n    depends_on: [${needs.join(', ')}]`}`;

export const thingsPlan = (...lines: readonly string[]): string => `version: 1
providers:
  http:
    things: { base_url: https://api.things.example, auth: { bearer_env: THINGS_TOKEN } }
changes:${lines.join('')}
`;

export const env = { THINGS_TOKEN: 'things-token-0123456789' };
