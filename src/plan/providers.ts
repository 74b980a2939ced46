import type { Json } from '../core/json.ts';
import { nearestPart, type PartPath } from './parts.ts';
import { quote } from './problems.ts';
import { namePattern } from './schema.ts';
import { findSecretLiterals } from './secret-literal.ts';
import { reportTodos } from './todo.ts';
import { isListTree, isMapTree, isScalarTree, type MapEntry, sourceTextOf, type Tree } from './tree.ts';
import type { Context, ProviderEntry } from './types.ts';
import { formOf, type ReadOptions } from './values.ts';

export interface ProvidersReading {
  readonly providers: ReadonlyMap<string, ProviderEntry>;
  readonly apis: ReadonlyMap<string, ProviderEntry>;
}

interface ProviderOptions extends Omit<ReadOptions, 'isActive' | 'spot'> {
  readonly context: Context;
}

/** Reads `providers` and `providers.http`. Their keys are checked where the adapter is known. */
export function readProviders(tree: Tree | undefined, options: ProviderOptions): ProvidersReading {
  const providers = new Map<string, ProviderEntry>();
  const apis = new Map<string, ProviderEntry>();
  if (!isMapTree(tree)) return { providers, apis };
  for (const entry of tree.entries) {
    if (entry.key !== 'http') addEntry(providers, entry, 'providers', options);
    else if (isMapTree(entry.value)) for (const api of entry.value.entries) addEntry(apis, api, 'providers.http', options);
  }
  return { providers, apis };
}

function addEntry(into: Map<string, ProviderEntry>, entry: MapEntry, within: string, options: ProviderOptions): void {
  const { key, value } = entry;
  const at = `${within}.${key}`;
  if (!namePattern.test(key)) {
    options.problems.add('PLAN_INVALID', {
      detail: `${quote(at)} cannot be the name of a provider: a name must begin with a letter and hold letters, digits, \`-\` and \`_\`.`,
      fix: 'Rename it.',
      place: entry.place,
    });
    return;
  }
  const isEmpty = isScalarTree(value) && value.value === null;
  if (!isMapTree(value) && !isEmpty) {
    options.problems.add('PLAN_INVALID', {
      detail: `${at} must be a map of settings.`,
      fix: `Write the settings below \`${key}:\`.`,
      place: value.place,
    });
    return;
  }
  reportTodos(value, options);
  findSecretLiterals(value, { name: null, at }, options.problems);
  const json = isEmpty ? {} : readJson(value, at, options);
  into.set(key, {
    name: key,
    place: entry.place,
    values: isJsonMap(json) ? json : {},
    placeOf: (path: PartPath) => (path.length === 0 ? entry.place : nearestPart(value, path, options.context).place),
  });
}

/** Settings are plain: the ledger keeps them, so they can hold no reference. `{ public: … }` is its text. */
function readJson(tree: Tree, at: string, options: ProviderOptions): Json {
  const { substitution, problems } = options;
  if (isScalarTree(tree) && isArgument.test(at) && String(tree.value).includes('${')) {
    problems.add('SECRET_LITERAL', {
      detail: `${at} holds a \`\${…}\`. A command is literal: no shell reads it, pilotfish puts no value into it, and the ledger keeps it as it is.`,
      fix: 'Write the argument out, and let the program read secrets from its variables or its own sign-in.',
      place: tree.place,
    });
    return '';
  }
  const spot = { use: 'address', name: at.slice(at.lastIndexOf('.') + 1) } as const;
  if (isScalarTree(tree)) return typeof tree.value === 'string' ? substitution.text(tree.value, tree, true, spot) : tree.value;
  if (isListTree(tree)) return tree.items.map((item, i) => readJson(item, `${at}[${i}]`, options));
  const form = formOf(tree);
  const text = form?.key === 'public' ? sourceTextOf(form.value) : null;
  if (text !== null) return substitution.text(text, tree, true, spot);
  if (form) {
    problems.add('PLAN_INVALID', {
      detail: `${at} holds { ${form.key}: … }. The ledger keeps the settings of a provider, so they must name variables instead of references.`,
      fix: 'Name the variable that holds the credential, for example `auth: { bearer_env: NAME }`.',
      place: tree.place,
    });
    return null;
  }
  return Object.fromEntries(tree.entries.map((e) => [substitution.text(e.key, e, true), readJson(e.value, `${at}.${e.key}`, options)]));
}

/** Where the command of a credential stands. */
const isArgument = /\.auth\.command(?:\[\d+\])?$/;

const isJsonMap = (json: Json): json is { readonly [name: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json);
