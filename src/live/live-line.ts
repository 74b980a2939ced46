import { parseDocument, stringify } from 'yaml';
import { Failure } from '../core/errors.ts';
import { isMap, type Json, type JsonMap } from '../core/json.ts';
import { didYouMean } from '../core/nearest.ts';
import type { Adapter, Op } from '../ops/op.ts';
import type { Registry } from '../ops/registry.ts';

/** An operation that is proven, and the line that proves it. */
export interface LiveLine {
  /** `<family>.<op>` or `<adapter>.<op>`. */
  readonly operation: string;
  readonly adapter: Adapter;
  readonly op: Op;
  /** The line without its id and its operation: params, and keys such as `api` and `credential`. */
  readonly line: JsonMap;
  /** Params that come from the example of the operation. */
  readonly fromExample: readonly string[];
  /** The plan with this one line; another line in place of its own, where one is given. */
  plan(line?: JsonMap): string;
}

export interface LineSources {
  readonly operation: string;
  /** `<param>=<value>` of each `--with`. */
  readonly with: readonly string[];
  /** The text of the file of `--line`, and its name. */
  readonly file: { readonly name: string; readonly text: string } | null;
}

/** The id of the one line of a proof. */
export const lineId = 'live';
const scopeMark = '${ctx.scope}';

/** Finds the operation and makes its line. Throws `USAGE` for an unknown operation, a bad `--with` and a bad file. */
export async function readLiveLine(sources: LineSources, registry: Registry): Promise<LiveLine> {
  const { adapter, op, what, operation } = await operationOf(sources.operation, registry);
  const { top, line: given } = sources.file === null ? { top: {}, line: {} } : fileParts(sources.file, what);
  const own: JsonMap = { ...given, ...withParts(sources.with) };
  const examples = Object.entries(op.params).flatMap(([name, { required, example }]) =>
    required && !Object.hasOwn(own, name) && example !== undefined && JSON.stringify(example).includes(scopeMark)
      ? [[name, example] as const]
      : [],
  );
  const isLeft = op.destroy === 'keep' && op.mayDelete !== false && !Object.hasOwn(own, 'destroy');
  const line: JsonMap = { ...Object.fromEntries(examples), ...own, ...(isLeft && { destroy: 'delete' }) };
  const plan = (changed: JsonMap = line): string => stringify({ version: 1, ...top, changes: [{ id: lineId, ...what, ...changed }] });
  return { operation, adapter, op, line, fromExample: examples.map(([name]) => name), plan };
}

async function operationOf(operation: string, registry: Registry) {
  const recipe = await registry.recipe(operation);
  if (recipe?.op) {
    const name = `${recipe.family.name}.${recipe.opName}`;
    return { adapter: recipe.family, op: recipe.op, what: { recipe: name }, operation: name };
  }
  const [name = '', opName = ''] = operation.split('.');
  const adapter = await registry.adapter(name);
  const op = adapter && Object.hasOwn(adapter.ops, opName) ? adapter.ops[opName] : undefined;
  if (adapter && op) return { adapter, op, what: { adapter: adapter.name, op: opName }, operation: `${adapter.name}.${opName}` };
  const owners = [...new Set([recipe?.family, adapter].filter((one) => one !== null && one !== undefined))];
  const known =
    owners.length > 0
      ? owners.flatMap((owner) => Object.keys(owner.ops).map((one) => `${owner.name}.${one}`))
      : [...registry.adapterNames(), ...registry.familyNames()];
  throw new Failure('USAGE', {
    detail: `There is no operation ${JSON.stringify(operation)}.${didYouMean(operation, known)}`,
    fix:
      owners.length > 0
        ? `The operations are ${known.join(', ')}.`
        : 'Write `<family>.<op>` or `<adapter>.<op>`, as in docs/recipes/README.md.',
  });
}

/** `name=value`, the value as YAML: `retries=3` is a number, `events=[a, b]` a list. */
function withParts(given: readonly string[]): JsonMap {
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf('=');
      if (at <= 0) {
        // The text may hold a secret, so the error does not repeat it.
        throw new Failure('USAGE', { detail: 'A `--with` has no name before its value.', fix: 'Write `--with <param>=<value>`.' });
      }
      const name = text.slice(0, at);
      return [name, yamlOf(text.slice(at + 1), `--with ${name}`)] as const;
    }),
  );
}

/** A file holds the params of the line, or a plan with `providers` and the one line. */
function fileParts({ name, text }: NonNullable<LineSources['file']>, what: JsonMap): { readonly top: JsonMap; readonly line: JsonMap } {
  const value = yamlOf(text, name);
  const refuse = (detail: string, fix: string): never => {
    throw new Failure('USAGE', { detail: `${name} ${detail}`, fix });
  };
  if (!isMap(value)) return refuse('is no map.', 'Write the params of the line into it, or a plan with one line.');
  if (!Object.hasOwn(value, 'changes')) return { top: {}, line: withoutNames(value as JsonMap) };
  const { changes, providers, recipes } = value as { readonly [name: string]: Json };
  const top: JsonMap = { ...(providers !== undefined && { providers }), ...(recipes !== undefined && { recipes }) };
  const [line, ...more] = Array.isArray(changes) ? (changes as readonly Json[]) : [];
  if (!isMap(line) || more.length > 0) return refuse('is a plan that does not have exactly one line.', 'Leave one line in it.');
  for (const [key, wanted] of Object.entries(what)) {
    if (Object.hasOwn(line, key) && line[key] !== wanted) {
      return refuse(`has ${key}: ${JSON.stringify(line[key])}, but this is about ${JSON.stringify(wanted)}.`, 'Name the same operation.');
    }
  }
  return { top, line: withoutNames(line as JsonMap) };
}

const withoutNames = ({ id: _id, recipe: _recipe, adapter: _adapter, op: _op, ...line }: JsonMap): JsonMap => line;

function yamlOf(text: string, where: string): Json {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) {
    const { line = 1, col = 1 } = error.linePos?.[0] ?? {};
    throw new Failure('USAGE', {
      detail: `${where} is no YAML at line ${line}, column ${col}.`,
      fix: 'Correct it. A text with a colon, a comma or a bracket needs quotes.',
    });
  }
  return document.toJS();
}
