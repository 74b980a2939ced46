import { isMap } from '../core/json.ts';
import { didYouMean } from '../core/nearest.ts';
import type { ParamSpec } from './op.ts';

/** The mistake in a literal by the rules of its param, as the end of a sentence, or `null`. A list is checked without its entries. */
export function literalProblem(spec: ParamSpec, value: unknown): string | null {
  if (!isOfType(spec.type, value)) return `must be ${typeNames[spec.type]}, not ${describe(value)}.${hint(spec.type, value)}`;
  if (Array.isArray(value)) return lengthProblem(spec, value.length, 'entries');
  if (spec.enum && !spec.enum.some((known) => known === value)) {
    const known = spec.enum.map(String);
    return `must be one of ${known.join(', ')}.${typeof value === 'string' ? didYouMean(value, known) : ''}`;
  }
  if (typeof value === 'number') return rangeProblem(spec, value);
  return typeof value === 'string' ? textProblem(spec, value) : null;
}

const typeNames: { readonly [type in ParamSpec['type']]: string } = {
  string: 'text',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  list: 'a list',
  map: 'a map',
  any: 'a value',
};

function isOfType(type: ParamSpec['type'], value: unknown): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'list':
      return Array.isArray(value);
    case 'map':
      return isMap(value);
    case 'any':
      return value !== undefined;
  }
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (isMap(value)) return 'a map';
  return typeof value === 'string' ? 'text' : typeof value === 'boolean' ? 'true or false' : 'this number';
}

/** The keys of the forms that a value can have in a plan. */
const formKeys = ['from', 'secret', 'keep', 'public', 'join'];

function hint(type: ParamSpec['type'], value: unknown): string {
  const [key, ...others] = isMap(value) ? Object.keys(value) : [];
  if (key !== undefined && others.length === 0) return didYouMean(key, formKeys);
  if (type === 'list' && (typeof value === 'string' || typeof value === 'number')) return ' Put it into brackets: [ … ].';
  if ((type === 'boolean' || type === 'integer' || type === 'number') && typeof value === 'string') {
    return ' A quoted value is text, and so are yes, no, on and off.';
  }
  return '';
}

function textProblem(spec: ParamSpec, text: string): string | null {
  if (spec.pattern !== undefined && !new RegExp(spec.pattern, 'u').test(text)) return `must match ${spec.pattern}.`;
  if (spec.format !== undefined && !formats[spec.format].test(text)) return `must be ${formats[spec.format].name}.`;
  return lengthProblem(spec, [...text].length, 'characters');
}

const formats: {
  readonly [format in NonNullable<ParamSpec['format']>]: { readonly name: string; test(text: string): boolean };
} = {
  url: { name: 'a full http or https URL', test: (text) => isUrl(text, ['http:', 'https:']) },
  https_url: { name: 'a full https URL', test: (text) => isUrl(text, ['https:']) },
  hostname: {
    name: 'a host name without scheme, port or path',
    test: (text) => text.length <= 253 && /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(text),
  },
  uuid: { name: 'a UUID', test: (text) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text) },
  digits: { name: 'digits only', test: (text) => /^\d+$/.test(text) },
};

const isUrl = (text: string, protocols: readonly string[]): boolean =>
  !/\s/.test(text) && URL.canParse(text) && protocols.includes(new URL(text).protocol) && new URL(text).hostname !== '';

function lengthProblem(spec: ParamSpec, length: number, unit: string): string | null {
  if (spec.min_length !== undefined && length < spec.min_length) return `must have at least ${spec.min_length} ${unit}; it has ${length}.`;
  if (spec.max_length !== undefined && length > spec.max_length) return `must have at most ${spec.max_length} ${unit}; it has ${length}.`;
  return null;
}

function rangeProblem(spec: ParamSpec, value: number): string | null {
  if (spec.minimum !== undefined && value < spec.minimum) return `must be at least ${spec.minimum}.`;
  if (spec.maximum !== undefined && value > spec.maximum) return `must be at most ${spec.maximum}.`;
  return null;
}
