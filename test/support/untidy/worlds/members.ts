import { type Change, changed, gone } from 'pilotfish-sandbox/untidy/body';
import { heardAs, toldAs } from 'pilotfish-sandbox/untidy/spelling';
import type { Wire } from 'pilotfish-sandbox/untidy/wire';
import { isMap } from '../../../../src/core/json.ts';
import type { Subject } from '../../suite/subject.ts';
import { type Field, fieldsOf, inOurs, namesOf, plannedOf, valuesIn } from '../ours.ts';
import type { Meeting, World } from '../world.ts';

const added = 'pilotfish_never_sent';
const place = 'pilotfish_stands_here';
const noField = 'it has no field that somebody could change and whose value is a plain one, no secret, and stands nowhere else';

/** Members that come, and members that go. */
export const members: readonly World[] = [
  {
    kind: 'default-filled',
    name: 'members of every object of ours',
    meet: (subject) => ({ wire: filled(subject), never: 'no answer shows an object of ours' }),
  },
  {
    kind: 'default-dropped',
    name: 'no and nothing',
    meet: (subject) => {
      const isNothing = (value: unknown): boolean => value === false || value === '' || (Array.isArray(value) && value.length === 0);
      if (!plannedOf(subject).some(isNothing)) return 'none of its values is false or empty, and no other one is known to be a default';
      const names = namesOf(subject);
      return {
        wire: shownOfOurs((value, name) => (names.has(name) && isNothing(value) ? gone : value)),
        never: 'no answer shows such a member',
      };
    },
  },
  {
    kind: 'default-dropped',
    name: 'what its provider is known to leave out',
    meet: (subject) => {
      const places = Object.values(subject.same ?? {})
        .flatMap(Object.entries)
        .filter(([, value]) => value === undefined);
      if (places.length === 0) return 'its description tells of no default that is left out';
      const names = new Set(places.map(([name]) => name));
      const stands: Readonly<Record<string, unknown>> = isMap(subject.stands) ? subject.stands : {};
      const isDefault: Change = (value, name) =>
        names.has(name) && (!Object.hasOwn(stands, name) || JSON.stringify(stands[name]) === JSON.stringify(value)) ? gone : value;
      return { wire: shown(isDefault), never: 'no answer shows such a member' };
    },
  },
  {
    kind: 'empty-respelled',
    name: 'null left out',
    meet: () => ({
      wire: shown((value, name) => (value === null && name !== '' ? gone : value)),
      alike: (others) => without(others, (value) => value === null),
      never: 'no answer shows null',
    }),
  },
  ...each('silently-dropped', 'left out', (field) => ({ ...lost(field, gone), told: field.field })),
  ...each('shown-otherwise', 'null', (field) => ({ ...lost(field, null), told: field.field })),
  ...each('shown-otherwise', 'in another member', (field) => ({
    wire: moved(field),
    never: unshown(field),
    told: field.field,
    edit: false,
  })),
  ...each('sibling-decides', 'overruled', (field, subject) => overruled(field, subject)),
];

/** A text, a number, a yes or a list of such. Of a map an answer shows more than was planned. */
const isPlain = ({ value }: Field): boolean =>
  value !== false && value !== '' && JSON.stringify(value) !== '[]' && !valuesIn(value).some((one) => isMap(one));

/** What its provider is known to leave out where it is the default. */
const isDefault = ({ name }: Field, { same = {} }: Subject): boolean =>
  Object.values(same).some((edit) => Object.hasOwn(edit, name) && edit[name] === undefined);

/** One world for each of the first three fields. */
function each(kind: World['kind'], name: string, meet: (field: Field, subject: Subject) => Meeting | string): readonly World[] {
  return [0, 1, 2].map((n) => ({
    kind,
    name: `field ${n + 1} ${name}`,
    meet: (subject) => {
      const fields = fieldsOf(subject).filter(isPlain);
      const field = fields.filter((one) => kind === 'sibling-decides' || !isDefault(one, subject))[n];
      if (field !== undefined) return meet(field, subject);
      return n === 0 ? noField : `it has ${n === 1 ? 'one such field' : 'two such fields'} only`;
    },
  }));
}

const unshown = ({ name }: Field): string => `no answer shows ${name} with its planned value`;
const without = (others: unknown, is: (value: unknown) => boolean): unknown =>
  changed(others, (value, name) => (name !== '' && is(value) ? gone : value));
const shown = (change: Change): Wire => ({ tell: (answer) => toldAs(answer, change) });

const shownOfOurs = (change: Change): Wire => ({
  tell: (answer) =>
    toldAs(answer, inOurs(answer.body.type.includes('json') ? JSON.parse(answer.body.text || 'null') : answer.body.text, change)),
});

/** A text is known wherever it stands, anything else under its own name. */
const isIn =
  ({ name, value }: Field) =>
  (live: unknown, at: string): boolean =>
    JSON.stringify(live) === JSON.stringify(value) && (at === name || (typeof value === 'string' && value.length > 5));

const lost = (field: Field, instead: unknown): Meeting => {
  const is = isIn(field);
  return { wire: shownOfOurs((value, name) => (is(value, name) ? instead : value)), never: unshown(field), edit: false };
};

function moved(field: Field): Wire {
  const is = isIn(field);
  const change: Change = (value) => {
    if (!isMap(value)) return value;
    const entries = Object.entries(value);
    const kept = entries.filter(([name, one]) => !is(one, name));
    return kept.length === entries.length ? value : { ...Object.fromEntries(kept), [place]: field.value };
  };
  return { hear: (request) => heardAs(request, (value, name) => (name === place ? gone : value)), ...shownOfOurs(change) };
}

/** As long as the first field stands as planned, this one shows another value. */
function overruled(field: Field, subject: Subject): Meeting | string {
  const other = fieldsOf(subject).find((one) => one.field !== field.field);
  if (other === undefined) return 'it has one field only';
  const decided = decidedFor(field.value);
  if (decided === undefined) return `no other value of ${field.name} would mean something`;
  const [isOther, is] = [isIn(other), isIn(field)];
  const decide: Change = (value, name) => (is(value, name) ? decided : value);
  const change: Change = (value) => {
    if (!isMap(value)) return value;
    const entries = Object.entries(value);
    if (!entries.some(([name, one]) => isOther(one, name))) return value;
    return Object.fromEntries(entries.map(([name, one]) => [name, decide(one, name)]));
  };
  return {
    wire: shown(change),
    never: `no answer shows ${field.name} beside ${other.name}`,
    mayTell: [field.field],
    unseen: [field.field],
  };
}

function decidedFor(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return `${value}-decided`;
  return Array.isArray(value) && value.length > 1 ? value.slice(1) : undefined;
}

/** Each object in which a value of ours stands shows one more member, which nobody has to send back. */
function filled(subject: Subject): Wire {
  const planned = new Set(plannedOf(subject).filter((value) => typeof value === 'string' && value.length > 5));
  const fill: Change = (value) => fillIn(value, planned);
  return {
    hear: (request) => heardAs(request, (value, name) => (name === added ? gone : value)),
    tell: (answer) => toldAs(answer, fill),
  };
}

function fillIn(value: unknown, planned: ReadonlySet<unknown>): unknown {
  if (!isMap(value)) return value;
  const members = Object.entries(value);
  if (!members.some(([, one]) => planned.has(one))) return value;
  const inner = members.map(([name, one]): [string, unknown] => [name, fillIn(one, planned)]);
  // A map of texts, such as variables, takes texts.
  return { ...Object.fromEntries(inner), [added]: members.every(([, one]) => typeof one === 'string') ? 'by the provider' : true };
}
