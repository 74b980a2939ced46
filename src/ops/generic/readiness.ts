import { Failure } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { getAt } from '../../core/pointer.ts';
import { isAsPlanned } from '../../remote/compare.ts';
import { isOtherForm } from '../../remote/forms.ts';
import type { Live } from '../../remote/live-object.ts';
import { storedJson } from '../../remote/stored-json.ts';
import type { Io, ObjectBound, Readiness } from '../bound.ts';
import type { ResourcePlan } from './resource-plan.ts';
import type { ResourceShape } from './resource-shape.ts';

/** How a line waits for an object that is ready some time after it was made: by one member of it, read anew each time. */
export function readinessOf(
  plan: ResourcePlan,
  how: NonNullable<ResourceShape['ready']>,
  read: (io: Io, id: string) => Promise<Live | null>,
): Pick<ObjectBound, 'ready' | 'timeout'> {
  const good = (how.values ?? [how.value ?? null]).map((value) => storedJson(value, 'ready.values'));
  const bad = (how.failed ?? []).map((value) => storedJson(value, 'ready.failed'));
  return {
    ...(how.seconds !== undefined && { timeout: secondsOf(storedJson(how.seconds, 'ready.seconds')) }),
    ready: async (io, live): Promise<Readiness> => {
      const now = await read(io, live.id);
      if (!now) return { state: 'wait', detail: `${plan.key} is not to be seen yet.` };
      const state = getAt(now.raw, how.path);
      if (good.some((value) => isSame(value, state))) return { state: 'ready', live: now };
      const detail = `${plan.key} has ${JSON.stringify(state ?? null)} at ${how.path}.`;
      return bad.some((value) => isSame(value, state)) ? { state: 'failed', detail } : { state: 'wait', detail };
    },
  };
}

/** A provider may spell a word in another way than its documentation. What it does not show is no word: not even `false`, or an empty text. */
const isSame = (value: Json, state: unknown): boolean =>
  isAsPlanned(value, state) ||
  (typeof value === 'string' && value !== '' && typeof state === 'string' && isOtherForm(value, state, { isLoose: true }));

function secondsOf(value: unknown): number {
  if (typeof value === 'number' && value > 0) return value;
  throw new Failure('PARAM_INVALID', { detail: 'ready.seconds must be a number of seconds, more than none.' });
}
