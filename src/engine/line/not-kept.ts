import { Failure } from '../../core/errors.ts';
import type { Live, LiveValue } from '../../remote/live-object.ts';
import { hasSealed, type Value } from '../../remote/value.ts';
import { plainOf } from './compare.ts';
import type { Ready } from './phases.ts';

/** A value as a sentence shows it. */
export function shown(live: LiveValue): string {
  const text = JSON.stringify(plainOf(live));
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

export const isEmpty = (live: LiveValue): boolean => live === undefined || live === null || live === false || live === '';

/** The rule of `compare` that would make the two values one. */
function wordFor(planned: Value | undefined, live: LiveValue): string {
  if (isEmpty(live) && !hasSealed(planned)) {
    const fallback = shown(planned as LiveValue);
    return `{ default: ${fallback} }, where an absent value means that, or { hidden: always }`;
  }
  if (Array.isArray(planned)) return '{ unordered: true } or { hidden: always }';
  return typeof planned === 'string' ? '{ ignore_case: true } or { hidden: always }' : '{ hidden: always }';
}

/** The failure for fields that the provider did not keep: their names, the values that stand there, and how the plan may allow them. */
export function notKept({ bound, prepared }: Pick<Ready, 'bound' | 'prepared'>, live: Live | null, fields: readonly string[]): Failure {
  const stands = fields.map((field) => (hasSealed(bound.fields[field]) ? field : `${field} (${shown(live?.values[field])} stands there)`));
  const [first = 'value'] = fields;
  const word = wordFor(bound.fields[first], live?.values[first]);
  return new Failure('PROVIDER_RESPONSE', {
    detail: `${bound.key}: the provider answered with a success and does not keep ${new Intl.ListFormat('en-GB').format(stands)}. It was sent twice, and is not sent again.`,
    fix:
      prepared.adapter === 'http' && prepared.recipe === null
        ? `Give the value that the provider keeps, or allow the difference under compare.${first}: ${word}.`
        : 'Give the line the value that the provider keeps.',
  });
}
