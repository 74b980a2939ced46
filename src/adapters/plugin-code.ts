import { Failure, Failures } from '../core/errors.ts';
import type { Adapter, Op } from './op.ts';
import type { Registry } from './registry.ts';
import { PendingValue } from './value.ts';

/**
 * The registry as a plugin sees it: what it adds is looked at before a line needs it, and an exception of its code is told as
 * the plugin's. Without this, its author would be asked to report a defect of pilotfish.
 */
export function forPlugin(registry: Registry, plugin: string): Registry {
  return {
    ...registry,
    addAdapter: (adapter) => registry.addAdapter(guarded(adapter, plugin)),
    addFamily: (entry) => {
      if (typeof entry.load !== 'function') throw new Error(`its recipe family ${entry.name} has no function \`load\``);
      const load = async (): Promise<Adapter> => {
        try {
          return guarded(await entry.load(), plugin);
        } catch (cause) {
          throw pluginFailure(plugin, `could not load its recipe family ${entry.name}`, cause);
        }
      };
      registry.addFamily({ ...entry, load });
    },
    addSecretSource: (source) => {
      if (typeof source.resolve !== 'function') throw new Error(`its secret source ${source.scheme}:// has no function \`resolve\``);
      registry.addSecretSource(source);
    },
  };
}

/** The first line of what went wrong: what a person can act on, without a stack. */
export function reasonOf(cause: unknown): string {
  const text = cause instanceof Failure ? cause.detail : cause instanceof Error ? cause.message : String(cause);
  const line = text.split('\n', 1)[0] ?? '';
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

function guarded(adapter: Adapter, plugin: string): Adapter {
  if (!isObject(adapter) || typeof adapter.name !== 'string') throw new Error('it adds an adapter without a name');
  for (const part of ['provider', 'ops'] as const) {
    if (!isObject(adapter[part])) throw new Error(`its adapter ${adapter.name} has no \`${part}\``);
  }
  const ops = Object.entries(adapter.ops).map(([name, op]) => [name, guardedOp(op, `${adapter.name}.${name}`, plugin)] as const);
  return over(adapter, { ops: Object.fromEntries(ops) });
}

function guardedOp(op: Op, name: string, plugin: string): Op {
  if (!isObject(op) || typeof op.bind !== 'function') throw new Error(`its operation ${name} has no function \`bind\``);
  for (const part of ['params', 'outputs'] as const) {
    if (!isObject(op[part])) throw new Error(`its operation ${name} has no \`${part}\``);
  }
  const bind: Op['bind'] = (params, context) => {
    try {
      return op.bind(params, context);
    } catch (cause) {
      if (cause instanceof Failure || cause instanceof Failures || cause instanceof PendingValue) throw cause;
      throw pluginFailure(plugin, `failed in ${name}`, cause);
    }
  };
  return over(op, { bind });
}

/** The thing with some members replaced; what it inherits stays, because a plugin may make it of a class. */
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
