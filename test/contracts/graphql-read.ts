/** A type as it is referred to: `String!`, `[ID!]!`. */
export interface TypeRef {
  readonly name: string | null;
  readonly of: TypeRef | null;
  readonly must: boolean;
}

export interface Input {
  readonly type: TypeRef;
  readonly hasDefault: boolean;
}

interface Field {
  readonly type: TypeRef;
  readonly args: ReadonlyMap<string, Input>;
}

type Definition =
  | { readonly kind: 'type'; readonly fields: ReadonlyMap<string, Field> }
  | { readonly kind: 'input'; readonly fields: ReadonlyMap<string, Input> }
  | { readonly kind: 'enum'; readonly values: ReadonlySet<string> }
  | { readonly kind: 'scalar' };

export interface Schema {
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly roots: { readonly [operation: string]: string };
}

/** One field of a selection; an argument is a variable's name, or `null` for a literal, which nobody here sends. */
export interface Selected {
  readonly name: string;
  readonly alias: string;
  readonly args: ReadonlyMap<string, string | null>;
  readonly inner: readonly Selected[] | null;
}

export interface Operation {
  readonly kind: string;
  readonly variables: ReadonlyMap<string, Input>;
  readonly selection: readonly Selected[];
}

/** Reads the schema of a vendor, as far as their cut descriptions go: types, inputs, enums, scalars and the roots. */
export function readSchema(text: string): Schema {
  const read = reader(text);
  const definitions = new Map<string, Definition>();
  const roots: Record<string, string> = { query: 'Query', mutation: 'Mutation' };
  while (!read.isAtEnd()) {
    const word = read.next();
    if (word === 'schema') {
      for (const [name, { type }] of read.fields()) roots[name] = type.name ?? '';
      continue;
    }
    const name = read.next();
    if (word === 'scalar') definitions.set(name, { kind: 'scalar' });
    else if (word === 'enum') definitions.set(name, { kind: 'enum', values: new Set(read.words()) });
    else if (word === 'type') definitions.set(name, { kind: 'type', fields: read.fields() });
    else if (word === 'input') definitions.set(name, { kind: 'input', fields: new Map(read.inputs('{', '}')) });
    else throw new Error(`${word} ${name} is not read here`);
  }
  for (const name of ['String', 'ID', 'Int', 'Float', 'Boolean']) definitions.set(name, { kind: 'scalar' });
  return { definitions, roots };
}

/** Reads the one operation of a document. Fragments and directives are refused: no recipe has them. */
export function readOperation(text: string): Operation {
  const read = reader(text);
  const kind = read.peek() === '{' ? 'query' : read.next();
  if (!['query', 'mutation'].includes(kind)) throw new Error(`${kind} is no operation`);
  if (/^[A-Za-z_]/.test(read.peek())) read.next();
  const variables = read.peek() === '(' ? read.inputs('(', ')') : [];
  const selection = read.selection();
  if (!read.isAtEnd()) throw new Error(`${read.peek()} stands after the operation`);
  return { kind, variables: new Map(variables), selection };
}

const token = /"""[\s\S]*?"""|"(?:[^"\\]|\\.)*"|#[^\n]*|[!$():=@[\]{}|&]|\.{3}|[A-Za-z_]\w*|-?\d+(?:\.\d+)?|[^\s,]/g;

function reader(text: string) {
  // Descriptions and remarks say nothing to a checker; a text after = is a default.
  const tokens = [...text.matchAll(token)]
    .map(([one]) => one)
    .filter((one) => !one.startsWith('#'))
    .filter((one, i, all) => !one.startsWith('"') || all[i - 1] === '=');
  let at = 0;
  const peek = (): string => tokens[at] ?? '';
  const next = (): string => {
    at += 1;
    return tokens[at - 1] ?? '';
  };
  const expect = (wanted: string): void => {
    const found = next();
    if (found !== wanted) throw new Error(`${wanted} was expected, and ${found || 'the end'} is there`);
  };
  const within = <T>(open: string, close: string, one: () => T): T[] => {
    const all: T[] = [];
    expect(open);
    while (peek() !== close) {
      if (peek() === '') throw new Error(`${close} is missing`);
      all.push(one());
    }
    expect(close);
    return all;
  };
  const type = (): TypeRef => {
    let of: TypeRef | null = null;
    let name: string | null = null;
    if (peek() === '[') [of = null] = within('[', ']', type);
    else name = next();
    const must = peek() === '!';
    if (must) next();
    return { name, of, must };
  };
  const input = (): [string, Input] => {
    if (peek() === '$') next();
    const name = next();
    expect(':');
    const is = type();
    const hasDefault = peek() === '=';
    if (hasDefault) at += 2;
    return [name, { type: is, hasDefault }];
  };
  const inputs = (open: string, close: string): [string, Input][] => within(open, close, input);
  const argument = (): [string, string | null] => {
    const name = next();
    expect(':');
    if (next() === '$') return [name, next()];
    return [name, null];
  };
  const selected = (): Selected => {
    const alias = next();
    if (!/^[A-Za-z_]/.test(alias)) throw new Error(`${alias} is not read here`);
    const isRenamed = peek() === ':';
    if (isRenamed) next();
    const name = isRenamed ? next() : alias;
    const args = new Map(peek() === '(' ? within('(', ')', argument) : []);
    return { name, alias, args, inner: peek() === '{' ? selection() : null };
  };
  const selection = (): Selected[] => within('{', '}', selected);
  return {
    peek,
    next,
    selection,
    inputs,
    isAtEnd: () => at >= tokens.length,
    words: (): string[] => within('{', '}', next),
    fields: (): Map<string, Field> =>
      new Map(
        within('{', '}', (): [string, Field] => {
          const name = next();
          const args = new Map(peek() === '(' ? inputs('(', ')') : []);
          expect(':');
          return [name, { type: type(), args }];
        }),
      ),
  };
}
