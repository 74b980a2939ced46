import type { z } from 'zod';
import { Failure, Failures } from '../core/errors.ts';
import type { Http } from '../http/types.ts';
import { PendingValue } from '../remote/value.ts';
import type { Bound, Io, ItemBound } from './bound.ts';
import type { Adapter, Op } from './op.ts';
import {
  adapterShape,
  answerShapes,
  blockShape,
  boundShapes,
  copyOf,
  opShape,
  outputsShape,
  problemsShape,
  remarkShape,
} from './plugin-shape.ts';
import type { AdapterEntry, Registry } from './registry.ts';

/**
 * The registry as a plugin sees it. It checks the plugin's additions before a line needs them, checks the results of the plugin's code
 * before they are used, and reports an exception of that code as the plugin's. Otherwise its author would report a defect of pilotfish.
 */
export function forPlugin(registry: Registry, plugin: string): Registry {
  return {
    ...registry,
    addAdapter: (adapter) => {
      if (!isObject(adapter) || typeof adapter.name !== 'string') throw new Error('it adds an adapter without a name');
      // A taken name is the error that counts, whatever else is wrong.
      registry.addAdapter(registry.adapterSpellings(adapter.name).length > 0 ? adapter : guarded(adapter, plugin));
    },
    addLateAdapter: (entry) => registry.addLateAdapter(guardedEntry(entry, 'adapter', plugin)),
    addFamily: (entry) => registry.addFamily(guardedEntry(entry, 'recipe family', plugin)),
    addSecretSource: (source) => {
      if (!isObject(source) || typeof source.scheme !== 'string') throw new Error('it adds a secret source without a scheme');
      if (typeof source.resolve !== 'function') throw new Error(`its secret source ${source.scheme}:// has no function \`resolve\``);
      registry.addSecretSource(source);
    },
  };
}

/** A module whose code is not trusted is no failure of the plugin. */
export const asNotTrusted = (cause: unknown): Failure | null =>
  cause instanceof Failure && cause.code === 'PLAN_NOT_TRUSTED' ? cause : null;

