import { idsOf, isActive, type Ledger, type Run, type State } from './state.ts';

const places = [
  'off', 'waiting', 'looking', 'announcing', 'creating', 'sent', 'relooking', 'leasing', 'removing', 'deleting', 'confessing', 'ending', 'done',
] as const; // biome-ignore format: a table
const outcomes = ['none', 'landed', 'conflict', 'refused'] as const;
const unclears = ['no', 'lost', 'conflict'] as const;
const facts = ['none', 'record', 'withdraw', 'forget'] as const;
const ends = ['none', 'settled', 'refused', 'failed'] as const;
const others = ['idle', 'announced', 'made', 'recorded', 'over'] as const;
const makers = ['us', 'person', 'other'] as const;

/**
 * A state as a short text: equal for states that differ only in the numbers of their objects, or in which of the two runs is
 * called A. Runs of one scope are alike but for their names, so what is true of a state is true of its mirror image.
 */
export function encode(state: State): string {
  const ids = idsOf(state);
  const straight = write(state, ids, false);
  const mirrored = write(state, ids, true);
  return straight < mirrored ? straight : mirrored;
}

/** Everything stands in one character; 'null' and 'none' are zero. */
function write(state: State, ids: readonly number[], isMirrored: boolean): string {
  const out: number[] = [];
  const object = (id: number | null): number => (id === null ? 0 : ids.indexOf(id) + 1);
  const run = (name: number): number => (isMirrored && name < 2 ? 1 - name : name) + 1;
  const ledger = ({ lease, record, intent }: Ledger): void => {
    out.push(lease === null ? 0 : 1 + (lease.held ? 1 : 0) + 2 * lease.quietFor, lease === null ? 0 : run(lease.run));
    out.push(object(record?.object ?? null), record === null ? 0 : run(record.run), intent === null ? 0 : run(intent));
  };
  ledger(state.ledger);
  const [a, b, c] = state.runs;
  for (const one of isMirrored ? [b, a, c] : [a, b, c]) {
    out.push(places.indexOf(one.at) + 16 * (one.purpose === 'destroy' ? 1 : 0), ends.indexOf(one.end));
    if (!isActive(one)) continue;
    writeRun(out, one, object);
    if (!one.isFresh) ledger(one.known);
  }
  out.push(100);
  for (const { id, by, isOld, after } of state.things) {
    const seen = isMirrored ? ((after & 1) << 1) | ((after & 2) >> 1) | (after & 12) : after;
    out.push(object(id), makers.indexOf(by) + (isOld ? 4 : 0) + 8 * seen);
  }
  out.push(
    101,
    ...state.late.map(({ does, age, object: id }) => (does === 'create' ? 0 : 8 + object(id)) + 32 * age).sort((x, y) => x - y),
  );
  out.push(102, state.personActed ? 1 : 0, others.indexOf(state.other.at), object(state.other.object), state.broken === null ? 0 : 1);
  return String.fromCharCode(...out);
}

function writeRun(out: number[], run: Run, object: (id: number | null) => number): void {
  out.push(
    (run.held === null ? 0 : run.held + 1) + 16 * run.seen,
    run.quiet + 16 * run.unanswered,
    run.age + 16 * outcomes.indexOf(run.outcome),
    run.sends + 8 * unclears.indexOf(run.unclear) + (run.mayStand ? 64 : 0),
    facts.indexOf(run.fact) + (run.isStopping ? 8 : 0) + (run.isFresh ? 16 : 0) + (run.isUnheard ? 32 : 0) + (run.wasAnnounced ? 64 : 0),
    object(run.object),
  );
}
