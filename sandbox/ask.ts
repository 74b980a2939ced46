import type { Simulation } from './kit/index.ts';

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  /** JSON where the answer is JSON, text otherwise, `null` for none. */
  readonly body: unknown;
  /** A member of the body: `at('result', 'id')`; `undefined` where there is none. */
  at(...path: readonly (string | number)[]): unknown;
}

export type Ask = (method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>) => Promise<Asked>;

/** Asks a simulation directly, with these headers on every request. A string or `URLSearchParams` goes out as it is, anything else as JSON. */
export function asking(simulation: Simulation, headers: Readonly<Record<string, string>>): Ask {
  return async (method, path, body, more = {}) => {
    const isPlain = typeof body === 'string' || body instanceof URLSearchParams;
    const response = await simulation.handle(
      new Request(simulation.origin + path, {
        method,
        headers: { ...headers, ...(body !== undefined && !isPlain && { 'content-type': 'application/json' }), ...more },
        ...(body !== undefined && { body: isPlain ? body : JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '');
    const parsed: unknown = text === '' ? null : isJson ? JSON.parse(text) : text;
    return {
      status: response.status,
      headers: response.headers,
      body: parsed,
      at: (...keys) =>
        keys.reduce<unknown>((here, key) => (typeof here === 'object' && here !== null ? Reflect.get(here, key) : undefined), parsed),
    };
  };
}
