import { showPlace } from '../../core/errors.ts';
import { isProduction } from '../../plan/context.ts';
import { refsOf } from '../../plan/graph.ts';
import { FromRef } from '../../plan/types.ts';
import { isAdoption } from '../line/binding.ts';
import type { Prepared, PreparedLine } from '../types.ts';
import { type OutputStandIn, tryBinding } from './bind.ts';
import { namingParams, otherText } from './naming-params.ts';

interface Plans {
  /** In the order of their needs. */
  readonly lines: readonly PreparedLine[];
  readonly context: Prepared['context'];
  /** These lines as a run in another context prepares them. */
  twins(lines: readonly PreparedLine[], context: Prepared['context']): Promise<readonly PreparedLine[]>;
  /** Whether the file of the plan holds this text as it stands. */
  isWritten(text: string): boolean;
}

/**
 * Warns of each line whose object would be the same in another scope. The first scope makes such an object, and every other scope is
 * refused it. So each line is bound twice, here and as another pull request would bind it: equal identities are one object. Production has
 * one scope, so it needs no such warning. A key with a scope or branch that the file does not hold has it from the run: such a line, which
 * nearly every line is, needs no second binding.
 */
export async function sharedObjects({ lines, context, twins, isWritten }: Plans): Promise<readonly string[]> {
  if (isProduction(context.environment)) return [];
  const given = [context.scope, context.git.branch].filter((name) => name !== null && isTelling.test(name) && !isWritten(name));
  const unclear = lines.filter(({ whole }) => !given.some((name) => name !== null && whole?.bound.key.includes(name) === true));
  if (unclear.length === 0) return [];
  const elsewhere = anotherScope(context);
  const twinOf = new Map((await twins(unclear, elsewhere)).map((twin) => [twin.line.id, twin]));
  /** Lines with other outputs in another scope, as far as that is known. */
  const differing = new Set<string>();
  const shared: Shared[] = [];
  for (const line of lines) {
    const { id } = line.line;
    const twin = twinOf.get(id);
    const pair = twin && pairOf({ line, context }, { line: twin, context: elsewhere }, differing);
    if (pair?.isShared) shared.push({ line, context, outputOf: pair.outputOf });
    // One cause, one warning: once the object has a name of its own, what is made in it is another object too.
    if (!pair || pair.differs || pair.isShared) differing.add(id);
  }
  const more = shared.slice(mostWarnings).map(({ line }) => line.line.id);
  return [
    ...shared.slice(0, mostWarnings).map(warningOf),
    ...(more.length === 0
      ? []
      : [`The same holds for ${more.length === 1 ? more[0] : `${more.length} more lines, ${more[0]} the first of them`}.`]),
  ];
}

/** A name with a number, such as `pr-12`. A word alone, such as `feature`, may stand in the paths of an operation. */
const isTelling = /^(?=.{4})(?=.*\d).*[-/]/;

/** A reader knows the mistake after a few lines of it. */
const mostWarnings = 5;

interface Shared {
  readonly line: PreparedLine;
  readonly context: Prepared['context'];
  readonly outputOf: OutputStandIn;
}

/** A context of another pull request, in texts of the same form. */
function anotherScope({ environment, scope, git, pr }: Prepared['context']): Prepared['context'] {
  return {
    environment,
    scope: otherText(scope),
    git: {
      sha: git.sha?.replace(/./g, (digit) => (digit === '0' ? '1' : '0')) ?? null,
      branch: git.branch === null ? null : otherText(git.branch),
    },
    pr: { number: pr.number === null ? null : pr.number + 1 },
  };
}

interface Side {
  readonly line: PreparedLine;
  readonly context: Prepared['context'];
}

interface Pair {
  /** Both sides make the very same object. */
  readonly isShared: boolean;
  /** The outputs may be others. */
  readonly differs: boolean;
  readonly outputOf: OutputStandIn;
}

/** An operation may want an address, a name or a number of another line, so each form is tried. */
const forms: readonly ((text: string) => string)[] = [
  (text) => `https://${text}.example.com`,
  (text) => text,
  (text) => [...text].map((char) => char.charCodeAt(0)).join(''),
];

/** `null` where an operation refuses every stand-in, so that nothing is known. */
function pairOf(here: Side, there: Side, differing: ReadonlySet<string>): Pair | null {
  const usesDiffering = [...refsOf(here.line.line).map(({ ref }) => ref), here.line.credential].some(
    (ref) => ref instanceof FromRef && differing.has(ref.line),
  );
  for (const form of forms) {
    const outputIn =
      (text: string): OutputStandIn =>
      ({ line }) =>
        form(differing.has(line) ? `${line}-${text}` : line);
    const outputOf = outputIn('a');
    const one = here.line.whole ?? tryBinding(here.line, here.context, outputOf);
    const other = there.line.whole ?? tryBinding(there.line, there.context, outputIn('b'));
    if (one.bound === null || other.bound === null) continue;
    const isSame = one.identity === other.identity;
    const { credential, op } = here.line;
    const isElsewhere = credential instanceof FromRef && differing.has(credential.line);
    const isMade = (op.kind === 'object' || op.kind === 'item') && !isAdoption(one.bound);
    const differs = !isSame || usesDiffering || JSON.stringify(here.line.params) !== JSON.stringify(there.line.params);
    return { isShared: isSame && isMade && !isElsewhere, differs, outputOf };
  }
  return null;
}

function warningOf({ line, context, outputOf }: Shared): string {
  const { id, place, placeOf } = line.line;
  const params = namingParams(line, (changed) => tryBinding({ ...line, params: changed }, context, outputOf).identity);
  const names = [...new Set(params.map(({ path }) => path.join('.')))];
  const [first] = params;
  const at = showPlace(first ? placeOf(first.path) : place);
  const what = first ? `${names.join(' and ')} ${names.length === 1 ? 'does' : 'do'}` : 'nothing in the line does';
  const where = names.length === 1 ? names[0] : 'one of them';
  const fix = first?.example ? `For example \`${first.path.join('.')}: ${first.example}\`.` : `Put \${ctx.scope} into ${where}.`;
  return `${id}: ${what} not depend on the scope (${at}), so every pull request wants the same object, and all but the first are refused it.${first ? ` ${fix}` : ''}`;
}
