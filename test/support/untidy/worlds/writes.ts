import type { Bench } from '../../suite/bench.ts';
import { putMembers } from '../../suite/case.ts';
import { type Change, changedBody, gone } from '../body.ts';
import { fieldsOf, valuesIn } from '../ours.ts';
import type { Heard, Told, Wire } from '../wire.ts';
import type { World } from '../world.ts';

/** What a write does with what it gets, and with what it does not get. */
export const writes: readonly World[] = [
  {
    kind: 'unsent-reset',
    name: 'what an update does not carry',
    meet: (subject, kind) => {
      if (kind !== undefined) return 'it is no object that could be changed';
      const fields = fieldsOf(subject);
      if (fields.length < 2) return 'it has no two fields that are told by their values: there is none that an update could leave out';
      return { wire: null, arm: (bench) => resets(bench), never: 'an update carries every field' };
    },
  },
  {
    kind: 'empty-special',
    name: 'null is refused',
    meet: () => ({ wire: { hear: (request) => refusedNull(request) }, never: 'it sends no null' }),
  },
  {
    kind: 'empty-special',
    name: 'empty values change nothing',
    meet: () => ({ wire: ignoringEmpty, never: 'it sends no empty value' }),
  },
];

/** A field that an update does not carry goes to another value. */
function resets(bench: Bench): () => number {
  const { subject, simulation } = bench;
  let updates = 0;
  const seen = simulation.log;
  simulation.watch(({ phase, write, method }) => {
    if (phase !== 'after' || !write || method === 'DELETE' || bench.step() !== 'mending') return;
    const sent = JSON.stringify(seen.at(-1)?.body) ?? '';
    const [thing] = subject.mine();
    for (const { field, value } of fieldsOf(subject)) {
      if (leavesOf(value).every((one) => sent.includes(String(one)))) continue;
      updates += 1;
      putMembers(thing, subject.edits?.[field] ?? {});
    }
  });
  return () => updates;
}

const leavesOf = (value: unknown): readonly unknown[] => valuesIn(value).filter((one) => typeof one !== 'object');

function refusedNull(request: Heard): Heard | Told {
  let hasNull = false;
  changedBody(request.body, (value, name) => {
    if (value === null && name !== '') hasNull = true;
    return value;
  });
  if (!hasNull) return request;
  return { status: 422, body: { type: 'application/json', text: JSON.stringify({ message: 'null is not allowed' }) } };
}

const isEmpty: Change = (value, name) => (name !== '' && (value === '' || value === null) ? gone : value);
const ignoringEmpty: Wire = {
  hear: (request) => {
    const body = changedBody(request.body, isEmpty);
    return body === request.body ? request : { ...request, body };
  },
};
