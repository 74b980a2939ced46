/** The kind of a state, in any machine. Each tone has a colour and a texture of its own. */
export type Tone = 'idle' | 'look' | 'write' | 'wait' | 'record' | 'good' | 'bad' | 'open';

const tones: { readonly [state: string]: Tone } = {
  waiting: 'idle',
  idle: 'idle',
  observing: 'look',
  judged: 'look',
  gathering: 'look',
  reading: 'look',
  verifying: 'look',
  looking: 'look',
  running: 'look',
  removingFirst: 'write',
  creating: 'write',
  relocating: 'write',
  claimed: 'write',
  updating: 'write',
  sending: 'write',
  removing: 'write',
  writing: 'write',
  kicking: 'write',
  awaiting: 'wait',
  locking: 'wait',
  pausing: 'wait',
  draining: 'wait',
  unlocking: 'record',
  answering: 'record',
  planned: 'good',
  settled: 'good',
  ready: 'good',
  finished: 'good',
  refused: 'bad',
  failed: 'bad',
  broken: 'bad',
  skipped: 'open',
  interrupted: 'open',
  paused: 'open',
};

export const toneOf = (state: string): Tone => tones[state] ?? (state.startsWith('recording') ? 'record' : 'look');

/** The words beside a colour in the legend. */
export const toneWords: { readonly [tone in Tone]: string } = {
  idle: 'not begun',
  look: 'looks',
  write: 'writes',
  wait: 'waits',
  record: 'records',
  good: 'done',
  bad: 'refused or failed',
  open: 'not done',
};

export const isEnd = (state: string): boolean => ['good', 'bad', 'open'].includes(toneOf(state));
