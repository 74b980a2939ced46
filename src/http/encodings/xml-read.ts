import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { isMap } from '../../core/json.ts';

/** The body claims to be XML but is not, or uses a part of XML that no API answers with. */
export class BadXml extends Error {
  /** The document ends before its root element does. */
  readonly isCut: boolean;
  constructor(message: string, options: { readonly isCut?: boolean; readonly cause?: unknown } = {}) {
    super(message, options);
    this.isCut = options.isCut ?? false;
  }
}

/**
 * An XML document as a map with its root element on top. Repeated elements are a list, attributes are `@name`, and names of elements have
 * no prefix. Every text stays a text: `007` is no number. An element that holds only text is that text.
 */
export function readXml(text: string): unknown {
  const checked = withoutDoctype(text.replace(/^\ufeff/, ''));
  const flaw = XMLValidator.validate(checked);
  if (flaw !== true) {
    // The validator's words for elements that are open at the end of the document.
    const isCut = /^Unclosed tag|^Invalid '.*' found\.$|have open quote/s.test(flaw.err.msg);
    throw new BadXml(isCut ? 'an XML body that ends in the middle' : `a body that claims to be XML and is not (line ${flaw.err.line})`, {
      isCut,
    });
  }
  const roots = elements(parsed(checked)).filter((node) => textIn(node) === null);
  const [root] = roots;
  if (root === undefined || roots.length > 1) throw new BadXml('a body that claims to be XML and does not have one root element');
  return Object.fromEntries(membersOf([root], { prefixes: new Map(), written: '' }));
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#text',
  cdataPropName: '#cdata',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  // The parser leaves numeric references as they are. `unescaped` reads them and the five names, and refuses any other name.
  processEntities: false,
  maxNestedTags: 500,
});

function parsed(text: string): unknown {
  try {
    return parser.parse(text);
  } catch (cause) {
    throw new BadXml('a body that claims to be XML and cannot be read', { cause });
  }
}

/** Entities of a DOCTYPE can grow a short text without end, and no API that we know answers with one. */
function withoutDoctype(text: string): string {
  if (/^(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*<!DOCTYPE/i.test(text))
    throw new BadXml('an XML document with a DOCTYPE, which pilotfish does not read');
  return text;
}

type Node = Readonly<Record<string, unknown>>;

const elements = (nodes: unknown): readonly Node[] => (Array.isArray(nodes) ? nodes.filter(isMap) : []);

/** Namespaces by prefix, and the namespace of a name without prefix in the result. */
interface Scope {
  readonly prefixes: ReadonlyMap<string, string>;
  readonly written: string;
}

/** Elements by name, in order of first appearance. Elements of one name are a list. */
function membersOf(nodes: readonly Node[], scope: Scope): Map<string, unknown> {
  const members = new Map<string, unknown>();
  const repeated = new Set<string>();
  for (const node of nodes) {
    const qualified = Object.keys(node).find((key) => key !== ':@');
    if (qualified === undefined || textIn(node) !== null) continue;
    const [name, prefix] = qualified.split(':', 2).reverse();
    if (name === undefined) continue;
    const value = valueIn(node, { qualified, prefix: prefix ?? '' }, scope);
    const before = members.get(name);
    if (!members.has(name)) members.set(name, value);
    else if (repeated.has(name) && Array.isArray(before)) before.push(value);
    else {
      members.set(name, [before, value]);
      repeated.add(name);
    }
  }
  return members;
}

/** An element without its prefix names its namespace by `@xmlns`, unless its parent does. So the document can be written back. */
function valueIn(node: Node, name: { readonly qualified: string; readonly prefix: string }, scope: Scope): unknown {
  const given = isMap(node[':@']) ? Object.entries(node[':@']).map(([key, value]) => [key, unescaped(String(value))] as const) : [];
  const declared = given.flatMap(([key, value]) => (/^@xmlns(?::|$)/.test(key) ? [[key.slice('@xmlns:'.length), value] as const] : []));
  const prefixes = new Map([...scope.prefixes, ...declared]);
  const own = prefixes.get(name.prefix) ?? scope.written;
  const attributes = [...(own === scope.written ? [] : [['@xmlns', own] as const]), ...given.filter(([key]) => key !== '@xmlns')];
  const inner = elements(node[name.qualified]);
  const members = membersOf(inner, { prefixes, written: own });
  const text = inner.map((one) => textIn(one) ?? '').join('');
  if (attributes.length === 0 && members.size === 0) return text;
  // Text between elements is only the layout of the document.
  const hasText = members.size > 0 ? text.trim() !== '' : text !== '';
  return Object.fromEntries([...attributes, ...members, ...(hasText ? [['#text', text] as const] : [])]);
}

function textIn(node: Node): string | null {
  if (typeof node['#text'] === 'string') return unescaped(node['#text']);
  if (Array.isArray(node['#cdata'])) {
    return elements(node['#cdata'])
      .map((one) => (typeof one['#text'] === 'string' ? one['#text'] : ''))
      .join('');
  }
  return null;
}

const named: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(/&([^;&\s]*;?)/g, (whole, inner: string) => {
    const name = inner.endsWith(';') ? inner.slice(0, -1) : null;
    const number = name === null ? null : /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name);
    if (number) {
      const code = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16);
      if (code > 0 && code <= 0x10ffff) return String.fromCodePoint(code).toWellFormed();
    }
    const known = name !== null && Object.hasOwn(named, name) ? named[name] : undefined;
    if (known === undefined) throw new BadXml(`an XML document with ${whole}, which stands for nothing that is known`);
    return known;
  });
}
