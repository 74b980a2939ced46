export type Pairs = readonly (readonly [name: string, value: string])[];
type Branch = { [name: string]: FormValue };
export type FormValue = string | FormValue[] | Branch;

/**
 * Name and value pairs in bracket notation as nested data: `a[b]=1&c[]=x&c[]=y` is `{ a: { b: '1' }, c: ['x', 'y'] }`.
 * A repeated plain name is a list; numbered members stay a map until the schema says that they are a list.
 */
export function decodeForm(pairs: Pairs): Branch {
  const root: Branch = {};
  for (const [name, value] of pairs) put(root, partsOf(name), value);
  return root;
}

function partsOf(name: string): readonly string[] {
  const shape = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name);
  // Brackets that do not pair are part of the name.
  if (!shape) return [name];
  return [shape[1] ?? '', ...[...(shape[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? '')];
}

function put(branch: Branch, [head = '', ...rest]: readonly string[], value: string): void {
  const there = Object.hasOwn(branch, head) ? branch[head] : undefined;
  if (rest.length === 0) {
    set(branch, head, there === undefined ? value : [...asList(there), value]);
  } else if (rest.length === 1 && rest[0] === '') {
    set(branch, head, [...(there === undefined ? [] : asList(there)), value]);
  } else if (rest[0] === '') {
    // `a[][b]=1`: a repeated member begins the next entry.
    const list = there === undefined ? [] : asList(there);
    const last = list.at(-1);
    const next = rest[1] ?? '';
    const entry: Branch = isBranch(last) && !Object.hasOwn(last, next) ? last : {};
    if (entry !== last) list.push(entry);
    put(entry, rest.slice(1), value);
    set(branch, head, list);
  } else {
    const inner: Branch = isBranch(there) ? there : {};
    put(inner, rest, value);
    set(branch, head, inner);
  }
}

/** A member called `__proto__` is a member. */
const set = (branch: Branch, name: string, value: FormValue): void => {
  Object.defineProperty(branch, name, { value, enumerable: true, configurable: true, writable: true });
};
const asList = (value: FormValue): FormValue[] => (Array.isArray(value) ? value : [value]);
const isBranch = (value: FormValue | undefined): value is Branch => typeof value === 'object' && !Array.isArray(value);
