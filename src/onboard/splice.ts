import { isMap, isScalar, isSeq, type ParsedNode, parseDocument, type YAMLMap } from 'yaml';
import { Failure } from '../core/errors.ts';
import { commentedLines, isCommented, withoutBlockComment, withoutComment } from './commented.ts';
import type { DraftedBlock, DraftedLine } from './draft.ts';
import { blockRows, renderLine } from './render.ts';

export interface SpliceOptions {
  readonly file: string;
  /** The environment that the lines are for; `null` if the plan has no other. */
  readonly environment: string | null;
}

/**
 * Adds lines to `changes`, and the blocks that they need under `providers`. A line that stands in the plan as a comment takes the place of
 * that comment, and all others follow at the end. The other text stays, byte for byte. Throws `PLAN_PARSE` if the form of the plan allows
 * no more lines.
 */
export function splice(text: string, lines: readonly DraftedLine[], blocks: readonly DraftedBlock[], options: SpliceOptions): string {
  const isWindows = /\r\n/.test(text) && !/(?<!\r)\n/.test(text);
  const rows = isWindows ? text.replaceAll('\r\n', '\n') : text;
  const added = lines.reduce(
    ({ now, left }, line) => {
      const next = inPlaceOfComment(now, line, options);
      return next === null ? { now: withoutCommentOf(now, line), left: [...left, line] } : { now: next, left };
    },
    { now: rows, left: [] as readonly DraftedLine[] },
  );
  const whole = added.left.length === 0 ? added.now : addLines(added.now, added.left, options);
  const after = blocks.reduce((now, block) => addBlock(withoutBlockComment(now, block.provider.adapter.name), block, options.file), whole);
  return isWindows ? after.replaceAll('\n', '\r\n') : after;
}

const commentOf = (text: string, line: DraftedLine) => commentedLines(text).find((one) => isCommented([one], line));

const withoutCommentOf = (text: string, line: DraftedLine): string => {
  const comment = commentOf(text, line);
  return comment ? withoutComment(text, comment) : text;
};

/** Writes a line where its comment stands. `null` if it has none, or if it stands outside of the list. */
function inPlaceOfComment(text: string, line: DraftedLine, { file, environment }: SpliceOptions): string | null {
  const comment = commentOf(text, line);
  if (!comment) return null;
  const rows = text.split('\n');
  const indent = /^[ \t]*/.exec(rows[comment.start] ?? '')?.[0] ?? '';
  const next = [...rows.slice(0, comment.start), renderLine(line, { indent, environment }), ...rows.slice(comment.end)].join('\n');
  const document = parseDocument(next, { schema: 'failsafe' });
  if (document.errors.length > 0 || !isMap(document.contents)) return null;
  const before = keyIn(rootOf(text, file), 'changes')?.value;
  const after = keyIn(document.contents, 'changes')?.value;
  return isSeq(after) && after.items.length === (isSeq(before) ? before.items.length : 0) + 1 ? next : null;
}

function addLines(text: string, lines: readonly DraftedLine[], { file, environment }: SpliceOptions): string {
  const render = (indent: string): string => lines.map((line) => renderLine(line, { indent, environment })).join('\n\n');
  const changes = keyIn(rootOf(text, file), 'changes');
  if (!changes) return `${ended(text)}\nchanges:\n${render('  ')}\n`;
  const { value, keyEnd } = changes;
  if (isSeq(value) && value.items.length > 0) {
    if (value.flow) throw inBrackets(file, 'changes');
    const indent = indentAt(text, value.range[0]);
    // The empty line ends a comment below the last line, so that the comment does not count for the new line.
    return insertBelow(text, value.range[1], `\n${render(indent)}`);
  }
  const cut = isSeq(value) ? text.slice(0, keyEnd) + text.slice(value.range[1]) : text;
  return insertBelow(cut, keyEnd, render('  '));
}