/** The first line of an error, without its stack. A person can act on it. */
export function reasonOf(cause: unknown): string {
  const text = cause instanceof Failure ? cause.detail : cause instanceof Error ? cause.message : textOf(cause);
  const line = text.split('\n', 1)[0] ?? '';
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

/** The text of a thrown value. Code may throw anything, even a value without text. */
function textOf(cause: unknown): string {
  if (cause === undefined || cause === null) return 'it threw nothing';
  try {
    return String(cause);
  } catch {
    return 'it threw a value without a text';
  }
}

function guardedEntry<Entry extends AdapterEntry>(entry: Entry, kind: 'adapter' | 'recipe family', plugin: string): Entry {
  if (!isObject(entry) || typeof entry.name !== 'string')
    throw new Error(`it adds ${kind === 'adapter' ? 'an' : 'a'} ${kind} without a name`);
  if (typeof entry.load !== 'function') throw new Error(`its ${kind} ${entry.name} has no function \`load\``);
  const load = async (): Promise<Adapter> => {
    try {
      return guarded(await entry.load(), plugin);
    } catch (cause) {
      throw asNotTrusted(cause) ?? pluginFailure(plugin, `could not load its ${kind} ${entry.name}`, cause);
    }
  };
  return { ...entry, load };
}

function guarded(adapter: Adapter, plugin: string): Adapter {
  if (!isObject(adapter) || typeof adapter.name !== 'string') throw new Error('it adds an adapter without a name');
  const { provider, setup, ops } = checked(adapterShape, adapter, `its adapter ${adapter.name}`);
  const each = Object.entries(ops).map(([name, op]) => [name, guardedOp(op as Op, `${adapter.name}.${name}`, plugin)] as const);
  return over(adapter, {
    provider: provider as Adapter['provider'],
    ...(setup && { setup: setup as NonNullable<Adapter['setup']> }),
    ops: Object.fromEntries(each),
  });
}

function guardedOp(op: Op, name: string, plugin: string): Op {
  const { params, outputs } = checked(opShape, op, `its operation ${name}`);
  const guard: Guard = { what: `failed in ${name}`, plugin };
  const { outputsFor, providerFor, problems, writesProduction } = op;
  return over(op, {
    params: params as Op['params'],
    outputs: outputs as Op['outputs'],
    bind: calling(guard, (...given) => guardedBound(now(op.bind(...given), 'bind'), op.kind, guard)),
    ...(outputsFor && {
      outputsFor: calling(
        guard,
        (...given) => checked(outputsShape, now(outputsFor.apply(op, given), 'outputsFor'), 'what `outputsFor` gives') as Op['outputs'],
      ),
    }),
    ...(providerFor && {
      providerFor: calling(guard, (...given: Parameters<typeof providerFor>) => {
        const block = now(providerFor.apply(op, given), 'providerFor');
        checked(blockShape, block, 'what `providerFor` gives');
        return block;
      }),
    }),
    ...(problems && {
      problems: calling(guard, (...given) => checked(problemsShape, now(problems.apply(op, given), 'problems'), 'what `problems` gives')),
    }),
    ...(writesProduction && {
      writesProduction: calling(guard, (...given) => now(writesProduction.apply(op, given), 'writesProduction') === true),
    }),
  });
}

interface Guard {
  readonly what: string;
  readonly plugin: string;
}

function guardedBound(bound: Bound, kind: Op['kind'], guard: Guard): Bound {
  const shape: z.ZodType = boundShapes[kind];
  checked(shape, bound, 'what `bind` gives');
  const members = Object.entries(answerShapes).flatMap(([name, shape]) => {
    const member: unknown = Reflect.get(bound, name);
    return typeof member === 'function' ? [[name, asking(guard, { bound, name, member, shape })] as const] : [];
  });
  const data = { fields: copyOf(bound.fields), reach: copyOf(bound.reach), ...(bound.kind === 'item' && guardedItem(bound, guard)) };
  return over(bound, { ...Object.fromEntries(members), ...data });
}

function guardedItem(bound: ItemBound, guard: Guard): Pick<ItemBound, 'entry' | 'remark'> {
  const { entry, remark } = bound;
  const remarking =
    remark && calling(guard, (parent: unknown) => checked(remarkShape, now(remark.call(bound, parent), 'remark'), 'what `remark` gives'));
  return { entry: copyOf(entry), ...(remarking && { remark: remarking }) };
}

/** The result of a function that must not be asynchronous. A promise is refused, and its own failure is ignored. */
function now<T>(value: T, name: string): T {
  if (!(value instanceof Promise)) return value;
  value.catch(() => undefined);
  throw new Error(`\`${name}\` gives a promise, but its value is needed at once`);
}

/** A function of the plugin that is called at once. */
function calling<A extends readonly unknown[], R>({ plugin, what }: Guard, step: (...given: A) => R): (...given: A) => R {
  return (...given) => {
    try {
      return step(...given);
    } catch (cause) {
      throw asPlugins(cause, plugin, what);
    }
  };
}

/** A function of the plugin that asks the provider. The end of the run is no fault of the plugin when the function passes it on. */
function asking(
  { plugin, what }: Guard,
  o: { readonly bound: Bound; readonly name: string; readonly member: CallableFunction; readonly shape: z.ZodType },
): (io: Io, ...rest: readonly unknown[]) => Promise<unknown> {
  return async (io, ...rest) => {
    try {
      const value: unknown = await Reflect.apply(o.member, o.bound, [{ ...io, http: apart(io.http) }, ...rest]);
      return checked(o.shape, value, `what \`${o.name}\` gives`);
    } catch (cause) {
      throw io.signal.aborted ? cause : asPlugins(cause, plugin, what);
    }
  };
}

/** A client whose functions work without it: a plugin may write `const { send } = http`. */
const apart = (http: Http): Http => ({
  block: http.block,
  send: (request, options) => http.send(request, options),
  ...(http.joined && { joined: http.joined.bind(http) }),
});

function asPlugins(cause: unknown, plugin: string, what: string): unknown {
  return cause instanceof Failure || cause instanceof Failures || cause instanceof PendingValue
    ? cause
    : pluginFailure(plugin, what, cause);
}

/** The members that the shape knows. Throws a sentence about the first wrong one. */
function checked<T>(shape: z.ZodType<T>, value: unknown, what: string): T {
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const at = issue?.path.map(String).join('.') ?? '';
  if (isMissing(value, issue?.path ?? [])) throw new Error(`${what} has no \`${at}\``);
  throw new Error(`${what} is not valid${at === '' ? '' : ` at \`${at}\``}: ${issue?.message ?? 'its shape is wrong'}`);
}

function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  let part = value;
  for (const step of path) {
    if (typeof part !== 'object' || part === null) return false;
    part = Reflect.get(part, step);
  }
  return path.length > 0 && part === undefined;
}

/** The thing with some members replaced. Inherited members stay, because a plugin may use a class. */
function over<T extends object>(thing: T, members: Partial<T>): T {
  const descriptors = Object.entries(members).map(([name, value]) => [name, { value, enumerable: true }] as const);
  return Object.create(thing, Object.fromEntries(descriptors));
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const pluginFailure = (plugin: string, what: string, cause: unknown): Failure =>
  new Failure('PLUGIN_FAILED', {
    detail: `The plugin ${plugin} of PILOTFISH_PLUGINS ${what}: ${reasonOf(cause)}`,
    fix: 'Correct the plugin, or report it to its author.',
    cause,
  });
