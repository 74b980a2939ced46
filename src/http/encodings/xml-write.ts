import { Failure } from '../../core/errors.ts';
import { isMap } from '../../core/json.ts';

/**
 * A body as an XML document: a map with one root element, whose members are elements in their order. `@name` is an attribute
 * (`@xmlns` a namespace), `#text` the text of an element that has attributes, and a list is its element repeated.
 *
 * `fast-xml-parser`'s builder (5.12) would replace only `tag`, `attribute` and `escaped`. It does not refuse `<b c>`, `<@b>`, half a
 * character or `<0>` for a list in a list, and it loses a line break in an attribute. So this walk and its checks would stay anyway.
 */
export function writeXml(body: unknown): string {
  const members = isMap(body) ? Object.entries(body).filter(([, value]) => value !== undefined) : [];
  const [root, ...more] = members;
  if (root === undefined || more.length > 0) {
    throw refused('', `an XML body is a map with one root element, but this one has ${more.length > 0 ? members.length : 'none'}`);
  }
  const [name, value] = root;
  if (name.startsWith('@') || name === '#text' || Array.isArray(value)) throw refused('', 'an XML document has one root element');
  return `${declaration}${element(name, value, `/${name}`)}`;
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>';

function element(name: string, value: unknown, at: string): string {
  if (Array.isArray(value)) {
    return value
      .map((item: unknown, i) => {
        if (Array.isArray(item)) throw refused(`${at}/${i}`, 'a list stands directly in a list, and XML has no form for that');
        return element(name, item, `${at}/${i}`);
      })
      .join('');
  }
  if (!isName(name)) throw refused(at, `${JSON.stringify(name)} cannot be the name of an element`);
  if (!isMap(value)) return tag(name, '', escaped(textOf(value, at), at));
  let attributes = '';
  let content = '';
  for (const [member, inner] of Object.entries(value)) {
    const here = `${at}/${member}`;
    if (inner === undefined) continue;
    if (member === '#text') content += escaped(textOf(inner, here), here);
    else if (member.startsWith('@')) attributes += attribute(member.slice(1), inner, here);
    else content += element(member, inner, here);
  }
  return tag(name, attributes, content);
}

const tag = (name: string, attributes: string, content: string): string =>
  content === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`;

function attribute(name: string, value: unknown, at: string): string {
  if (!isName(name)) throw refused(at, `${JSON.stringify(name)} cannot be the name of an attribute`);
  // A parser turns a line break in an attribute into a space, unless the line break is written as a number.
  const text = escaped(textOf(value, at), at).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
  return ` ${name}="${text}"`;
}

function textOf(value: unknown, at: string): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw refused(at, 'a map or a list stands where XML has only text');
}

/** Writes `\r` as a number, because a parser turns `\r` into `\n`. */
function escaped(text: string, at: string): string {
  if (!isText(text)) throw refused(at, 'it holds a character that XML cannot carry');
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
}

/** The characters of XML 1.0: no control characters but tab and line ends, no half of a pair, no U+FFFE and U+FFFF. */
function isText(text: string): boolean {
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    if (code < 0x20 && code !== 0x9 && code !== 0xa && code !== 0xd) return false;
    if ((code >= 0xd800 && code <= 0xdfff) || code === 0xfffe || code === 0xffff) return false;
  }
  return true;
}

/** Names as APIs use them, with at most one prefix. */
const isName = (name: string): boolean => /^[\p{L}_][\p{L}\p{N}_.-]*(?::[\p{L}_][\p{L}\p{N}_.-]*)?$/u.test(name);

const refused = (at: string, why: string): Failure =>
  new Failure('PARAM_INVALID', { detail: `The body cannot be written as XML${at === '' ? '' : ` at ${at}`}: ${why}.` });
