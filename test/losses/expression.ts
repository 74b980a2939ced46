/** The contexts of an expression: `github`, `secrets`, and what else a workflow may name. */
export type Contexts = { readonly [name: string]: unknown };

type Value = unknown;

/** Fills in a text of a workflow: each `${{ … }}` by its value. */
export const fillIn = (text: string, contexts: Contexts): string =>
  text.replace(/\$\{\{(.*?)\}\}/gs, (_all, expression: string) => textOf(evaluate(expression, contexts)));

/** Whether an `if:` holds, which may stand with or without `${{ }}`. */
export const holds = (condition: string, contexts: Contexts): boolean =>
  isTrue(evaluate(condition.trim().replace(/^\$\{\{(.*)\}\}$/s, '$1'), contexts));

/**
 * Evaluates an expression of GitHub's workflows, as docs.github.com/actions/reference/workflows-and-actions/expressions tells: `==` ignores
 * the case of texts, `&&` and `||` give an operand, a member of nothing is nothing, and `list.*.name` is the names of all.
 */
export function evaluate(expression: string, contexts: Contexts): Value {
  const reader = new Reader(expression, contexts);
  const value = reader.or();
  reader.mustBeAtEnd();
  return value;
}

const word = /\s*(?:('(?:[^']|'')*')|(-?\d+(?:\.\d+)?)|([A-Za-z_][\w-]*)|(==|!=|<=|>=|&&|\|\||[!<>()[\].,*]))/y;

class Reader {
  readonly #expression: string;
  readonly #contexts: Contexts;
  readonly #words: string[] = [];
  #at = 0;

  constructor(expression: string, contexts: Contexts) {
    this.#expression = expression;
    this.#contexts = contexts;
    word.lastIndex = 0;
    for (let end = 0; expression.slice(end).trim() !== ''; end = word.lastIndex) {
      const found = word.exec(expression);
      if (!found) throw new Error(`${JSON.stringify(expression.slice(end))} is no expression of GitHub's workflows`);
      this.#words.push(found[0].trim());
    }
  }

  or(): Value {
    let left = this.#and();
    while (this.#takes('||')) {
      const right = this.#and();
      left = isTrue(left) ? left : right;
    }
    return left;
  }

  mustBeAtEnd(): void {
    if (this.#at < this.#words.length) throw new Error(`"${this.#expression}" goes on after its end, at ${this.#words[this.#at]}`);
  }

  #and(): Value {
    let left = this.#compared();
    while (this.#takes('&&')) {
      const right = this.#compared();
      left = isTrue(left) ? right : left;
    }
    return left;
  }

  #compared(): Value {
    const left = this.#not();
    const sign = ['==', '!=', '<=', '>=', '<', '>'].find((one) => this.#takes(one));
    if (sign === undefined) return left;
    const right = this.#not();
    switch (sign) {
      case '==':
        return isSame(left, right);
      case '!=':
        return !isSame(left, right);
      case '<':
        return numberOf(left) < numberOf(right);
      case '>':
        return numberOf(left) > numberOf(right);
      case '<=':
        return numberOf(left) <= numberOf(right);
      default:
        return numberOf(left) >= numberOf(right);
    }
  }

  #not(): Value {
    return this.#takes('!') ? !isTrue(this.#not()) : this.#member();
  }

  #member(): Value {
    let value = this.#single();
    for (;;) {
      if (this.#takes('.')) {
        const name = this.#next();
        value = name === '*' ? new All(Object.values(Object(value ?? {}))) : memberOf(value, name);
      } else if (this.#takes('[')) {
        const name = textOf(this.or());
        this.#must(']');
        value = memberOf(value, name);
      } else return value instanceof All ? value.of : value;
    }
  }

  #single(): Value {
    if (this.#takes('(')) {
      const inside = this.or();
      this.#must(')');
      return inside;
    }
    const one = this.#next();
    if (one.startsWith("'")) return one.slice(1, -1).replaceAll("''", "'");
    if (/^-?\d/.test(one)) return Number(one);
    if (one === 'true' || one === 'false') return one === 'true';
    if (one === 'null') return null;
    if (this.#takes('(')) return this.#call(one);
    if (!(one in this.#contexts)) throw new Error(`"${this.#expression}" names ${one}, which no context has`);
    return this.#contexts[one];
  }

  #call(name: string): Value {
    const given: Value[] = [];
    while (!this.#takes(')')) {
      given.push(this.or());
      this.#takes(',');
    }
    const act = functions[name.toLowerCase()];
    if (!act) throw new Error(`"${this.#expression}" calls ${name}, which this reader does not know`);
    return act(...given);
  }

  #takes(one: string): boolean {
    if (this.#words[this.#at] !== one) return false;
    this.#at += 1;
    return true;
  }

  #next(): string {
    const one = this.#words[this.#at];
    if (one === undefined) throw new Error(`"${this.#expression}" ends too early`);
    this.#at += 1;
    return one;
  }

  #must(one: string): void {
    if (!this.#takes(one)) throw new Error(`"${this.#expression}" lacks a ${one}`);
  }
}

/** The values of `list.*`, whose members are those of each. */
class All {
  readonly of: readonly Value[];
  constructor(of: readonly Value[]) {
    this.of = of;
  }
}

function memberOf(value: Value, name: string): Value {
  if (value instanceof All) return new All(value.of.map((one) => memberOf(one, name)));
  const found = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return found ?? null;
}

const lower = (value: Value): string => textOf(value).toLowerCase();

const functions: { readonly [name: string]: (...given: readonly Value[]) => Value } = {
  contains: (within, one) => (Array.isArray(within) ? within.some((each) => isSame(each, one)) : lower(within).includes(lower(one))),
  startswith: (text, start) => lower(text).startsWith(lower(start)),
  endswith: (text, end) => lower(text).endsWith(lower(end)),
  format: (form, ...given) => textOf(form).replace(/\{(\d+)\}/g, (_all, nth: string) => textOf(given[Number(nth)])),
  join: (list, between = ',') => (Array.isArray(list) ? list.map(textOf).join(textOf(between)) : textOf(list)),
  tojson: (value) => JSON.stringify(value, null, 2),
  fromjson: (text) => JSON.parse(textOf(text)) as unknown,
  always: () => true,
  success: () => true,
  failure: () => false,
  cancelled: () => false,
};

const isTrue = (value: Value): boolean => !(value === null || value === undefined || value === false || value === 0 || value === '');

function isSame(a: Value, b: Value): boolean {
  const [left, right] = [a ?? null, b ?? null];
  if (typeof left === 'string' && typeof right === 'string') return left.toLowerCase() === right.toLowerCase();
  if (typeof left === typeof right && left !== null && right !== null) return left === right;
  return left === right || numberOf(left) === numberOf(right);
}

function numberOf(value: Value): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'object') return Number.NaN;
  return typeof value === 'string' && value.trim() === '' ? 0 : Number(value);
}

const textOf = (value: Value): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? 'Object' : String(value);
