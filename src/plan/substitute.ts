import type { Place } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { placedValue, type TextUse } from './placed-value.ts';
import { type Problems, quote } from './problems.ts';
import type { Context } from './types.ts';

interface ContextValue {
  readonly of: (context: Context) => string | null;
  /** The flag that gives the value where the run lacks it. */
  readonly flag: string;
}

/** The values of this run that a plan can name in its text. */
export const contextValues: { readonly [name: string]: ContextValue } = {
  'ctx.scope': { of: (c) => c.scope, flag: '--scope' },
  'ctx.environment': { of: (c) => c.environment, flag: '--env' },
  'ctx.git.sha': { of: (c) => c.git.sha, flag: '--sha' },
  'ctx.git.branch': { of: (c) => c.git.branch, flag: '--branch' },
  'ctx.pr.number': { of: (c) => (c.pr.number === null ? null : String(c.pr.number)), flag: '--pr' },
};

// `$${` is an escaped `${`. Anything that begins like a context value is taken as one, so that a slip is not sent as text.
const pattern = /\$\$\{|\$\{\s*((?:ctx|context)[\w. \t-]*)(\}|)/gi;

/** Whether the text holds a value of the run, so that it was written for this plan and not copied from a provider. */
export const mentionsContext = (text: string): boolean => text.replaceAll('$${', '').search(pattern) >= 0;

/** The use of a text, and the name that it stands under. */
export interface Spot {
  readonly use: TextUse;
  readonly name: string | null;
}

const asData: Spot = { use: 'data', name: null };

/** Puts the values of the run into a text: `pr-${ctx.pr.number}`. Other `${…}` are text of the provider and stay as they are. */
export class Substitution {
  readonly #context: Context;
  readonly #problems: Problems;
  readonly #missing = new Map<string, { readonly place: Place; count: number }>();

  constructor(context: Context, problems: Problems) {
    this.#context = context;
    this.#problems = problems;
  }

  /** `isActive` is false in a line that this run leaves out: the names are checked, but their values are not needed. */
  text(source: string, at: { readonly place: Place }, isActive: boolean, spot: Spot = asData): string {
    if (!source.includes('${')) return source;
    return replaceContext(source, this.#context, {
      spot,
      missing: (name) => {
        if (isActive) this.#miss(name, at.place);
      },
      unknown: (name, isClosed) => this.#refuse(name, isClosed, at.place),
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

  #refuse(name: string, isClosed: boolean, place: Place): void {
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

/** The bare replacement, for text that was checked before. */
export function replaceContext(
  source: string,
  context: Context,
  tell: { spot?: Spot; missing?: (name: string) => void; unknown?: (name: string, isClosed: boolean) => void } = {},
): string {
  if (!source.includes('${')) return source;
  return source.replace(pattern, (whole, inner: string | undefined, end: string | undefined, at: number) => {
    if (inner === undefined) return '${';
    const name = inner.trim();
    const value = end === '}' && Object.hasOwn(contextValues, name) ? contextValues[name] : undefined;
    if (!value) {
      tell.unknown?.(name, end === '}');
      return whole;
    }
    const text = value.of(context);
    if (text === null) tell.missing?.(name);
    return text === null ? '' : placedValue(source, at, tell.spot ?? asData)(text);
  });
}
