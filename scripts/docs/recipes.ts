import type { OutputSpec, ParamSpec } from '../../src/adapters/op.ts';
import type { AuthForm } from '../../src/http/types.ts';
import { examplePlan } from './example.ts';
import { generatedNote, markdownTable, page } from './markdown.ts';
import type { DocumentedOp, Subject } from './subjects.ts';

/** `docs/recipes/README.md`: everything pilotfish knows by name. */
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

/** One provider: how its credential is given, and every operation with params, outputs and an example; built-in ones come first. */
export function recipePage(subject: Subject, more: readonly Subject[]): string {
  const { adapter } = subject;
  const aliases = subject.spellings.slice(1);
  return page(
    `# ${adapter.title}`,
    generatedNote([subject, ...more].map(sourceOf).join(' and ')),
    `In a plan: \`${subject.name}\`${aliases.length > 0 ? `, also ${aliases.map((alias) => `\`${alias}\``).join(', ')}` : ''}. [The provider's documentation](${adapter.docs}).`,
    provider(subject),
    ...[subject, ...more].flatMap((one) => one.ops.flatMap((op) => opParts(one, op))),
  );
}

const sourceOf = ({ kind, name }: Subject): string => (kind === 'adapter' ? `src/adapters/${name}` : `src/recipes/families/${name}.yaml`);

function provider({ name, adapter: { provider: defaults, setup } }: Subject): string {
  const variables = [...new Set(variablesOf(defaults.auth))].map((variable) => `\`${variable}\``);
  const base = defaults.base_url === null ? 'must be given as `base_url`' : `\`${defaults.base_url}\``;
  const override = `\`${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_API_URL\``;
  // Without address and credential there is no API between the line and what it names.
  const isNone = defaults.base_url === null && defaults.auth === null;
  return [
    '## Access\n',
    isNone ? '- Base URL: none; each line names an address of its own.' : `- Base URL: ${base}; ${override} overrides it.`,
    `- Credential: ${credentialText(defaults.auth, variables)}`,
    ...(setup ? [`- Made at ${setup.page}; it needs at least: ${setup.needs}`] : []),
    ...Object.entries(defaults.settings ?? {}).map(
      ([key, setting]) => `- \`${key}\`${setting.required ? ' (required)' : ''}: ${setting.doc}`,
    ),
  ].join('\n');
}

function credentialText(auth: AuthForm | null, variables: readonly string[]): string {
  if (auth !== null && 'command' in auth) return `the token that \`${auth.command.join(' ')}\` prints.`;
  return variables.length > 0 ? `${variables.join(' and ')} in the environment.` : 'none.';
}

/** The names under keys that end in `_env`, wherever they stand in a credential form. */
function variablesOf(form: unknown): string[] {
  if (Array.isArray(form)) return form.flatMap(variablesOf);
  if (typeof form !== 'object' || form === null) return [];
  return Object.entries(form).flatMap(([key, value]) => {
    if (typeof value === 'string') return key.endsWith('_env') && !/url|audience/.test(key) ? [value] : [];
    return variablesOf(value);
  });
}

/** How an operation is written in a plan, the canonical way first. */
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
    `${op.doc}`,
    `${spellings(subject, documented).join(' or ')}. ${destroyText(op.destroy ?? 'delete', op.kind)}`,
    params.length === 0 ? '' : markdownTable(['Param', 'Type', 'Meaning'], params.map(paramRow)),
    outputs.length === 0 ? 'No outputs.' : markdownTable(['Output', '', 'Meaning'], outputs.map(outputRow)),
    `\`\`\`yaml\n${examplePlan(subject, documented)}\`\`\``,
  ];
}

const destroyText = (policy: string, kind: string): string => {
  if (kind === 'action') return 'Destroy sends nothing.';
  if (kind === 'wait') return 'It owns nothing, so destroy removes nothing.';
  return (
    {
      delete: 'Destroy deletes it.',
      keep: 'Destroy leaves it, unless the line says `destroy: delete`.',
      never: 'Destroy leaves it: the provider cannot delete it.',
    }[policy] ?? ''
  );
};

const paramRow = ([name, spec]: [string, ParamSpec]): string[] => [
  `\`${name}\`${spec.required ? ' (required)' : ''}`,
  typeText(spec),
  [spec.doc, ...(spec.default === undefined ? [] : [`Default: \`${JSON.stringify(spec.default)}\`.`])].join(' '),
];

function typeText(spec: ParamSpec): string {
  if (spec.enum) return `${spec.type === 'list' ? 'list of ' : ''}${spec.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ')}`;
  const base = spec.type === 'list' && spec.items ? `list of ${spec.items}` : spec.type;
  return [base, ...(spec.format ? [spec.format] : []), ...(spec.secret ? ['secret'] : [])].join(', ');
}

const outputRow = ([name, spec]: [string, OutputSpec]): string[] => [
  `\`${name}\``,
  [...(spec.sensitive ? ['sensitive'] : []), ...(spec.once ? ['shown once'] : [])].join(', '),
  spec.doc,
];
