import { getAt, splitPointer } from '../../core/pointer.ts';
import type { Expectation } from '../../ops/setup.ts';

/** What the answer to a check says that the credential lacks, a sentence each. */
export const lacking = (answer: unknown, expects: readonly Expectation[]): readonly string[] =>
  expects.filter((one) => !isMet(answer, one)).map(({ lacks }) => lacks);

function isMet(answer: unknown, { at, any_of: wanted, where }: Expectation): boolean {
  if (where !== undefined && (getAt(answer, where) ?? null) === null) return true;
  const found = valuesAt(answer, splitPointer(at)).filter((value) => value !== undefined && value !== null);
  return wanted === undefined ? found.length > 0 : found.some((value) => wanted.some((one) => one === value));
}

/** All values under a pointer whose `*` stands for every entry. */
function valuesAt(value: unknown, [head, ...rest]: readonly string[]): readonly unknown[] {
  if (head === undefined) return [value];
  if (head === '*') return Array.isArray(value) ? value.flatMap((entry: unknown) => valuesAt(entry, rest)) : [];
  return valuesAt(getAt(value, `/${head.replaceAll('~', '~0').replaceAll('/', '~1')}`), rest);
}
