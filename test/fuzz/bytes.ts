import type { Random } from './random.ts';

/** What makes parsers stumble: ends of lines and files, quotes, signs of YAML and JSON, ill-formed UTF-8, direction marks. */
const hard: readonly [Buffer, ...Buffer[]] = [
  Buffer.from([0]),
  Buffer.from([0xef, 0xbb, 0xbf]),
  Buffer.from([0xff, 0xfe]),
  Buffer.from([0xc3]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xf4, 0x90, 0x80, 0x80]),
  ...[
    '\r\n',
    '\r',
    '\t',
    '\n',
    '\u0085',
    '\u2028',
    '\u202e',
    '\u001b[2J',
    '"',
    "'",
    '`',
    '\\',
    '\\u0000',
    '\\ud800',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    ': ',
    '- ',
    '#',
    ' #',
    '&a ',
    '*a',
    '<<: ',
    '!!js/function ',
    '!x ',
    '|',
    '>-',
    '? ',
    '---\n',
    '...\n',
    '%YAML 9.9\n',
    '${ctx.scope}',
    '${ctx.',
    '$${',
    '{ from: a.b }',
    '{ secret: env://HOME }',
    '{ keep: true }',
    '__proto__',
    'constructor',
    'toString',
    'null',
    'true',
    '.nan',
    '.inf',
    '-0',
    '1e999',
    '9007199254740993',
    '0x1f',
    '../../..',
    '%2e%2e%2f',
    '{id}',
    '~',
    '/',
    '\u{1f421}',
    'é',
  ].map((text) => Buffer.from(text)),
];

type Mutator = (bytes: Buffer, random: Random, others: readonly Buffer[]) => Buffer;

const cut = (bytes: Buffer, from: number, to: number, between: Uint8Array = Buffer.alloc(0)): Buffer =>
  Buffer.concat([bytes.subarray(0, from), between, bytes.subarray(to)]);

/** A stretch of at most `longest` bytes. */
function stretch(bytes: Buffer, random: Random, longest: number): { readonly from: number; readonly to: number } {
  const from = random.int(bytes.length + 1);
  return { from, to: Math.min(bytes.length, from + 1 + random.int(longest)) };
}

const mutators: readonly [Mutator, ...Mutator[]] = [
  function flip(bytes, random) {
    const copy = Buffer.from(bytes);
    const at = random.int(copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << random.int(8));
    return copy;
  },
  function overwrite(bytes, random) {
    const copy = Buffer.from(bytes);
    copy[random.int(copy.length)] = random.int(256);
    return copy;
  },
  function insert(bytes, random) {
    const at = random.int(bytes.length + 1);
    return cut(bytes, at, at, random.pick(hard));
  },
  function replace(bytes, random) {
    const { from, to } = stretch(bytes, random, 12);
    return cut(bytes, from, to, random.pick(hard));
  },
  function remove(bytes, random) {
    const { from, to } = stretch(bytes, random, random.chance(0.2) ? 400 : 8);
    return cut(bytes, from, to);
  },
  function truncate(bytes, random) {
    return bytes.subarray(0, random.int(bytes.length + 1));
  },
  function repeat(bytes, random) {
    const { from, to } = stretch(bytes, random, 60);
    const times = random.chance(0.1) ? 200 : 1 + random.int(4);
    return cut(bytes, to, to, Buffer.concat(Array.from({ length: times }, () => bytes.subarray(from, to))));
  },
  function splice(bytes, random, others) {
    const other = random.any(others) ?? bytes;
    return Buffer.concat([bytes.subarray(0, random.int(bytes.length + 1)), other.subarray(random.int(other.length + 1))]);
  },
  function graft(bytes, random, others) {
    const other = random.any(others) ?? bytes;
    const piece = stretch(other, random, 120);
    const { from, to } = stretch(bytes, random, 40);
    return cut(bytes, from, to, other.subarray(piece.from, piece.to));
  },
  function dropLine(bytes, random) {
    const lines = bytes.toString('latin1').split('\n');
    lines.splice(random.int(lines.length), 1);
    return Buffer.from(lines.join('\n'), 'latin1');
  },
  function swapLines(bytes, random) {
    const lines = bytes.toString('latin1').split('\n');
    const [a, b] = [random.int(lines.length), random.int(lines.length)];
    const [first = '', second = ''] = [lines[a], lines[b]];
    lines[a] = second;
    lines[b] = first;
    return Buffer.from(lines.join('\n'), 'latin1');
  },
  function windowsEnds(bytes) {
    return Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
  },
  function mark(bytes) {
    return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
  },
  function nest(bytes, random) {
    const depth = random.pick([40, 70, 1_000, 12_000]);
    const [open, close] = random.pick<readonly [string, string]>([
      ['[', ']'],
      ['{"a":', '}'],
      ['- ', ''],
    ]);
    const at = random.int(bytes.length + 1);
    return cut(bytes, at, at, Buffer.from(`${open.repeat(depth)}1${close.repeat(depth)}`));
  },
  function lengthen(bytes, random) {
    const at = random.int(bytes.length + 1);
    return cut(bytes, at, at, Buffer.alloc(random.pick([300, 5_000, 70_000]), random.pick(['a', '0', ' ', '%', '\\', '"'])));
  },
];

/** The bytes with one to three things wrong with them. `others` are files to take pieces from. */
export function mutateBytes(bytes: Buffer, random: Random, others: readonly Buffer[] = []): Buffer {
  let mutated = bytes;
  const times = 1 + (random.chance(0.3) ? random.int(3) : 0);
  for (let i = 0; i < times; i += 1) mutated = random.pick(mutators)(mutated, random, others);
  return mutated;
}
