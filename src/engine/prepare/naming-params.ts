import { isMap, setOwn } from '../../core/json.ts';
import type { ParamSpec } from '../../ops/op.ts';
import { mentionsValue } from '../../plan/text.ts';
import { Composed, type Expr, FromRef, isReference } from '../../plan/types.ts';
import type { PreparedLine } from '../types.ts';

type Params = PreparedLine['params'];

export interface NamingParam {
  readonly path: readonly (string | number)[];
  /** The value that the operation shows as an example, where a scope decides it. */
  readonly example: string | null;
}

/**
 * The params that tell the line's object from others: with another text there, the line would be another object. Every text and every
 * reference is tried, because only the operation knows which of its params decide the identity. An example of the operation says where a
 * scope belongs, so such a param comes alone. A value that is looked up names a parent, so it counts only where nothing is chosen.
 */
export function namingParams({ params, op }: PreparedLine, identityWith: (params: Params) => string | null): readonly NamingParam[] {
  const usual = identityWith(params);
  const decides = (path: NamingParam['path'], text: string): boolean => {
    const identity = identityWith(replaced(params, path, text) as Params);
    return identity !== null && identity !== usual;
  };
  const specOf = ([name]: NamingParam['path']): ParamSpec | undefined => op.params[String(name)];
  const given = Object.entries(params)
    .flatMap(([name, value]) => leavesIn(value, [name]))
    .filter(({ path, text }) => isOpenText(specOf(path)) && decides(path, text))
    .map(({ path }) => path);
  const left = Object.entries(op.params)
    .filter(([name, spec]) => !Object.hasOwn(params, name) && spec.type === 'string' && isOpenText(spec) && isChosen(spec))
    .filter(([name, { example }]) => decides([name], otherText(typeof example === 'string' ? example : 'x')))
    .map(([name]) => [name]);
  const all = [...given, ...left].map((path): NamingParam => ({ path, example: scopedExample(specOf(path)) }));
  const [scoped, chosen] = [all.filter(({ example }) => example !== null), all.filter(({ path }) => isChosen(specOf(path)))];
  return [scoped, chosen].find((some) => some.length > 0) ?? all;
}

/** Like the text, and another one: it has the same characters and is a little longer. */
export const otherText = (text: string): string => `${text}0`;

const isChosen = (spec: ParamSpec | undefined): boolean => spec?.todo === undefined;
/** A text out of a list of known ones can hold no name of a scope. */
const isOpenText = (spec: ParamSpec | undefined): boolean => spec?.enum === undefined && spec?.secret !== true;

function scopedExample(spec: ParamSpec | undefined): string | null {
  const { example } = spec ?? {};
  if (typeof example === 'string') return mentionsValue(example) ? example : null;
  return isMap(example) && typeof example.from === 'string' ? `{ from: ${example.from} }` : null;
}

/** The texts and references of a value, each with another text to try in its place. */
function leavesIn(value: Expr, path: NamingParam['path']): readonly { readonly path: NamingParam['path']; readonly text: string }[] {
  if (typeof value === 'string') return [{ path, text: otherText(value) }];
  if (value instanceof FromRef || value instanceof Composed) return [{ path, text: 'x' }];
  if (isReference(value)) return [];
  if (Array.isArray(value)) return value.flatMap((item: Expr, i) => leavesIn(item, [...path, i]));
  return isMap(value) ? Object.entries(value).flatMap(([name, item]) => leavesIn(item as Expr, [...path, name])) : [];
}

function replaced(value: Expr, [step, ...rest]: NamingParam['path'], text: string): Expr {
  if (step === undefined) return text;
  if (Array.isArray(value)) return value.map((item: Expr, i) => (i === step ? replaced(item, rest, text) : item));
  const members: { [name: string]: Expr } = { ...(value as { readonly [name: string]: Expr }) };
  setOwn(members, String(step), replaced(members[step] ?? null, rest, text));
  return members;
}
