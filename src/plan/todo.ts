import { Lexer } from 'yaml';
import type { Problems } from './problems.ts';
import { isListTree, isMapTree, type Tree } from './tree.ts';

/** A value and where it begins, its key included. `tree` is set once the value is read. */
export interface Anchored {
  readonly offset: number;
  tree: Tree | null;
}

interface Comment {
  readonly offset: number;
  readonly text: string;
  /** Only blanks stand before the comment on its line. */
  readonly alone: boolean;
  /** Where the braces or brackets begin that end right before the comment; `null` where something else ends there. */
  readonly closed: number | null;
}

/**
 * Finds `# TODO` comments and the values they mark: the value on whose line the comment ends, or the value on the line right below a
 * block of comment lines. A TODO with an empty line below it speaks of no value. `anchored` is in the order of the file.
 */
export function readTodos(text: string, anchored: readonly Anchored[]): ReadonlyMap<Tree, string> {
  const todos = new Map<Tree, string>();
  if (!text.includes('TODO')) return todos;
  const mark = (tree: Tree | null | undefined, hint: string): void => {
    if (!tree) return;
    const earlier = todos.get(tree);
    todos.set(tree, earlier ? `${earlier} ${hint}`.trim() : hint);
  };
  const offsets = anchored.map((a) => a.offset);
  for (const block of blocksOf(commentsOf(text), text)) {
    const hint = hintOf(block);
    const first = block[0];
    if (hint === null || !first) continue;
    mark(first.alone ? below(block, text, anchored, offsets) : beside(first, text, anchored, offsets), hint);
  }
  return todos;
}

/** Every value of the part that a `# TODO` marks. A value that several aliases name is reported at its own place, once. */
export function reportTodos(tree: Tree, options: { readonly problems: Problems; readonly todoOf: (tree: Tree) => string | null }): void {
  const hint = options.todoOf(tree);
  if (hint !== null) {
    options.problems.add('PLAN_TODO', {
      detail: hint === '' ? 'The value is still marked `# TODO`.' : `The value is still marked \`# TODO\`: ${hint}`,
      place: tree.place,
    });
  }
  if (isMapTree(tree)) for (const entry of tree.entries) reportTodos(entry.value, options);
  if (isListTree(tree)) for (const item of tree.items) reportTodos(item, options);
}

/** Comments as the lexer sees them: a `#` inside quotes or a block of text is none. */
function commentsOf(text: string): readonly Comment[] {
  const comments: Comment[] = [];
  let offset = 0;
  let isText = false;
  const open: number[] = [];
  let closed: number | null = null;
  for (const token of new Lexer().lex(text)) {
    // Control characters of the lexer have no width; U+001F says that a plain or block scalar follows.
    if (token === '\u001f') isText = true;
    else if (token !== '\u0002' && token !== '\u0018') {
      if (!isText && token.startsWith('#')) {
        const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
        comments.push({ offset, text: token.slice(1), alone: text.slice(lineStart, offset).trim() === '', closed });
      } else if (isText) closed = null;
      else if (token === '{' || token === '[') open.push(offset);
      else if (token === '}' || token === ']') closed = open.pop() ?? null;
      else if (token !== ',' && token.trim() !== '') closed = null;
      offset += token.length;
      isText = false;
    }
  }
  return comments;
}

/** Comment lines that follow each other belong together; a comment behind a value stands for itself. */
function blocksOf(comments: readonly Comment[], text: string): readonly (readonly Comment[])[] {
  const blocks: Comment[][] = [];
  for (const comment of comments) {
    const last = blocks.at(-1);
    const previous = last?.at(-1);
    const touches = previous?.alone && comment.alone && isNextLine(text, previous.offset + 1 + previous.text.length, comment.offset);
    if (last && touches) last.push(comment);
    else blocks.push([comment]);
  }
  return blocks;
}

const isNextLine = (text: string, from: number, to: number): boolean => /^\r?\n[ \t]*$/.test(text.slice(from, to));

/** The words after `TODO`, with the comment lines that go on from it. */
function hintOf(block: readonly Comment[]): string | null {
  const from = block.findIndex((comment) => /^\s*TODO\b/.test(comment.text));
  if (from < 0) return null;
  const words = block.slice(from).map((comment) => comment.text.replace(/^\s*(TODO\b[:\s-]*)?/, '').trim());
  return words.filter((text) => text !== '').join(' ');
}

function below(block: readonly Comment[], text: string, anchored: readonly Anchored[], offsets: readonly number[]): Tree | null {
  const last = block.at(-1);
  if (!last) return null;
  const end = last.offset + 1 + last.text.length;
  const next = anchored[firstAfter(offsets, end)];
  if (!next) return null;
  // Between the comment and the value: one line break, indentation, the `-` of a list item.
  return /^\r?\n[^\n]*$/.test(text.slice(end, next.offset)) ? next.tree : null;
}

function beside(comment: Comment, text: string, anchored: readonly Anchored[], offsets: readonly number[]): Tree | null {
  // A comment behind braces speaks of everything in them, not only of the last value.
  const at = firstAfter(offsets, comment.closed ?? comment.offset);
  const lineStart = text.lastIndexOf('\n', comment.offset - 1) + 1;
  // `- # TODO`: the item is on the next lines.
  const isBeforeItem = /^[ \t]*(-[ \t]+)+$/.test(text.slice(lineStart, comment.offset));
  return (isBeforeItem ? anchored[at] : anchored[at - 1])?.tree ?? null;
}

/** Index of the first offset greater than `offset`; the offsets ascend. */
function firstAfter(offsets: readonly number[], offset: number): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((offsets[middle] ?? 0) > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}
