import type { Params } from './bound.ts';
import type { ParamSpec } from './op.ts';

/** The param of every operation whose object becomes ready by itself, later. */
export const timeoutParam = (seconds: number): ParamSpec => ({
  type: 'integer',
  minimum: 1,
  maximum: 86_400,
  default: seconds,
  doc: 'Seconds to wait until the object is ready, at most as long as the run waits. After that the object stays known, and the next run waits on.',
});

/** The param for a process of others, such as a build. Only the run knows how long that may take. */
export const waitTimeoutParam: ParamSpec = {
  type: 'integer',
  minimum: 1,
  maximum: 86_400,
  doc: 'Seconds to wait, at most as long as the run waits. After that the next run waits on.',
};

/** The seconds that a line gives, for `Bound.timeout`. They are no field: they tell how long to wait, not which state is wanted. */
export const timeoutOf = ({ timeout }: Params, seconds: number): number => (typeof timeout === 'number' ? timeout : seconds);

/** As `timeoutOf`, where the line has no limit of its own unless it gives one. */
export const waitTimeoutOf = ({ timeout }: Params): { readonly timeout?: number } => (typeof timeout === 'number' ? { timeout } : {});
