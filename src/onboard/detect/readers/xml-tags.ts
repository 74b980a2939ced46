import { linesOf } from './source.ts';

/** One element of an XML text. */
export interface XmlTag {
  /** Names from the root, without the element itself. */
  readonly above: readonly string[];
  readonly name: string;
  readonly attributes: { readonly [name: string]: string };
  /** The text right behind the opening tag, up to the next tag. */
  readonly text: string;
  readonly line: number;
  /** The element's place in the text: what lies inside has a place after it. */
  readonly depth: number;
}

const deepest = 60;

/** Reads the elements of an XML text in their order, in linear time. Entities, declarations and comments are skipped. */
export function xmlTags(text: string): readonly XmlTag[] {
  const found: XmlTag[] = [];
  const stack: string[] = [];
  const lineOf = linesOf(text);
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const sign = text[at + 1] ?? '';
    if (sign === '!' || sign === '?') {
      const end = endOfMarkup(text, at);
      if (end < 0) return found;
      at = end;
      continue;
    }
    const close = text.indexOf('>', at);
    if (close < 0) return found;
    const inside = text.slice(at + 1, close);
    const after = text.indexOf('<', close);
    if (sign === '/') stack.pop();
    else if (inside.length <= 4000) {
      const name = /^[\w:.-]+/.exec(inside)?.[0] ?? '';
      const content = text.slice(close + 1, Math.min(after < 0 ? text.length : after, close + 500)).trim();
      if (name !== '' && stack.length < deepest) {
        found.push({ above: [...stack], name, attributes: attributesOf(inside), text: content, line: lineOf(at), depth: stack.length });
      }
      if (!inside.endsWith('/')) stack.push(name);
    }
    at = close;
  }
  return found;
}

function endOfMarkup(text: string, at: number): number {
  for (const [begin, end] of [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
  ] as const) {
    if (text.startsWith(begin, at)) return text.indexOf(end, at + begin.length);
  }
  return text.indexOf('>', at);
}

function attributesOf(inside: string): { readonly [name: string]: string } {
  const found: { [name: string]: string } = Object.create(null);
  for (const match of inside.matchAll(/(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    found[match[1] ?? ''] = match[2] ?? match[3] ?? '';
  return found;
}
