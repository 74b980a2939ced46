import type { Op } from '../../src/ops/op.ts';
import type { Registry } from '../../src/ops/registry.ts';

/**
 * A page may show a line alone, and what the line refers to stands elsewhere. `withElsewhere` adds such lines to the plan: lines of an
 * adapter whose outputs have every name that is asked for. They are others in every scope, unless the line says that it is shared.
 */
export function addElsewhere(registry: Registry): void {
  registry.addAdapter({
    name: adapter,
    title: 'Elsewhere',
    docs: 'https://example.com',
    provider: { base_url: 'https://elsewhere.example', auth: null },
    ops: { line },
  });
}

const adapter = 'elsewhere';

const line: Op = {
  kind: 'wait',
  doc: 'A line that the page does not show.',
  params: {
    outputs: { type: 'list', items: 'string', required: true, doc: 'Names of its outputs.' },
    shared: { type: 'boolean', default: false, doc: 'Whether every scope has the same outputs.' },
  },
  outputs: {},
  outputsFor: ({ outputs }) => Object.fromEntries((outputs as readonly string[]).map((name) => [name, { doc: 'An output.' }])),
  bind: ({ shared }, { scope }) => ({
    kind: 'wait',
    key: shared ? '/' : `/${scope}`,
    fields: {},
    reach: { kind: 'none' },
    poll: async () => ({ state: 'wait', detail: 'It is not there.' }),
  }),
};

const referenceForms: readonly RegExp[] = [
  /\bfrom: ['"]?([A-Za-z][\w-]*)\.([\w.-]+)/g,
  /(?<!\$)\$\{(?!ctx\.)([A-Za-z][\w-]*)\.([\w.-]+)\}/g,
];

/** The plan with a line for each id that it refers to and does not have. */
export function withElsewhere(text: string, { isShared = false } = {}): string {
  const wanted = new Map<string, Set<string>>();
  const want = (id: string, output?: string): void => {
    const outputs = wanted.get(id) ?? new Set();
    wanted.set(id, output === undefined ? outputs : outputs.add(output));
  };
  for (const form of referenceForms) for (const [, id = '', output = ''] of text.matchAll(form)) want(id, output);
  for (const [, ids = ''] of text.matchAll(/\bdepends_on: \[([^\]]*)\]/g)) for (const id of ids.split(/,\s*/)) want(id);
  const missing = [...wanted].filter(([id]) => !new RegExp(`\\bid: ${id}\\s*(?:[,}#]|$)`, 'm').test(text));
  const indent = /^changes:.*\n(?:\s*#.*\n|\s*\n)*( *)- /m.exec(text)?.[1] ?? '  ';
  const lines = missing.map(
    ([id, outputs]) =>
      `${indent}- { id: ${id}, adapter: ${adapter}, op: line, outputs: [${[...outputs].join(', ')}], shared: ${isShared} }\n`,
  );
  return text.replace(/^changes:[^\n[]*\n/m, (head) => head + lines.join(''));
}
