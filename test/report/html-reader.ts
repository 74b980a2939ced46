/** A piece of rendered HTML: text with the elements that it stands in, outermost first. */
export interface Piece {
  readonly text: string;
  readonly within: readonly string[];
}

export interface Element {
  readonly name: string;
  readonly attributes: { readonly [name: string]: string };
}

export interface Read {
  readonly elements: readonly Element[];
  readonly pieces: readonly Piece[];
  /** What no well-formed page has: an element that is not closed or never opened, or a bare `<`. */
  readonly faults: readonly string[];
}

/** Reads HTML as rendered from Markdown, strictly: what a browser would mend is a fault. */
export function readHtml(html: string): Read {
  const elements: Element[] = [];
  const pieces: Piece[] = [];
  const faults: string[] = [];
  const open: string[] = [];
  const text = (raw: string): void => {
    if (raw.includes('<')) faults.push(`a bare "<": ${raw.slice(0, 80)}`);
    if (raw !== '') pieces.push({ text: decode(raw), within: [...open] });
  };
  let at = 0;
  for (const tag of html.matchAll(/<(\/?)([A-Za-z][A-Za-z0-9-]*)((?:\s+[A-Za-z-]+="[^"]*")*)\s*>|<!--[\s\S]*?-->|<![A-Za-z]|<\?/g)) {
    text(html.slice(at, tag.index));
    at = tag.index + tag[0].length;
    const name = tag[2]?.toLowerCase();
    if (name === undefined) faults.push(`not an element: ${tag[0].slice(0, 80)}`);
    else if (tag[1] === '/') {
      if (open.pop() !== name) faults.push(`</${name}> closes nothing`);
    } else {
      elements.push({ name, attributes: attributesOf(tag[3] ?? '') });
      if (!['br', 'wbr', 'hr', 'img', 'input'].includes(name)) open.push(name);
    }
  }
  text(html.slice(at));
  if (open.length > 0) faults.push(`not closed: ${open.join(', ')}`);
  return { elements, pieces, faults };
}

const attributesOf = (text: string): { [name: string]: string } =>
  Object.fromEntries([...text.matchAll(/([A-Za-z-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name.toLowerCase(), decode(value)]));

const named: { readonly [name: string]: string } = { lt: '<', gt: '>', amp: '&', quot: '"' };

const decode = (text: string): string =>
  text.replace(/&(?:#(\d+)|([a-z]+));/g, (all, code: string | undefined, name: string | undefined) =>
    code === undefined ? (named[name ?? ''] ?? all) : String.fromCodePoint(Number(code)),
  );
