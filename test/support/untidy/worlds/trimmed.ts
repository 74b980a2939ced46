import { heardAs } from 'pilotfish-sandbox/untidy/spelling';
import type { Wire } from 'pilotfish-sandbox/untidy/wire';
import { isMap } from '../../../../src/core/json.ts';
import type { Subject } from '../../suite/subject.ts';
import { type Field, fieldsOf } from '../ours.ts';
import type { World } from '../world.ts';

/** The plan has spaces around a text, or lines that end otherwise, and the provider keeps the text alone. */
const around = (name: string, spaced: (text: string) => string): World => ({
  kind: 'trimmed',
  name,
  meet: (subject) => {
    const found = paramsOf(subject);
    if (found === null) return 'none of its params is a text that a field takes as it is';
    const [param, text] = found;
    return { wire: trimming(spaced(text), text), params: { [param]: spaced(text) }, never: 'no request has the text as the plan has it' };
  },
});

export const trimmed: readonly World[] = [
  around('spaces around a text', (text) => ` ${text}  `),
  around('a line end after a text', (text) => `${text}\r\n`),
];

/** A param whose text is one of a field. */
function paramsOf(subject: Subject): readonly [string, string] | null {
  const isFree = ({ value }: Field): boolean =>
    typeof value === 'string' && /[a-z]/.test(value) && !/^https?:|^[\w-]+(\.[\w-]+)+$/.test(value);
  const texts = fieldsOf(subject)
    .filter(isFree)
    .map(({ value }) => value);
  const params: Readonly<Record<string, unknown>> = isMap(subject.params) ? subject.params : {};
  for (const [name, value] of Object.entries(params)) if (typeof value === 'string' && texts.includes(value)) return [name, value];
  return null;
}

const trimming = (spaced: string, text: string): Wire => ({
  hear: (request) => heardAs(request, (value) => (value === spaced ? text : value)),
});
