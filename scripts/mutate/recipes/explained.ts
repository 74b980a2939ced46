import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { Mutant } from './mutants.ts';

export type Place = Pick<Mutant, 'family' | 'op' | 'path' | 'mutation'>;

/** The reason why a mutant may live: nobody can see its change, or no test here can show it. */
export interface Explanation {
  /** A family, `<family>.<op>`, or `*` for all. */
  readonly of: string;
  /** A regular expression over the member's path, from end to end. */
  readonly path: string;
  /** A regular expression over the mutation. Without it any mutation matches. */
  readonly mutation?: string;
  readonly reason: string;
}

const file = new URL('explained.yaml', import.meta.url);

export async function explanations(): Promise<readonly Explanation[]> {
  return (parse(await readFile(file, 'utf8')) ?? []) as readonly Explanation[];
}

export function explains({ of, path, mutation }: Explanation, mutant: Place): boolean {
  const isOf = of === '*' || of === mutant.family || of === `${mutant.family}.${mutant.op}`;
  return isOf && whole(path).test(mutant.path) && (mutation === undefined || whole(mutation).test(mutant.mutation));
}

const whole = (text: string): RegExp => new RegExp(`^(?:${text})$`);

/** The row in docs/mutation.md. */
export const rowOf = ({ of, path, mutation, reason }: Explanation): string =>
  `| ${of === '*' ? 'every family' : `\`${of}\``} | \`${escaped(path)}\`${mutation === undefined ? '' : `: ${escaped(mutation)}`} | ${reason} |`;

const escaped = (text: string): string => text.replaceAll('|', '\\|');
