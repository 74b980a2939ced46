/** States in which a line has ended. */
const ended: ReadonlySet<string> = new Set(['settled', 'planned', 'refused', 'failed', 'skipped', 'interrupted', 'paused']);
/** States in which nothing has begun. */
const idle: ReadonlySet<string> = new Set(['waiting']);
/** Passed through by nearly every line in no time, or told by a wait: noise in a log. */
const quiet: ReadonlySet<string> = new Set(['waiting', 'observing', 'judged', 'planned', 'removingFirst', 'claimed', 'awaiting']);

export const hasEnded = (state: string): boolean => ended.has(state);
export const isIdle = (state: string): boolean => idle.has(state);
export const isQuiet = (state: string): boolean => quiet.has(state) || state.startsWith('recording');

/** `recordingIntent` → `recording intent`. */
export const stateWords = (state: string): string => state.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
