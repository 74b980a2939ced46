import { findSecretLiterals } from './secret-literal.ts';
import { asData } from './text.ts';
import { isMapTree, type MapEntry, type Tree } from './tree.ts';
import { KeepRef, type PlanExport } from './types.ts';
import { type ReadOptions, readValue } from './values.ts';

/** The names that a shell and every runtime can read. */
export const exportName = /^[A-Za-z_][A-Za-z0-9_]{0,199}$/;

/**
 * Variables that choose the code that a program loads before its first line, and those of pilotfish itself. A plan says values, and these
 * would say which program runs.
 */
const steering =
  /^(?:PATH|PATHEXT|COMSPEC|SHELL|ENV|BASH_ENV|BASHOPTS|SHELLOPTS|IFS|PS4|PROMPT_COMMAND|ZDOTDIR|LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|PYTHONSTARTUP|PYTHONPATH|PYTHONHOME|PERL5OPT|PERL5LIB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|DOTNET_STARTUP_HOOKS|GIT_SSH|GIT_SSH_COMMAND|GIT_ASKPASS|GIT_EXEC_PATH|PILOTFISH_.*)$/i;

/** Reads the top-level `exports`. Reports names that no program should get, and values that are no value for a variable. */
export function readExports(tree: Tree | undefined, options: Omit<ReadOptions, 'isActive' | 'spot'>): readonly PlanExport[] | null {
  if (!isMapTree(tree)) return null;
  return tree.entries.map((entry) => readExport(entry, options));
}

function readExport(entry: MapEntry, options: Omit<ReadOptions, 'isActive' | 'spot'>): PlanExport {
  const { key: name, value: tree } = entry;
  const { problems } = options;
  const refuse = (detail: string, fix: string): void => problems.add('PLAN_INVALID', { detail, fix, place: entry.place });
  if (!exportName.test(name)) {
    refuse(
      `${JSON.stringify(name)} is no name of an environment variable.`,
      'Use letters, digits and `_`, and begin with a letter or `_`: `DATABASE_URL`.',
    );
  } else if (steering.test(name)) {
    refuse(
      `${name} decides which code a command loads, so a plan does not set it.`,
      'Remove it. Set it in the shell or the job that runs `pilotfish run`.',
    );
  }
  findSecretLiterals(tree, { name, at: `exports.${name}` }, problems);
  const hint = options.todoOf(tree);
  if (hint !== null)
    problems.add('PLAN_TODO', {
      detail: `exports.${name} is still marked \`# TODO\`${hint === '' ? '.' : `: ${hint}`}`,
      place: tree.place,
    });
  const before = problems.size;
  const value = readValue(tree, { ...options, isActive: true, spot: asData });
  if (value instanceof KeepRef && problems.size === before && hint === null) {
    refuse(
      `exports.${name} is { keep: true }, and a variable has no live value to keep.`,
      'Write { from: <line>.<output> }, or remove the name.',
    );
  }
  return { name, value, place: tree.place };
}
