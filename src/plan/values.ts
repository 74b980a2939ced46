import type { Place } from '../core/errors.ts';
import { setOwn } from '../core/json.ts';
import { useOf } from './placed-value.ts';
import { type Problems, quote } from './problems.ts';
import { composed, type Substitution } from './substitute.ts';
import type { Spot } from './text.ts';
import { isListTree, isMapTree, isScalarTree, type MapEntry, type MapTree, sourceTextOf, type Tree } from './tree.ts';
import { Composed, type ComposedPart, type Expr, FromRef, KeepRef, SecretRef } from './types.ts';

export type FormKey = 'from' | 'secret' | 'keep' | 'public' | 'param' | 'join';

/** A map that is a value form: `{ from: db.url }`. `extra` is a key beside the form's own, which is a mistake. */
export interface Form {
  readonly key: FormKey;
  readonly value: Tree;
  readonly extra: MapEntry | null;
}

export interface ReadOptions {
  readonly problems: Problems;
  readonly substitution: Substitution;
  readonly todoOf: (tree: Tree) => string | null;
  /** False in lines that this run leaves out. */
  readonly isActive: boolean;
  readonly spot: Spot;
}

const formKeys: readonly FormKey[] = ['from', 'secret', 'keep', 'public', 'param', 'join'];
const formNames: ReadonlySet<string> = new Set(formKeys);
const referencePattern = /^([A-Za-z][A-Za-z0-9_-]{0,63})\.([A-Za-z0-9_][A-Za-z0-9_.-]*)$/;
const schemePattern = /^[a-z][a-z0-9+-]*:\/\/./i;

/**
 * A value of the plan as an expression: forms become references, `${ctx.*}` becomes text, everything else stays as it is.
 * A value that is broken or still to be filled in becomes `{ keep: true }` after its mistake was reported: every check takes that,
 * so one mistake is not reported twice.
 */
export function readValue(tree: Tree, options: ReadOptions): Expr {
  if (options.todoOf(tree) !== null) return new KeepRef(tree.place);
  if (isScalarTree(tree)) {
    return typeof tree.value === 'string' ? options.substitution.expr(tree.value, tree, options.isActive, options.spot) : tree.value;
  }
  if (!isMapTree(tree)) return tree.items.map((item) => readValue(item, options));
  const form = formOf(tree);
  return form ? readForm(form, tree, options) : readMap(tree, options);
}

/** The value under a name: the name says what its text is for. */
export const readMember = ({ key, value }: MapEntry, options: ReadOptions): Expr =>
  readValue(value, { ...options, spot: { use: useOf(key, options.spot.use), name: key } });

/**
 * Whether a map is a value form. With one key it is, unless the value under it is a map again (`{ secret: { secret: … } }` is a map
 * with a key of that name). With more keys it is only when the value can be nothing else; then the other keys are the mistake.
 */
export function formOf(tree: Tree): Form | null {
  if (!isMapTree(tree)) return null;
  const { entries } = tree;
  // Nearly every map has none of these names, and all of a plan's maps pass here.
  if (!entries.some((entry) => formNames.has(entry.key))) return null;
  const [first] = entries;
  if (first && entries.length === 1) {
    const key = formKeys.find((k) => k === first.key);
    return key && !isMapTree(first.value) ? { key, value: first.value, extra: null } : null;
  }
  for (const key of formKeys) {
    const value = tree.entry(key)?.value;
    const extra = entries.find((entry) => entry.key !== key) ?? null;
    if (value && isSurely(key, value)) return { key, value, extra };
  }
  return null;
}

function isSurely(key: FormKey, tree: Tree): boolean {
  if (!isScalarTree(tree)) return false;
  if (key === 'keep') return tree.value === true;
  if (typeof tree.value !== 'string') return false;
  if (key === 'from') return referencePattern.test(tree.value);
  return key === 'secret' && schemePattern.test(tree.value);
}

function readForm(form: Form, tree: MapTree, options: ReadOptions): Expr {
  const refuse = (detail: string, fix: string, at: { readonly place: Place } = form.value): Expr => {
    options.problems.add('PLAN_INVALID', { detail, fix, place: at.place });
    return new KeepRef(tree.place);
  };
  if (form.extra) {
    const name = quote(form.extra.key);
    const fix =
      form.key === 'secret'
        ? 'Where the provider’s own field is called secret, write `secret: { secret: <reference> }`; otherwise remove the other keys.'
        : 'Remove the other keys.';
    return refuse(`{ ${form.key}: … } stands for a whole value, so the key ${name} cannot stand beside it.`, fix, form.extra);
  }
  return readers[form.key](form.value, refuse, tree, options);
}

