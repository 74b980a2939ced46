import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { isMap } from '../../src/core/json.ts';
import type { Flaw } from './flaw.ts';

/**
 * An XML document as the value that its schema describes: the root's name and namespace are the schema's, a repeated element
 * is a list, a single one where a list is described is a list of one, an attribute is the member that says so. Texts stay
 * texts; `coerce` reads them as the types of the schema.
 */
export function decodeXml(text: string, schema: unknown, resolve: (node: unknown) => unknown): { readonly value: unknown } | Flaw {
  const valid = XMLValidator.validate(text);
  if (valid !== true) return { at: '', what: `is not XML: ${valid.err.msg}` };
  const document: unknown = parser.parse(text);
  const roots = isMap(document) ? Object.entries(document) : [];
  const [first] = roots;
  if (!first || roots.length > 1) return { at: '', what: 'must have one root element' };
  const [name, root] = first;
  const wanted = xmlOf(resolve(schema));
  if (typeof wanted.name === 'string' && wanted.name !== localName(name))
    return { at: `/${name}`, what: `the root element is ${wanted.name}` };
  const namespace = isMap(root) ? (root[name.includes(':') ? `@xmlns:${name.split(':')[0]}` : '@xmlns'] ?? null) : null;
  if (typeof wanted.namespace === 'string' && namespace !== wanted.namespace)
    return { at: `/${name}`, what: `the namespace is ${wanted.namespace}, not ${String(namespace)}` };
  return { value: read(root, schema, resolve) };
}

const parser = new XMLParser({
  ignoreDeclaration: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: true,
});

function read(node: unknown, schema: unknown, resolve: (node: unknown) => unknown): unknown {
  const here = resolve(schema);
  if (!isMap(here)) return node;
  if (here.type === 'array') {
    const entries: readonly unknown[] = Array.isArray(node) ? node : node === '' ? [] : [node];
    return entries.map((entry) => read(entry, here.items, resolve));
  }
  const members = isMap(here.properties) ? here.properties : null;
  if (!members) return node;
  if (node === '') return {};
  if (!isMap(node)) return node;
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (/^@(xmlns(:|$)|xsi:)/.test(key)) continue;
    const local = localName(key);
    const name = Object.keys(members).find((member) => elementOf(member, resolve(members[member])) === local) ?? local;
    const member = resolve(members[name]);
    const isWrapped = isMap(member) && member.type === 'array' && xmlOf(member).wrapped === true;
    out[name] = read(isWrapped ? unwrapped(value, name, member, resolve) : value, members[name], resolve);
  }
  return out;
}

const localName = (key: string): string => key.replace(/^(@?)[^:]*:/, '$1');

/** The element, or `@attribute`, that a member is written as. */
function elementOf(member: string, schema: unknown): string {
  const { name, attribute } = xmlOf(schema);
  return `${attribute === true ? '@' : ''}${typeof name === 'string' ? name : member}`;
}

/** `<Rules><Rule/><Rule/></Rules>`: the list is what stands inside. */
function unwrapped(
  value: unknown,
  name: string,
  schema: { readonly [key: string]: unknown },
  resolve: (node: unknown) => unknown,
): unknown {
  if (!isMap(value)) return value;
  const { name: inner } = xmlOf(resolve(schema.items));
  return value[typeof inner === 'string' ? inner : name] ?? [];
}

const xmlOf = (schema: unknown): { readonly [key: string]: unknown } => (isMap(schema) && isMap(schema.xml) ? schema.xml : {});
