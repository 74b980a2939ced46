import type { Call, Reply } from './types.ts';

/** `/projects/{id}/items/{+rest}` gives `{ id: string; rest: string }`: `{x}` is one segment or a part of it, `{+x}` may hold slashes. */
export type ParamsOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name extends `+${infer Plain}` ? Plain : Name]: string } & ParamsOf<Rest>
  : unknown;

export interface RouteOptions {
  /** Served without a credential (a token endpoint). */
  readonly open?: boolean;
  /** Default: every method but GET and HEAD. A POST that only reads says `false`, one that does either looks into its body. */
  readonly write?: boolean | ((call: { readonly body: unknown }) => boolean);
}

export interface Route<S> extends RouteOptions {
  readonly method: string;
  readonly pattern: string;
  match(path: string): Readonly<Record<string, string>> | null;
  serve(call: Call<S>): Reply;
}

/** A door of the provider: `route('GET', '/projects/{id}', ({ params }) => …)`. The pattern is the full path below the origin. */
export function route<S, P extends string>(
  method: string,
  pattern: P,
  serve: (call: Call<S, ParamsOf<P>>) => Reply,
  options: RouteOptions = {},
): Route<S> {
  const { expression, names } = compile(pattern);
  return {
    ...options,
    method,
    pattern,
    match: (path) => {
      const found = expression.exec(path);
      if (!found) return null;
      return Object.fromEntries(names.map((name, index) => [name, decode(found[index + 1] ?? '')]));
    },
    // The pattern that named the params is the one that matched them.
    serve: (call) => serve(call as Call<S, ParamsOf<P>>),
  };
}

/** A pattern as an expression over whole paths; also what `Match` strings use. */
export function compile(pattern: string): { readonly expression: RegExp; readonly names: readonly string[] } {
  const names: string[] = [];
  const source = pattern
    .split(/(\{\+?\w+\})/)
    .map((part) => {
      const name = /^\{(\+?)(\w+)\}$/.exec(part);
      if (!name) return part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
      names.push(name[2] ?? '');
      return name[1] === '+' ? '(.+)' : '([^/]+?)';
    })
    .join('');
  return { expression: new RegExp(`^${source}$`), names };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
