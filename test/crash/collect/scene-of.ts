import { credentialOf, lineId, planOf } from '../../support/suite/bench.ts';
import { putMembers } from '../../support/suite/case.ts';
import type { Edit } from '../../support/suite/subject.ts';
import type { Scene, Site } from '../scene.ts';
import type { Described } from './described.ts';

/** A line of the shared suite as a row of the table. */
export const sceneOf = (line: Described): Scene => ({
  family: line.op,
  kind: line.kind === 'action' ? 'message' : line.kind === 'wait' ? 'wait' : keeps(line) ? 'kept' : 'object',
  open: (clock) => {
    const { simulation, subject } = line.open(clock);
    const { params, edits = {}, changes = {}, fixed = {} } = subject;
    const plan = (change: Readonly<Record<string, unknown>>): string => planOf(line, { ...params, ...change }, subject);
    const [replacing] = Object.values(fixed);
    const isMessage = line.kind === 'action';
    const updating = isMessage ? replacing : merged(Object.values(changes));
    const drifts = Object.values(edits);
    const site: Site = {
      simulations: [simulation],
      env: { ...subject.env, ...credentialOf(subject, simulation, 'full') },
      plans: {
        first: plan({}),
        ...(updating && { updated: plan(updating) }),
        ...(replacing && !isMessage && { replaced: plan(replacing) }),
      },
      mine: () => subject.mine(),
      ...(subject.counters && { counters: subject.counters }),
      others: () => subject.others(),
      ...(subject.run && { run: subject.run }),
      ...(line.kind !== 'wait' && line.skip.recreate === undefined && { recreate: [lineId] }),
      ...(subject.remove && line.kind !== 'wait' && { remove: () => subject.remove?.() }),
      ...(drifts.length > 0 && {
        drift: () => {
          for (const thing of subject.mine()) for (const edit of drifts) putMembers(thing, edit);
        },
      }),
    };
    return site;
  },
});

/** Destroy leaves what it made. */
function keeps(line: Described): boolean {
  const { subject } = line.open(sample);
  return subject.stays === true;
}

const sample = { now: () => 0, mono: () => 0, sleep: async () => undefined };

const merged = (changes: readonly Edit[]): Edit | undefined => (changes.length === 0 ? undefined : Object.assign({}, ...changes));
