/** The place of a state in the picture of its machine: columns from the left, rows from the top. */
export interface Place {
  readonly column: number;
  readonly row: number;
}

/**
 * The places of the states. They are chosen by hand: the usual way leads straight down, and exits stand at the side. A test compares them
 * with the machines: every state has a place of its own, and no place is left over.
 */
export const chartPlaces: { readonly [machine: string]: { readonly [state: string]: Place } } = {
  line: grid([
    ['skipped', 'waiting', ''],
    ['', 'observing', 'refused'],
    ['planned', 'judged', 'removing'],
    ['removingFirst', 'updating', 'recordingRemoval'],
    ['recordingIntent', 'claimed', 'sending'],
    ['creating', 'relocating', ''],
    ['', 'verifying', ''],
    ['paused', 'awaiting', 'recordingUnready'],
    ['recordingInterrupted', 'recording', 'failed'],
    ['interrupted', 'settled', ''],
  ]),
  parent: grid([
    ['', 'idle', ''],
    ['answering', 'gathering', ''],
    ['', 'locking', ''],
    ['', 'reading', 'writing'],
    ['unlocking', '', 'verifying'],
  ]),
  readiness: grid([
    ['kicking', 'looking', 'pausing'],
    ['failed', 'ready', 'broken'],
  ]),
  coordinator: grid([
    ['running', 'draining'],
    ['finished', 'interrupted'],
  ]),
};

/** A picture in rows of names; an empty name leaves its place free. */
function grid(rows: readonly (readonly string[])[]): { readonly [state: string]: Place } {
  return Object.fromEntries(
    rows.flatMap((names, row) => names.flatMap((name, column): [string, Place][] => (name === '' ? [] : [[name, { column, row }]]))),
  );
}
