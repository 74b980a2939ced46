import type { Random } from './random.ts';

type Trap = (random: Random) => string;

/** Values that YAML can write and a plan should survive: aliases that grow, circle or lead nowhere, merges, tags, odd scalars, odd keys. */
const traps: readonly [Trap, ...Trap[]] = [
  function laughs(random) {
    const levels = 3 + random.int(12);
    const width = 2 + random.int(9);
    const rows = Array.from({ length: levels }, (_, i) =>
      i === 0 ? '&l0 [lol]' : `&l${i} [${Array.from({ length: width }, () => `*l${i - 1}`).join(', ')}]`,
    );
    return `[${rows.join(', ')}]`;
  },
  function mergedLaughs(random) {
    const levels = 3 + random.int(20);
    const rows = Array.from({ length: levels }, (_, i) =>
      i === 0 ? '&m0 {a: 1}' : `&m${i} {<<: [*m${i - 1}, *m${i - 1}], k${i}: *m${i - 1}}`,
    );
    return `[${rows.join(', ')}]`;
  },
  () => '&loop [*loop]',
  () => '&loop {a: *loop}',
  () => '&loop {<<: *loop}',
  () => '[*nowhere]',
  () => '{<<: 7}',
  () => '{<<: [1, {a: 1}]}',
  () => '!!binary aGVsbG8=',
  () => '!!set {a, b}',
  () => '!!timestamp 2001-12-14',
  () => '!!js/function "function () { return 1 }"',
  () => '!<tag:yaml.org,2002:str> x',
  () => '{? [a, b] : c}',
  () => '{? {a: b} : c}',
  () => '{[1]: 2}',
  () => '{null: 1, ~: 2}',
  () => '{1: a, "1": b, 1.0: c}',
  () => '{a: 1, a: 2}',
  () => '{__proto__: {polluted: true}, constructor: {prototype: {polluted: true}}}',
  () => '{from: a, secret: env://HOME, keep: true}',
  () => '{from: [a]}',
  () => '{from: .a}',
  () => '{from: a.b.c.d}',
  () => '{secret: 7}',
  () => '{secret: "env://"}',
  () => '{secret: "nope://x"}',
  () => '{keep: false}',
  () => '{public: {secret: env://HOME}}',
  () => '.nan',
  () => '-.inf',
  () => '0x7fffffffffffffffffff',
  () => '0o17',
  () => '1_000',
  () => '12:30:45',
  () => '1e400',
  () => '=',
  () => '"\\uD800"',
  () => '"\\x00"',
  () => '"${ctx.scope"',
  () => '"${ctx.__proto__}"',
  () => '"${ctx.git}"',
  () => '"${context.scope}"',
  (random) => `"${'${ctx.scope}'.repeat(1 + random.int(3_000))}"`,
  (random) => `${'['.repeat(60 + random.int(20))}1${']'.repeat(60 + random.int(20))}`,
  (random) => `{${Array.from({ length: 1 + random.int(3_000) }, (_, i) => `k${i}: ${i}`).join(', ')}}`,
  (random) => `"${'long '.repeat(random.int(20_000))}"`,
];

/** A plan's text with such a value in the place of one that it has, or a line that YAML reads otherwise than people do. */
export function trapped(plan: Buffer, random: Random): Buffer {
  const rows = plan.toString('utf8').split('\n');
  const withValue = rows.flatMap((row, i) => (/^\s*(?:- )?[\w-]+:(?: |$)/.test(row) ? [i] : []));
  const times = 1 + (random.chance(0.2) ? 1 : 0);
  for (let i = 0; i < times; i += 1) {
    const at = random.any(withValue) ?? 0;
    const row = rows[at] ?? '';
    rows[at] = random.chance(0.8) ? row.replace(/:(?: .*)?$/, () => `: ${random.pick(traps)(random)}`) : `${row}\n${oddRow(row, random)}`;
  }
  return Buffer.from(rows.join('\n'));
}

function oddRow(row: string, random: Random): string {
  const indent = /^\s*/.exec(row)?.[0] ?? '';
  return random.pick([
    row,
    `${indent}<<: *nowhere`,
    `${indent}<<: {id: x}`,
    `${indent}? complex\n${indent}: value`,
    `\t${row.trim()}`,
    '---',
    '...',
    '%TAG ! tag:example,2000:',
    `${indent}"": empty`,
    `${indent}__proto__: {}`,
    `${indent}environments: []`,
    `${indent}depends_on: [${'x, '.repeat(random.int(40))}x]`,
    `${indent}timeout: ${random.pick(['0s', '-1', '1e9', '99999h', '10m'])}`,
  ]);
}
