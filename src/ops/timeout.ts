import type { Params } from './bound.ts';
import type { ParamSpec } from './op.ts';

/** The param of every operation whose object becomes ready by itself, later. */
export const timeoutParam = (seconds: number): ParamSpec => ({
  type: 'integer',
  minimum: 1,
  maximum: 86_400,
  default: seconds,
  doc: 'Seconds until waiting for it is given up. The object stays known, and the next run waits on. Never longer than `--wait-timeout`.',
});

/** The same for what others make, such as a build: nobody but the run knows how long it may take. */
export const waitTimeoutParam: ParamSpec = {
  type: 'integer',
  minimum: 1,
  maximum: 86_400,
  doc: 'Seconds until waiting for it is given up, when that comes before `--wait-timeout`. The next run waits on.',
};

/** The seconds that a line gives, for `Bound.timeout`. They are no field: they say how to wait, not what should stand. */
export const timeoutOf = ({ timeout }: Params, seconds: number): number => (typeof timeout === 'number' ? timeout : seconds);

/** As `timeoutOf`, where the line has no limit of its own unless it gives one. */
export const waitTimeoutOf = ({ timeout }: Params): { readonly timeout?: number } => (typeof timeout === 'number' ? { timeout } : {});
