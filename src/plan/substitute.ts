import { Failure, type Place } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { type Problems, quote } from './problems.ts';
import { asData, partsOfText, placedParts, type Spot, type TextPart, type WrittenPart } from './text.ts';
import { Composed, type ComposedPart, type Context, type Expr, Mention } from './types.ts';

interface ContextValue {
  readonly of: (context: Context) => string | null;
  /** The flag that gives the value where the run lacks it. */
  readonly flag: string;
  readonly doc: string;
}

/** The values of this run that a plan can name in its text. */
export const contextValues: { readonly [name: string]: ContextValue } = {
  'ctx.scope': {
    of: (c) => c.scope,
    flag: '--scope',
    doc: 'The scope of the run: `pr-12` for the pull request 12, `production` in production.',
  },
  'ctx.environment': { of: (c) => c.environment, flag: '--env', doc: 'The environment of the run, `preview` unless the run says another.' },
  'ctx.git.sha': {
    of: (c) => c.git.sha,
    flag: '--sha',
    doc: 'The commit: that of the pull request or deployment in CI, otherwise that of the checkout.',
  },
  'ctx.git.branch': {
    of: (c) => c.git.branch,
    flag: '--branch',
    doc: 'The git branch: that of the pull request in CI, otherwise that of the checkout.',
  },
  'ctx.pr.number': { of: (c) => (c.pr.number === null ? null : String(c.pr.number)), flag: '--pr', doc: 'The number of the pull request.' },
};

/**
 * Reads the texts of a plan: `pr-${ctx.pr.number}`, `https://${preview.hostname}/hooks`. It puts the values of the run in, and leaves every
 * other `${…}` to the params of the operation.
 */
export class Substitution {
  readonly #context: Context;
  readonly #problems: Problems;
  readonly #missing = new Map<string, { readonly place: Place; count: number }>();

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

  /** Reports each value that the run lacks once, at its first use. */
  finish(): void {
    for (const [name, { place, count }] of this.#missing) {
      const flag = contextValues[name]?.flag ?? '--scope';
      const elsewhere = count > 1 ? ` It is used in ${count} places.` : '';
      this.#problems.add('CTX_NULL', {
        detail: `The plan uses \${${name}}, but this run has no such value.${elsewhere}`,
        fix: `Pass ${flag} <value>.`,
        place,
      });
    }
    this.#missing.clear();
  }

  #miss(name: string, place: Place): void {
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
