/** The script of a step, which runs after an apply. */
export interface Script {
  /** It runs with the values of the preview in its environment; `null` where there is none. */
  readonly run: string | null;
  /** `first`: only after an apply that made an object which the values come from. */
  readonly runOn: 'first' | 'each';
}

interface Reading {
  readonly text: (name: string) => string | null;
  readonly refuse: (detail: string, fix: string) => void;
}

/** Reads `run` and `run-on`. Refuses a script for a step that applies nothing. */
export function readScript(
  { text, refuse }: Reading,
  { closed, command }: { readonly closed: boolean; readonly command: string | null },
): Script {
  const [run, on] = [text('run'), text('run-on')];
  if (on !== null && on !== 'first' && on !== 'each') {
    refuse(`The input \`run-on\` is "${on}".`, 'Write `run-on: first` or `run-on: each`, or leave it out.');
  } else if (on !== null && run === null) {
    refuse('The input `run-on` says when the script of `run` runs, and there is none.', 'Give `run`, or leave `run-on` out.');
  }
  if (run !== null && (closed || command === 'plan' || command === 'destroy')) {
    const step = closed ? 'closed: true' : `command: ${command}`;
    refuse(`The input \`run\` is for an apply, and this step has \`${step}\`.`, 'Give `run` to the step that applies.');
  }
  return { run, runOn: on === 'first' ? 'first' : 'each' };
}