function addBlock(text: string, block: DraftedBlock, file: string): string {
  const path = block.provider.isRecipe ? ['providers', 'http'] : ['providers'];
  const root = rootOf(text, file);
  let map: ParsedNode | null = root;
  for (const [depth, name] of path.entries()) {
    const key = keyIn(map, name);
    if (!key) return insertKey(text, map, path.slice(depth), block, file);
    if (!isEmpty(key.value) && !isMap(key.value)) throw inBrackets(file, name);
    if (isMap(key.value) && key.value.flow) throw inBrackets(file, path.slice(0, depth + 1).join('.'));
    if (!isMap(key.value)) {
      const indent = `${indentAt(text, key.keyStart)}  `;
      return insertBelow(text, key.keyEnd, nested(path.slice(depth + 1), block, indent));
    }
    map = key.value;
  }
  const { name, alias = name } = block.provider.adapter;
  // A block that a person wrote for this provider stays, under either of its names.
  return keyIn(map, name) || keyIn(map, alias) ? text : insertKey(text, map, [], block, file);
}

/** Inserts a missing key: at the top level before `changes`, elsewhere as the first of its map. */
function insertKey(text: string, map: ParsedNode | null, missing: readonly string[], block: DraftedBlock, file: string): string {
  if (missing.length === 2 || (missing.length === 1 && !block.provider.isRecipe)) {
    const changes = keyIn(rootOf(text, file), 'changes');
    const at = changes?.keyStart ?? text.length;
    return `${text.slice(0, at)}${nested(missing, block, '')}\n\n${text.slice(at)}`;
  }
  const start = map?.range[0] ?? text.length;
  const indent = indentAt(text, start);
  return `${text.slice(0, start)}${nested(missing, block, indent).slice(indent.length)}\n${indent}${text.slice(start)}`;
}

/** Writes the rows of a block below its missing parent keys. */
function nested(missing: readonly string[], block: DraftedBlock, indent: string): string {
  const heads = missing.map((name, depth) => `${indent}${'  '.repeat(depth)}${name}:`);
  return [...heads, ...blockRows(block).map((row) => `${indent}${'  '.repeat(missing.length)}${row}`)].join('\n');
}

interface Key {
  readonly value: ParsedNode | null;
  readonly keyStart: number;
  /** The offset after the colon. */
  readonly keyEnd: number;
}

function keyIn(map: ParsedNode | null, name: string): Key | null {
  if (!isMap(map)) return null;
  for (const { key, value } of (map as YAMLMap.Parsed).items) {
    if (isScalar(key) && key.value === name) return { value, keyStart: key.range[0], keyEnd: key.range[2] + 1 };
  }
  return null;
}

const isEmpty = (value: ParsedNode | null): boolean => value === null || (isScalar(value) && (value.value === null || value.value === ''));

function rootOf(text: string, file: string): ParsedNode | null {
  const document = parseDocument(text, { schema: 'failsafe' });
  if (document.errors.length > 0 || !(document.contents === null || isMap(document.contents))) {
    throw new Failure('PLAN_PARSE', {
      detail: `${file} is not a valid plan, so pilotfish cannot add lines to it.`,
      fix: 'Run `pilotfish plan`: it names the mistake and its place.',
    });
  }
  return document.contents;
}

const inBrackets = (file: string, key: string): Failure =>
  new Failure('PLAN_PARSE', {
    detail: `${file} writes \`${key}\` in brackets, and pilotfish cannot add lines with comments inside brackets.`,
    fix: 'Write each entry of the brackets on lines of its own, then run this again.',
  });

/** Inserts rows below the text line that holds the offset. The rest of that line, such as a comment, stays on it. */
function insertBelow(text: string, offset: number, rows: string): string {
  // The end of a block collection is the beginning of the next text line.
  const from = text[offset - 1] === '\n' ? text.slice(0, offset).trimEnd().length : offset;
  const found = text.indexOf('\n', from);
  if (found === -1) return `${text}\n${rows}\n`;
  return `${text.slice(0, found + 1)}${rows}\n${text.slice(found + 1)}`;
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return ' '.repeat(offset - start);
}
