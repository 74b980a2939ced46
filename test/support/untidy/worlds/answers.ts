import { gone } from 'pilotfish-sandbox/untidy/body';
import { type Show, spelled, toldAs } from 'pilotfish-sandbox/untidy/spelling';
import type { Told, Wire } from 'pilotfish-sandbox/untidy/wire';
import { fieldsOf } from '../ours.ts';
import { formsOf } from '../spelling.ts';
import type { World } from '../world.ts';
import { byValue, isField, text } from './by-value.ts';
import { capitals } from './texts.ts';

/** Writes are answered with what was sent, and reads with what is kept. */
const echo = (name: string, none: string, show: Show, again: number): World => ({
  kind: 'answer-differs',
  name,
  meet: (subject) => {
    const forms = formsOf(subject, show);
    if (forms === null) return none;
    return { wire: spelled(forms, ({ isWrite }) => !isWrite), never: 'no read shows such a value', again };
  },
});

const status = (name: string, to: (status: number) => number): World => ({
  kind: 'answer-differs',
  name,
  meet: () => ({
    wire: {
      tell: (answer, { isWrite }): Told => (isWrite && answer.body.text !== '' ? { ...answer, status: to(answer.status) } : answer),
    },
    never: 'no write is answered with such a status and a body',
  }),
});

/** What the answer to a write says. */
export const answers: readonly World[] = [
  echo('sent to writes, in capitals to reads', 'none of its texts has lower-case letters and more than one piece', capitals, 2),
  echo(
    'sent to writes, with a final slash to reads',
    'none of its values is a URL',
    text((value) => (/^https:\/\/[^?#]+[^/?#]$/.test(value) ? `${value}/` : undefined)),
    0,
  ),
  {
    kind: 'answer-differs',
    name: 'nothing of what was written',
    meet: (subject) => {
      const fields = fieldsOf(subject);
      if (fields.length === 0) return 'it has no field that is told by its value';
      const wire: Wire = {
        tell: (answer, { isWrite }) =>
          isWrite && answer.status < 300
            ? toldAs(answer, (value, name) =>
                fields.some((field) => field.name === name && JSON.stringify(field.value) === JSON.stringify(value)) ? gone : value,
              )
            : answer,
      };
      return { wire, never: 'no write is answered with a value of it' };
    },
  },
  status('200 for 201', (code) => (code === 201 ? 200 : code)),
  status('201 for 200', (code) => (code === 200 ? 201 : code)),
  byValue('shown-otherwise', 'rendered', {
    none: 'none of its fields is a text',
    isOf: isField,
    isStrange: true,
    show: text((value) => (value === '' ? undefined : `<p>${value}</p>`)),
  }),
  byValue('shown-otherwise', 'cut short', {
    none: 'none of its fields is a long text',
    isOf: isField,
    isStrange: true,
    show: text((value) => (value.length > 8 ? `${value.slice(0, 6)}…` : undefined)),
  }),
];
