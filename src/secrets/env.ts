import { Failure } from '../core/errors.ts';
import { howToSet } from '../core/how-to-set.ts';
import type { SecretSource } from './source.ts';

/** `env://NAME`: the value of an environment variable. An empty variable counts as unset: CI hosts set '' for an absent secret. */
export const envSource: SecretSource = {
  scheme: 'env',
  check: (reference, env) => problem(reference, env),
  resolve: async (reference, { env }) => {
    const found = problem(reference, env);
    if (found) throw found;
    return env[variableOf(reference)] ?? '';
  },
};

const variableOf = (reference: string): string => reference.slice('env://'.length);

function problem(reference: string, env: NodeJS.ProcessEnv): Failure | null {
  const name = variableOf(reference);
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return new Failure('SECRET_UNRESOLVED', {
      detail: `The reference ${reference} does not name an environment variable.`,
      fix: 'Write `env://NAME`, with letters, digits and underscores.',
    });
  }
  const value = env[name];
  if (value !== undefined && value !== '') return null;
  return new Failure('SECRET_UNRESOLVED', {
    detail: `The environment variable ${name} of the reference ${reference} is ${value === undefined ? 'not set' : 'empty'}.`,
    fix: howToSet([name], env),
  });
}