/** The output that `<line>.<output>` names; `null` for any other text. */
export function referenceOf(text: string, place: Place): FromRef | null {
  const [, line, output] = referencePattern.exec(text) ?? [];
  return line !== undefined && output !== undefined ? new FromRef(line, output, place) : null;
}

type Refuse = (detail: string, fix: string) => Expr;

const readers: { readonly [key in FormKey]: (value: Tree, refuse: Refuse, form: MapTree, options: ReadOptions) => Expr } = {
  from: (value, refuse) => {
    const text = sourceTextOf(value);
    const ref = text === null ? null : referenceOf(text, value.place);
    if (ref) return ref;
    const said = text === null ? 'Here it is not text.' : `Here it is ${quote(text)}.`;
    return refuse(`{ from: … } names a line and one of its outputs. ${said}`, 'Write { from: <line>.<output> }.');
  },
  secret: (value, refuse, _form, options) => {
    const text = isScalarTree(value) && typeof value.value === 'string' ? value.value : null;
    // The text is not shown: a text that is no reference may be the secret.
    if (text === null || !schemePattern.test(text) || /\s/.test(text)) {
      return refuse(
        '{ secret: … } names where a secret is kept, for example env://NAME. This value is no such reference.',
        'Write { secret: env://NAME }.',
      );
    }
    const before = options.problems.size;
    const reference = options.substitution.text(text, value, options.isActive, { use: 'reference', name: null });
    return options.problems.size > before ? new KeepRef(value.place) : new SecretRef(reference, value.place);
  },
  keep: (value, refuse, form) =>
    isScalarTree(value) && value.value === true
      ? new KeepRef(form.place)
      : refuse(
          '{ keep: true } takes the live value. Any other value of `keep` has no meaning.',
          'Write { keep: true }, or give the value.',
        ),
  public: (value, refuse, _form, options) => {
    const text = sourceTextOf(value);
    return text === null
      ? refuse('{ public: … } holds a text that is not secret. Here it is not text.', 'Write { public: "<text>" }.')
      : options.substitution.expr(text, value, options.isActive, options.spot);
  },
  param: (_value, refuse) => refuse('{ param: … } has a meaning only inside a recipe.', 'Give the value itself.'),
  join: (value, refuse, form, options) => {
    const parts = isListTree(value) ? value.items.map((item) => joinedParts(item, options)) : [];
    return parts.length === 0 || parts.includes(null)
      ? refuse(
          '{ join: … } is a list of texts and references, which become one text. Here it is not.',
          'Write { join: ["https://", { from: <line>.<output> }] }, or the same as one text: "https://${<line>.<output>}".',
        )
      : composed(
          parts.flatMap((part) => part ?? []),
          options.spot,
          form.place,
        );
  },
};

/** An entry of `join` as parts of a text; `null` for anything that is no text. */
function joinedParts(tree: Tree, options: ReadOptions): readonly ComposedPart[] | null {
  if (options.todoOf(tree) !== null) return [];
  if (isScalarTree(tree)) {
    const text = sourceTextOf(tree);
    return text === null ? null : options.substitution.parts(text, tree, options.isActive);
  }
  const form = formOf(tree);
  if (form === null || form.key === 'keep') return null;
  const value = readValue(tree, options);
  if (value instanceof FromRef || value instanceof SecretRef) return [value];
  if (value instanceof Composed) return value.parts;
  return typeof value === 'string' ? [{ text: value, isValue: false }] : [];
}

function readMap(tree: MapTree, options: ReadOptions): Expr {
  const members: { [name: string]: Expr } = {};
  for (const entry of tree.entries) {
    const key = options.substitution.text(entry.key, entry, options.isActive);
    // A line that this run leaves out may lack values, which can make two of its keys equal.
    if (Object.hasOwn(members, key) && options.isActive) {
      options.problems.add('PLAN_INVALID', {
        detail: `Two keys of this map are ${quote(key)} once the values of the run are in them.`,
        fix: 'Make the keys different.',
        place: entry.place,
      });
    }
    setOwn(members, key, readMember(entry, options));
  }
  return members;
}
