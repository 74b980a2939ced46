import { decoded } from '../remote/template.ts';

/**
 * The page of an object in the provider's own console. `page` is an address with members in braces: `{id}` is the id of the object, and the
 * others are outputs, or stand in `key`. `key` is the beginning of a recorded key: `/projects/{project_id}/branches`. `{+name}` may hold
 * slashes.
 */
export interface ConsolePage {
  readonly page: string;
  readonly key?: string;
}

/** What a ledger tells of an object. Anybody who can push may have written it. */
export interface ConsoleFacts {
  readonly key: string;
  readonly objectId: string;
  readonly outputs: { readonly [name: string]: unknown };
}

/**
 * The address of an object's page; `null` where a member is missing, or cannot stand in an address. The ledger fills in parts of the path
 * and nothing before it, each part encoded. So no ledger chooses the host, leads up the path, or brings a letter that a terminal obeys.
 */
export function consoleLink({ page, key = '' }: ConsolePage, facts: ConsoleFacts): string | null {
  const ofKey = membersOf(key, facts.key);
  if (ofKey === null) return null;
  const values = new Map<string, unknown>([...Object.entries(facts.outputs), ...ofKey, ['id', facts.objectId]]);
  let isWhole = true;
  const link = page.replace(placeholder, (_, plus: string, name: string) => {
    const part = partOf(values.get(name), plus === '+');
    if (part === null) isWhole = false;
    return part ?? '';
  });
  return isWhole ? link : null;
}

/** The mistakes in such a page. `outputs` are the names of those that a ledger keeps. */
export function consoleProblems({ page, key = '' }: ConsolePage, outputs: readonly string[]): readonly string[] {
  const known = ['id', ...outputs, ...namesIn(key)];
  const unknown = namesIn(page).filter((name) => !known.includes(name));
  return [
    ...(fixedHost.test(page) && isAddress(page) ? [] : [`The page ${page} is no https address with a fixed host and a path.`]),
    ...(/[{}]/.test(page.replace(placeholder, '')) ? [`The page ${page} has a brace that names nothing.`] : []),
    // The key of a GraphQL line has braces of its own.
    ...(/\{[^{}"]*\}/.test(key.replace(placeholder, '')) ? [`The key ${key} has a brace that names nothing.`] : []),
    ...unknown.map((name) => `The page names ${name}, which is no plain output and does not stand in its key.`),
  ];
}

const placeholder = /\{(\+?)([a-z][a-z0-9_]*)\}/g;
const fixedHost = /^https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+\/[\x21-\x7e]*$/;
const namesIn = (text: string): readonly string[] => [...text.matchAll(placeholder)].flatMap(([, , name]) => name ?? []);
const isAddress = (page: string): boolean => URL.canParse(page.replace(placeholder, 'x'));

/** Longer texts are no names of objects. */
const longest = 300;
const longestKey = 4000;

/** The members that a key tells; `null` where it begins otherwise. */
function membersOf(pattern: string, key: string): readonly (readonly [string, string])[] | null {
  if (pattern === '') return [];
  if (key.length > longestKey) return null;
  const names = [...pattern.matchAll(placeholder)].map(({ 2: name = '', index }) => ({
    name,
    isPath: !/[[#(]/.test(pattern.slice(0, index)),
  }));
  const found = keyPattern(pattern).exec(key);
  return found && names.map(({ name, isPath }, i) => [name, isPath ? decoded(found[i + 1] ?? '') : (found[i + 1] ?? '')] as const);
}

const segment = String.raw`[^/?#&,[\]"]+`;

function keyPattern(pattern: string): RegExp {
  const literals = pattern.split(/\{\+?[a-z][a-z0-9_]*\}/).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const parts = [...pattern.matchAll(placeholder)].map(([, plus]) => (plus === '+' ? `(${segment}(?:/${segment})*)` : `(${segment})`));
  return new RegExp(`^${literals.map((text, i) => `${text}${parts[i] ?? ''}`).join('')}`);
}

/** A value as a part of a path; `null` where it has no place there. */
function partOf(value: unknown, mayHoldSlashes: boolean): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > longest || !text.isWellFormed()) return null;
  const parts = mayHoldSlashes ? text.split('/') : [text];
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return null;
  return parts.map((part) => encodeURIComponent(part).replace(/[!'()*]/g, asHex)).join('/');
}

const asHex = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
