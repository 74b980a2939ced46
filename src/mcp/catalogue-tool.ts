import { z } from 'zod';
import { Failure } from '../core/errors.ts';
import { readFacts } from '../engine/prepare/destroy-target.ts';
import { openRegistry } from '../engine/prepare/registry.ts';
import { Catalogue, type FoundOp, type OpDoc } from '../recipes/catalogue.ts';
import { withOwnFamilies } from '../recipes/own/of-plan.ts';
import { familySubjects, readSubjects, type Subject } from '../recipes/subjects.ts';
import { answer, documentOf, failed } from './answer.ts';
import { failureAnswer } from './documents.ts';
import { given } from './input.ts';
import type { Tools } from './tools.ts';

const params = z.strictObject({
  query: z
    .string()
    .max(200)
    .optional()
    .describe('Search words: a provider, a kind of object, a param. An operation must match all of them. Without words: every operation.'),
  name: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('One operation, such as neon.branch. The answer has its params, its outputs and an example.'),
  limit: z.int().min(1).max(500).optional().describe('The most results of a search. Default: 20.'),
});

const found = {
  name: z.string().describe('Pass it as `name` to get all details.'),
  line: z.record(z.string(), z.string()).describe('The keys by which a line of a plan names it.'),
  title: z.string(),
  doc: z.string(),
};
const head = { schema: z.literal(1), ok: z.literal(true), command: z.literal('catalogue') };
const told = z.union([
  z.looseObject({ ...head, total: z.int().describe('The number of all matches, shown or not.'), found: z.array(z.looseObject(found)) }),
  z.looseObject({
    ...head,
    operation: z.looseObject({
      ...found,
      also: z.array(z.string()),
      docs: z.string(),
      params: z.array(z.looseObject({ name: z.string(), type: z.string(), required: z.boolean(), doc: z.string() })),
      outputs: z.array(z.looseObject({ name: z.string(), doc: z.string() })),
      destroy: z.string().describe('The effect of a destroy on it.'),
      limits: z.array(z.string()),
      example: z.string().describe('A plan with one such line.'),
    }),
  }),
  failureAnswer,
]);

type Registry = Awaited<ReturnType<typeof openRegistry>>;

interface Known {
  readonly registry: Registry;
  readonly subjects: readonly Subject[];
}

/** The families that the plan here names, as its files are now. The tool `plan` reports mistakes in them. */
async function ownSubjects(cwd: string, registry: Registry): Promise<readonly Subject[]> {
  const plan = await readFacts({ cwd, plan: null }, noContext);
  if (!plan) return [];
  const own = await withOwnFamilies(plan, registry);
  return await familySubjects(
    own.registry,
    own.blocks.map(({ name }) => name),
  );
}

const noContext = { environment: 'preview', scope: null, git: { sha: null, branch: null }, pr: { number: null } };

/** Adds the tool that searches the operations of plans. */
export function addCatalogueTool({ server, world }: Tools): void {
  // What pilotfish and plugins bring does not change while the server runs.
  let known: Promise<Known> | null = null;
  const catalogue = async (): Promise<Catalogue> => {
    known ??= openRegistry({ env: world.env, cwd: world.cwd }).then(async (registry) => ({
      registry,
      subjects: await readSubjects(registry),
    }));
    known.catch(() => {
      known = null;
    });
    const { registry, subjects } = await known;
    return new Catalogue([...subjects, ...(await ownSubjects(world.cwd, registry))]);
  };
  server.registerTool(
    'catalogue',
    {
      title: 'Search what a plan can keep',
      description:
        'Searches the recipes and built-in operations by words, and gives the params, outputs and an example of one. Use it before you write a line of release.plan.yaml. Use `adapter: http` for any other service with an HTTP API.',
      inputSchema: given(params, world.redactor),
      outputSchema: told,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    async (input) => {
      if ('failure' in input) return failed('catalogue', input.failure, world);
      try {
        const { query = '', name, limit = 20 } = input.params;
        const all = await catalogue();
        if (name !== undefined) {
          const operation = all.op(name.trim());
          if (!operation) throw unknown(name, all);
          return answer({ document: documentOf('catalogue', { operation }), text: opText(operation) });
        }
        const matches = all.search(query);
        const shown = matches.slice(0, limit);
        return answer({
          document: documentOf('catalogue', { total: matches.length, found: shown }),
          text: foundText(shown, matches.length),
        });
      } catch (thrown) {
        return failed('catalogue', thrown, world);
      }
    },
  );
}

function unknown(name: string, all: Catalogue): Failure {
  const near = all.nearest(name);
  return new Failure('PLAN_INVALID', {
    detail: `No operation is called ${JSON.stringify(name)}.${near === null ? '' : ` Did you mean ${JSON.stringify(near)}?`}`,
    fix: 'Search with `query`.',
  });
}

const foundText = (shown: readonly FoundOp[], total: number): string =>
  total === 0
    ? 'Nothing was found. Try fewer or other words, or use `adapter: http` for any other service with an HTTP API.'
    : [
        ...shown.map(({ name, title, doc }) => `${name} (${title}): ${doc}`),
        ...(total > shown.length ? [`and ${total - shown.length} more`] : []),
      ].join('\n');

function opText({ name, title, doc, params: all, outputs, destroy, limits, example }: OpDoc): string {
  return [
    `${name} (${title}): ${doc}`,
    ...all.map((param) => `param ${param.name}${param.required ? ' (required)' : ''}, ${param.type}: ${param.doc}`),
    ...outputs.map((output) => `output ${output.name}${output.sensitive ? ' (sensitive)' : ''}: ${output.doc}`),
    destroy,
    ...limits,
    '',
    example,
  ].join('\n');
}
