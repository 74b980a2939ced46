import { Failure } from '../core/errors.ts';
import { readSpan, spanText } from '../core/life-span.ts';
import type { Http } from '../http/types.ts';
import type { Value } from '../remote/value.ts';
import type { ParamSpec } from './op.ts';
import type { ParamProblem } from './problem.ts';

/** The param of an operation whose provider ends the object by itself. */
export const expiresParam = (what: string): ParamSpec => ({
  type: 'string',
  doc: `The provider deletes ${what} by itself after this time, in days or hours. An apply renews it when less than half is left.`,
  example: '14d',
});

/** The mistakes in a span, for an op whose provider takes at most `longest`. */
export function expiresProblems(expires: Value | undefined, longest: string, provider: string): readonly ParamProblem[] {
  if (typeof expires !== 'string') return [];
  const [span, most] = [readSpan(expires), readSpan(longest) ?? 0];
  if (span !== null && span <= most) return [];
  const detail = `\`expires\` is ${expires}. ${provider} takes 1h to ${longest}, in whole days or hours, such as 14d.`;
  return [{ at: ['expires'], detail }];
}

/** Milliseconds of a span; `null` for a value that is none, or not known yet. */
export const spanOf = (expires: unknown): number | null => (typeof expires === 'string' ? readSpan(expires) : null);

/** The moment at which an object goes, by the clock of its provider, in whole seconds. */
export function endsAt(http: Http, span: number): string {
  const now = http.time?.() ?? null;
  if (now !== null) return new Date(Math.floor((now + span) / 1000) * 1000).toISOString();
  throw new Failure('PROVIDER_RESPONSE', {
    detail: `${new URL(http.block.base_url).host} tells no time with its answers, so pilotfish cannot say when the object ends there.`,
    fix: 'Leave `expires` out.',
  });
}

/** Several machines answer for one provider, and their clocks are seconds apart. */
const apartMs = 60_000;

interface Life {
  /** The span of the plan while at least half of it is left, otherwise what is left. */
  readonly value: string;
  /** Time alone made the difference. */
  readonly isWorn: boolean;
}

/** The end of an object as the field `expires` shows it; `null` where it has none. A provider that tells no time shows it as planned. */
export function lifeOf(http: Http, expires: unknown, at: string | null | undefined): Life | null {
  const span = spanOf(expires);
  if (span === null || at === null || at === undefined) return null;
  const now = http.time?.() ?? null;
  const left = now === null ? span : Date.parse(at) - now;
  if (left >= span / 2 && left <= span + apartMs) return { value: String(expires), isWorn: false };
  return { value: `${spanText(left)} left`, isWorn: left < span / 2 };
}
