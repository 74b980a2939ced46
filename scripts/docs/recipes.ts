import type { OutputSpec, ParamSpec } from '../../src/ops/op.ts';
import { examplePlan } from '../../src/recipes/example-plan.ts';
import { knownLimits } from '../../src/recipes/known-limits.ts';
import { destroyText, typeText } from '../../src/recipes/op-words.ts';
import type { DocumentedOp, Subject } from '../../src/recipes/subjects.ts';
import { accessOf } from './access.ts';
import { generatedNote, markdownTable, page, prose } from './markdown.ts';
import type { SeenLive } from './seen-live.ts';
import { slugOf } from './slugs.ts';

/** `docs/recipes/README.md`: every operation that pilotfish knows by name. */
export function recipeIndex(subjects: readonly Subject[]): string {
  const rows = subjects.flatMap((subject) =>
    subject.ops.map((op) => {
      const [own = '', ...also] = spellings(subject, op);
      return [
        `[${subject.adapter.title}](${subject.name}.md)`,
        `[\`${op.name}\`](${subject.name}.md#${slugOf(op.name)})`,
        op.op.doc,
        own,
        also.join(', '),
      ];
    }),
  );
  return page(
    '# Adapters and recipes',
    generatedNote('the adapters and the families of src/recipes'),
    'A built-in adapter is used with `adapter:` and `op:`, a recipe with `recipe:`. Both names of a provider, its own and the neutral one, mean the same.',
    builtInText,
    markdownTable(['Provider', 'Operation', 'What it manages', 'In a plan', 'Also'], rows),
  );
}

const builtInText = `An operation is built in if it needs more than a request and an answer. A run waits until a database branch, a copy of an index or a new
revision can be used. The line says what it waits for and gives up after its \`timeout\`; the next run waits on for the same object. Lines
that share a list read it once, and write it in one request if the provider has such a request: thirty variables of a branch need one list
and one write, and only the list if nothing changes.`;

/** The page of one provider: its credential, and every operation with params, outputs and an example. Built-in operations come first. */
export function recipePage(subject: Subject, more: readonly Subject[], seen: SeenLive): string {
  const { adapter } = subject;
  const aliases = subject.spellings.slice(1);
  return page(
    `# ${adapter.title}`,
    generatedNote([subject, ...more].map(sourceOf).join(' and ')),
    `In a plan: \`${subject.name}\`${aliases.length > 0 ? `, also ${aliases.map((alias) => `\`${alias}\``).join(', ')}` : ''}. [The provider's documentation](${adapter.docs}).`,
    accessOf(subject, more),
    ...[subject, ...more].flatMap((one) => one.ops.flatMap((op) => opParts(one, op, seen.get(`${one.name}.${op.name}`) ?? ''))),
  );
}

const sourceOf = ({ kind, name }: Subject): string => (kind === 'adapter' ? `src/adapters/${name}` : `src/recipes/families/${name}.yaml`);

/** The spellings of an operation in a plan, the canonical one first. */
const spellings = (subject: Subject, op: DocumentedOp): readonly string[] =>
  subject.kind === 'adapter'
    ? subject.spellings.map((name) => `\`adapter: ${name}\`, \`op: ${op.name}\``)
    : op.recipes.map((name) => `\`recipe: ${name}\``);

function opParts(subject: Subject, documented: DocumentedOp, seen: string): string[] {
  const { op, name } = documented;
  const params = Object.entries(op.params);
  const outputs = Object.entries(op.outputs);
  return [
    `## ${name}`,
    prose(op.doc),
    prose(`${spellings(subject, documented).join(' or ')}. ${destroyText(op)}`),
    params.length === 0 ? '' : markdownTable(['Param', 'Type', 'Meaning'], params.map(paramRow)),
    outputs.length === 0 ? 'No outputs.' : markdownTable(['Output', 'Kind', 'Meaning'], outputs.map(outputRow)),
    op.console ? `\`pilotfish show\` gives the address of its page in the console: \`${op.console.page}\`.` : '',
    seen,
    listed('Known limits:', knownLimits(subject, documented)),
    `\`\`\`yaml\n${examplePlan(subject, documented)}\`\`\``,
  ];
}

const listed = (head: string, sentences: readonly string[]): string =>
  sentences.length === 0 ? '' : `${head}\n\n${sentences.map((one) => `- ${prose(one)}`).join('\n')}`;

const paramRow = ([name, spec]: [string, ParamSpec]): string[] => [
  `\`${name}\`${spec.required ? ' (required)' : ''}`,
  typeText(spec),
  [
    spec.doc,
    ...(spec.todo === undefined ? [] : [`Found: ${spec.todo}`]),
    ...(spec.default === undefined ? [] : [`Default: \`${JSON.stringify(spec.default)}\`.`]),
  ].join(' '),
];

const outputRow = ([name, spec]: [string, OutputSpec]): string[] => [
  `\`${name}\``,
  [...(spec.sensitive ? ['sensitive'] : []), ...(spec.once ? ['shown once'] : [])].join(', ') || 'plain',
  spec.doc,
];
