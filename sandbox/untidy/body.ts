/** A body on its way: its text, and its type as the header says it. */
export interface Body {
  readonly type: string;
  readonly text: string;
}

/** In place of a value that is left out. */
export const gone = Symbol('gone');

/**
 * What stands in place of a value; the value itself where nothing changes. `name` is that of its member, or of the list it stands in;
 * `isEntry`: it is an entry of that list.
 */
export type Change = (value: unknown, name: string, isEntry?: boolean) => unknown;

/** A body with other values: JSON as a tree, and of forms, XML and multipart bodies the single texts. */
export function changedBody(body: Body, change: Change): Body {
  const text = changedText(body, change);
  return text === body.text ? body : { ...body, text };
}

function changedText({ type, text }: Body, change: Change): string {
  if (text === '') return text;
  if (type.includes('json')) {
    const value: unknown = JSON.parse(text);
    const other = JSON.stringify(changed(value, change));
    return other === JSON.stringify(value) ? text : other;
  }
  if (type.includes('x-www-form-urlencoded')) {
    const fields = [...new URLSearchParams(text)];
    const others = fields.flatMap(([name, value]): [string, string][] => pairOf(name, leaf(change, value, plainName(name))));
    return String(new URLSearchParams(others)) === String(new URLSearchParams(fields)) ? text : String(new URLSearchParams(others));
  }
  if (type.includes('multipart')) {
    return text.replaceAll(/(name="([^"]+)"\r\n\r\n)([^\r]*)(\r\n)/g, (whole, head: string, name: string, value: string, end: string) => {
      const other = leaf(change, value, name);
      return typeof other === 'string' ? `${head}${other}${end}` : whole;
    });
  }
  return text.replaceAll(/<([\w:]+)>([^<]*)<\/\1>/g, (whole, name: string, value: string) => {
    const other = leaf(change, ofXml(value), name);
    return other === gone
      ? ''
      : `<${name}>${inXml(String(other))}</${name}>` === whole
        ? whole
        : `<${name}>${inXml(String(other))}</${name}>`;
  });
}

/** A tree with other values, from its root to its leaves; what took the place of a value is not looked into. */
export function changed(value: unknown, change: Change, name = '', isEntry = false): unknown {
  const other = change(value, name, isEntry);
  if (other !== value) return other;
  if (Array.isArray(value)) {
    const all: readonly unknown[] = value;
    return all.map((one) => changed(one, change, name, true)).filter((one) => one !== gone);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([member, one]): [string, unknown] => [member, changed(one, change, member)])
      .filter(([, one]) => one !== gone),
  );
}

/** Texts of forms and XML have no other type: what is no text in JSON is left as it is. */
function leaf(change: Change, value: string, name: string): unknown {
  const other = change(value, name);
  return typeof other === 'string' || other === gone ? other : value;
}

const pairOf = (name: string, value: unknown): [string, string][] => (value === gone ? [] : [[name, String(value)]]);
/** `tags[0]` and `tags[]` are entries of `tags`, `owner[name]` is a `name`. */
const plainName = (name: string): string =>
  name
    .replaceAll(/\[\d*\]/g, '')
    .split(/[[\]]+/)
    .filter((part) => part !== '')
    .at(-1) ?? name;
const inXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const ofXml = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
