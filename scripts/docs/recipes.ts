import type { OutputSpec, ParamSpec } from '../../src/ops/op.ts';
import { examplePlan } from '../../src/recipes/example-plan.ts';
import { knownLimits } from '../../src/recipes/known-limits.ts';
import { destroyText, typeText } from '../../src/recipes/op-words.ts';
import type { DocumentedOp, Subject } from '../../src/recipes/subjects.ts';
import { accessOf } from './access.ts';
import { generatedNote, markdownTable, page, prose } from './markdown.ts';

/** `docs/recipes/README.md`: every operation that pilotfish knows by name. */
export function recipeIndex(subjects: readonly Subject[]): string {
  const rows = subjects.flatMap((subject) =>
    subject.ops.map((op) => {
      const [own = '', ...also] = spellings(subject, op);
      return [`[${subject.adapter.title}](${subject.name}.md)`, own, also.join(', '), op.op.doc];
    }),
  );
  return page(
    '# Adapters and recipes',
    generatedNote('the adapters and the families of src/recipes'),
    'A built-in adapter is used with `adapter:` and `op:`, a recipe with `recipe:`. Both names of a provider, its own and the neutral one, mean the same.',
    markdownTable(['Provider', 'In a plan', 'Also', 'What it keeps'], rows),
  );
}

/** The page of one provider: its credential, and every operation with params, outputs and an example. Built-in operations come first. */
export function recipePage(subject: Subject, more: readonly Subject[]): string {
  const { adapter } = subject;
  const aliases = subject.spellings.slice(1);
  return page(
    `# ${adapter.title}`,
    generatedNote([subject, ...more].map(sourceOf).join(' and ')),
    `In a plan: \`${subject.name}\`${aliases.length > 0 ? `, also ${aliases.map((alias) => `\`${alias}\``).join(', ')}` : ''}. [The provider's documentation](${adapter.docs}).`,
    accessOf(subject, more),
    ...[subject, ...more].flatMap((one) => one.ops.flatMap((op) => opParts(one, op))),
  );
}

const sourceOf = ({ kind, name }: Subject): string => (kind === 'adapter' ? `src/adapters/${name}` : `src/recipes/families/${name}.yaml`);

/** The spellings of an operation in a plan, the canonical one first. */
const spellings = (subject: Subject, op: DocumentedOp): readonly string[] =>
  subject.kind === 'adapter'
    ? subject.spellings.map((name) => `\`adapter: ${name}\`, \`op: ${op.name}\``)
    : op.recipes.map((name) => `\`recipe: ${name}\``);

function opParts(subject: Subject, documented: DocumentedOp): string[] {
  const { op, name } = documented;
  const params = Object.entries(op.params);
  const outputs = Object.entries(op.outputs);
  return [
    `## ${name}`,
    prose(op.doc),
    prose(`${spellings(subject, documented).join(' or ')}. ${destroyText(op)}`),
    params.length === 0 ? '' : markdownTable(['Param', 'Type', 'Meaning'], params.map(paramRow)),
    outputs.length === 0 ? 'No outputs.' : markdownTable(['Output', 'Kind', 'Meaning'], outputs.map(outputRow)),
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
