import { door, type Input } from '../core/door.ts';
import { Failure, type Place } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { noScope } from './no-scope.ts';
import { type Problems, quote } from './problems.ts';
import { asData, partsOfText, placedParts, type Spot, type TextPart, type WrittenPart } from './text.ts';
import { Composed, type ComposedPart, type Context, type Expr, Mention } from './types.ts';

interface ContextValue {
  readonly of: (context: Context) => string | null;
  /** The input that gives the value where the run lacks it. */
  readonly input: Input;
  readonly doc: string;
}

/** The values of this run that a plan can name in its text. */
export const contextValues: { readonly [name: string]: ContextValue } = {
  'ctx.scope': {
    of: (c) => c.scope,
    input: 'scope',
    doc: 'The scope of the run: `pr-12` for the pull request 12, `production` in production.',
  },
  'ctx.environment': { of: (c) => c.environment, input: 'env', doc: 'The environment of the run, `preview` unless the run says another.' },
  'ctx.git.sha': {
    of: (c) => c.git.sha,
    input: 'sha',
    doc: 'The commit: that of the pull request or deployment in CI, otherwise that of the checkout.',
  },
  'ctx.git.branch': {
    of: (c) => c.git.branch,
    input: 'branch',
    doc: 'The git branch: that of the pull request in CI, otherwise that of the checkout.',
  },
  'ctx.pr.number': { of: (c) => (c.pr.number === null ? null : String(c.pr.number)), input: 'pr', doc: 'The number of the pull request.' },
};

/**
 * Reads the texts of a plan: `pr-${ctx.pr.number}`, `https://${preview.hostname}/hooks`. It puts the values of the run in, and leaves every
 * other `${…}` to the params of the operation.
 */
export class Substitution {
  readonly #context: Context;
  readonly #problems: Problems;
  readonly #missing = new Map<string, { readonly place: Place; count: number }>();
  /** The places of texts whose values the run lacks. */
  readonly lacking: Place[] = [];

  constructor(context: Context, problems: Problems) {
    this.#context = context;
    this.#problems = problems;
  }

  /** `isActive` is false in a line that this run leaves out: the names are checked, but their values are not needed. */
  expr(source: string, at: Placed, isActive: boolean, spot: Spot): Expr {
    return source.includes('${') ? composed(this.parts(source, at, isActive), spot, at.place) : source;
  }

  /** The text where no value of a line can stand. */
  text(source: string, at: Placed, isActive: boolean, spot: Spot = asData): string {
    const value = this.expr(source, at, isActive, spot);
    if (typeof value === 'string') return value;
    for (const part of value instanceof Composed ? value.parts : []) if (part instanceof Mention) this.#problems.take(misplaced(part));
    return source;
  }

  /** The parts of a text, values of the run put in and not yet encoded for their places. */
  parts(source: string, { place }: Placed, isActive: boolean): readonly ComposedPart[] {
    return partsOfText(source).map((part) => {
      if (part.kind === 'text') return { text: part.text, isValue: false };
      if (part.kind === 'mention') return new Mention(part, place);
      const value = contextValueOf(part);
      if (value === undefined) this.#refuse(part, place);
      const text = value?.of(this.#context) ?? null;
      if (value !== undefined && text === null && isActive) this.#miss(part.name, place);
      return { text: text ?? '', isValue: true };
    });
  }

  /**
   * Reports all values that the run lacks as one error, because one call gives them all. `needsScope`: the run must have a scope even if no
   * text of the plan names it.
   */
  finish({ needsScope = false }: { readonly needsScope?: boolean } = {}): void {
    const all = [...this.#missing];
    this.#missing.clear();
    const isScopeless = needsScope && this.#context.scope === null;
    const others = isScopeless ? all.filter(([name]) => name !== 'ctx.scope') : all;
    const [first] = others;
    if (!isScopeless && !first) return;
    const used = others.map(([name, { count }]) => `\${${name}}${count > 1 ? ` in ${count} places` : ''}`);
    const lacks = `The plan ${isScopeless ? 'also ' : ''}uses ${listed(used)}, but this run has no such value${used.length > 1 ? 's' : ''}.`;
    const inputs = others.map(([name]) => contextValues[name]?.input ?? 'scope');
    this.#problems.add('CTX_NULL', {
      detail: [...(isScopeless ? [noScope.run] : []), ...(first ? [lacks] : [])].join(' '),
      fix: `Pass ${listed([...(isScopeless ? scopeInputs(inputs) : []), ...inputs.map((input) => door.passed(input))])}.`,
      ...(!isScopeless && first && { place: first[1].place }),
    });
  }

  #miss(name: string, place: Place): void {
    this.lacking.push(place);
    const entry = this.#missing.get(name);
    if (entry) entry.count += 1;
    else this.#missing.set(name, { place, count: 1 });
  }

  #refuse({ name, isClosed }: ContextPart, place: Place): void {
    const known = Object.keys(contextValues);
    const detail = isClosed
      ? `\${${quote(name).slice(1, -1)}} is not a value that a run has.${didYouMean(name, known)}`
      : 'A `${ctx.…` in this text is not closed with `}`.';
    const fix = isClosed
      ? `Use one of ${known.map((k) => `\${${k}}`).join(', ')}, or $\${ for a \${ that is only text.`
      : 'Close it with `}`, or write `$${` for a `${` that is only text.';
    this.#problems.add('PLAN_INVALID', { detail, fix, place });
  }
}

/** The number of the pull request gives the scope too. */
function scopeInputs(others: readonly Input[]): readonly string[] {
  if (others.includes('pr')) return [];
  return [others.length === 0 ? `${door.passed('scope')} or ${door.passed('pr')}` : door.passed('scope')];
}

const listed = (words: readonly string[]): string => new Intl.ListFormat('en-GB').format(words);

type Placed = { readonly place: Place };
type ContextPart = Extract<TextPart, { kind: 'context' }>;

const contextValueOf = ({ name, isClosed }: ContextPart): ContextValue | undefined =>
  isClosed && Object.hasOwn(contextValues, name) ? contextValues[name] : undefined;

/** The parts as one expression: plain text where none of them waits for a value. */
export function composed(parts: readonly ComposedPart[], spot: Spot, place: Place): Expr {
  return parts.every((part) => isWritten(part)) ? placedParts(parts, spot).join('') : new Composed(parts, spot, place);
}

const isWritten = (part: ComposedPart): part is WrittenPart => 'isValue' in part;

function misplaced({ source, name, place }: Mention): Failure {
  return new Failure('REF_UNKNOWN', {
    detail: `${quote(source)} cannot stand here: this text is read before any line runs, so it takes values of the run alone.${didYouMean(name, Object.keys(contextValues))}`,
    fix: 'Write the value itself, a value of the run such as ${ctx.scope}, or $${ for a ${ that is only text.',
    place,
  });
}

/** The bare replacement, for the key of a map that was checked before. */
export function replaceContext(source: string, context: Context): string {
  return partsOfText(source)
    .map((part) => {
      if (part.kind !== 'context') return part.kind === 'text' ? part.text : part.source;
      const value = contextValueOf(part);
      return value ? (value.of(context) ?? '') : part.source;
    })
    .join('');
}
