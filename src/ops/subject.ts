import { isCommitId } from '../core/commit-id.ts';
import { isMap } from '../core/json.ts';
import { Sealed } from '../core/sealed.ts';
import { Composed, FromRef, SecretRef, sourceOf } from '../plan/types.ts';
import { Pending } from '../remote/value.ts';

/**
 * Text for people that names the object of a line, with params in braces: `{key} of {project}, {target}[, branch {git_branch}]`. A part in
 * brackets drops out when one of its params has no value. Of several templates the first one counts whose params all have a value.
 */
export type SubjectTemplate = string | readonly string[];

/** Params as a plan writes them, or as a run resolved them. */
type Params = { readonly [name: string]: unknown };

/**
 * Names the object of a line. A value that is not known yet is shown as its reference. A secret never appears, because a word stands for
 * it. The text may hold anything that a plan or a provider says, so each report makes it safe to show.
 */
export function subjectOf(template: SubjectTemplate, params: Params): string {
  const templates = typeof template === 'string' ? [template] : template;
  const fitting = templates.find((one) => requiredNames(one).every((name) => has(params, name))) ?? templates.at(-1) ?? '';
  return partsOf(fitting)
    .filter(({ text, isOptional }) => !isOptional || namesIn(text).every((name) => has(params, name)))
    .map(({ text }) => text.replace(placeholder, (_, name: string) => textOf(valueAt(params, name), params)))
    .join('');
}

/** The params that a template names, and those of them whose part does not drop out. */
export const subjectNames = (template: SubjectTemplate): readonly string[] => [template].flat().flatMap(namesIn);
export const requiredNames = (template: string): readonly string[] =>
  partsOf(template).flatMap(({ text, isOptional }) => (isOptional ? [] : namesIn(text)));

interface Part {
  readonly text: string;
  readonly isOptional: boolean;
}

const partsOf = (template: string): readonly Part[] =>
  [...template.matchAll(/\[([^\]]*)\]|[^[]+/g)].map(([text, inside]) => ({ text: inside ?? text, isOptional: inside !== undefined }));

const placeholder = /\{([a-z][a-z0-9_.]*)\}/g;
const namesIn = (text: string): readonly string[] => [...text.matchAll(placeholder)].flatMap(([, name]) => name ?? []);

/** A dot leads into a map: `find.path`. */
const valueAt = (params: Params, name: string): unknown =>
  name.split('.').reduce<unknown>((value, part) => (isMap(value) && Object.hasOwn(value, part) ? value[part] : undefined), params);

function has(params: Params, name: string): boolean {
  const value = valueAt(params, name);
  return !isHidden(value) && textOf(value, params) !== '';
}

const isHidden = (value: unknown): boolean => value instanceof Sealed || value instanceof SecretRef;

function textOf(value: unknown, params: Params): string {
  if (isHidden(value)) return '(secret)';
  if (value instanceof FromRef || value instanceof Pending) return `(from ${value.line}.${value.output})`;
  if (value instanceof Composed) return sourceOf(value);
  if (typeof value === 'string') return shortened(withNames(value, params.with));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map((item) => textOf(item, {})).join(', ');
  if (isMap(value))
    return Object.entries(value)
      .map(([name, item]) => `${name.replace(/^\//, '')}=${textOf(item, {})}`)
      .join(', ');
  return '';
}

/** The paths of a generic line name values that stand beside them. */
const withNames = (text: string, names: unknown): string =>
  isMap(names)
    ? text.replace(/\{\+?([^{}]+)\}/g, (whole, name: string) => (Object.hasOwn(names, name) ? textOf(names[name], {}) : whole))
    : text;

/** People know a commit, a UUID and a long number of digits and letters by its first characters. */
const shortened = (text: string): string => {
  if (isCommitId(text)) return text.slice(0, 12);
  return /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})$/i.test(text) ? `${text.slice(0, 8)}…` : text;
};
