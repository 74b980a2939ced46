/** One scalar of a YAML text, with the keys above it. */
export interface YamlLine {
  /** Keys from the top. `-` stands for an item of a list. */
  readonly path: readonly string[];
  /** Without quotes and comment; `''` where the value stands below. */
  readonly value: string;
  readonly line: number;
}

/** Deeper than any settings, and longer than any line that a person wrote. */
const deepest = 40;
const longest = 4000;

interface Level {
  readonly indent: number;
  readonly key: string;
}

/**
 * Reads YAML by lines, in linear time. It needs no valid document: templates of Helm and files with several documents are read as well.
 * Anchors, folded texts and lists in brackets over several lines give nothing. A parser would refuse the first, and is ten times slower.
 */
export function yamlLines(text: string): readonly YamlLine[] {
  const found: YamlLine[] = [];
  let stack: Level[] = [];
  let blockAbove = -1;
  const lines = text.split('\n');
  for (const [i, whole] of lines.entries()) {
    const raw = whole.length > longest ? '' : whole.replace(/\r$/, '');
    const content = raw.trimStart();
    if (content === '' || content.startsWith('#') || content.startsWith('{{')) continue;
    let indent = raw.length - content.length;
    if (blockAbove >= 0 && indent > blockAbove) continue;
    blockAbove = -1;
    if (/^(?:---|\.\.\.)(?:\s|$)/.test(raw)) {
      stack = [];
      continue;
    }
    let rest = content;
    while (/^-(?:\s|$)/.test(rest)) {
      stack = [...above(stack, indent, '-'), { indent, key: '-' }];
      if (stack.length > deepest) break;
      const item = rest.slice(1).trimStart();
      indent += rest.length - item.length;
      rest = item;
    }
    if (stack.length > deepest || rest === '') continue;
    const isBlock = (value: string): boolean => /^[|>][+\d-]*(?:\s+#.*)?$/.test(value);
    const [key, value] = keyOf(rest);
    if (key === null) {
      // An item of a list that is no map: the list's level was just pushed.
      if (content.startsWith('-') && !isBlock(rest)) add(found, stack, rest, i + 1);
      if (isBlock(rest)) blockAbove = raw.length - content.length;
      continue;
    }
    stack = [...above(stack, indent, key), { indent, key }];
    if (isBlock(value)) blockAbove = indent;
    else add(found, stack, value, i + 1);
  }
  return found;
}

/** Splits `key: value` at the first colon that a space follows. */
function keyOf(text: string): readonly [key: string | null, value: string] {
  const quoted = /^(?:"([^"]*)"|'([^']*)')\s*:(?=\s|$)/.exec(text);
  if (quoted) return [quoted[1] ?? quoted[2] ?? '', text.slice(quoted[0].length).trim()];
  const colon = text.search(/:(?=\s|$)/);
  if (colon <= 0 || /^["'[{]/.test(text)) return [null, ''];
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}

/** Levels that stay above a line. An item of a list may stand at the indent of the list's key. */
function above(stack: readonly Level[], indent: number, key: string): readonly Level[] {
  let end = stack.length;
  for (let top = stack[end - 1]; top; top = stack[end - 1]) {
    if (top.indent < indent || (top.indent === indent && key === '-' && top.key !== '-')) break;
    end -= 1;
  }
  return stack.slice(0, end);
}

/** Adds a value. A map or list in brackets on one line gives its own items. */
function add(found: YamlLine[], stack: readonly Level[], value: string, line: number): void {
  const path = stack.map(({ key }) => key);
  const bare = withoutComment(value.replace(/^(?:[!&][\w!/.:-]*\s+)+/, ''));
  if (!/^[[{]/.test(bare) || bare.startsWith('{{')) {
    found.push({ path, value: unquoted(bare), line });
    return;
  }
  found.push({ path, value: '', line });
  for (const piece of bare.slice(1).match(flowPieces) ?? []) {
    const pair = bare.startsWith('{') ? /^\s*("[^"]*"|'[^']*'|[^\s:,{}[\]]+)\s*:\s*(.*?)\s*$/.exec(piece) : null;
    if (pair) found.push({ path: [...path, unquoted(pair[1] ?? '')], value: unquoted(pair[2] ?? ''), line });
    else if (bare.startsWith('[')) found.push({ path: [...path, '-'], value: unquoted(piece.trim()), line });
  }
}

const flowPieces = /(?:"[^"]*"|'[^']*'|\$\{[^{}]*\}|[^,{}[\]"'])+/g;

/** A `#` begins a comment behind a space. A quoted value ends at its quote. */
function withoutComment(value: string): string {
  const quoted = /^(?:"[^"\\]*(?:\\.[^"\\]*)*"|'[^']*(?:''[^']*)*')/.exec(value);
  if (quoted) return quoted[0];
  const comment = value.search(/\s#/);
  return (comment < 0 ? value : value.slice(0, comment)).trim();
}

const unquoted = (text: string): string => (/^(["']).*\1$/.test(text) && text.length >= 2 ? text.slice(1, -1) : text);
