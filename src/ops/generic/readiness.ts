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

/** How a line waits for an object that becomes ready some time after its create: by one of its members, read anew each time. */
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
      if (!now) return { state: 'wait', detail: `The provider does not show ${plan.key} yet.` };
      const state = getAt(now.raw, how.path);
      if (good.some((value) => isSame(value, state))) return { state: 'ready', live: now };
      const detail = `${plan.key} has ${JSON.stringify(state ?? null)} at ${how.path}.`;
      return bad.some((value) => isSame(value, state)) ? { state: 'failed', detail } : { state: 'wait', detail };
    },
  };
}

/** Whether a state is the declared one, in any spelling of the provider. A missing state equals none, not even `false` or an empty text. */
const isSame = (value: Json, state: unknown): boolean =>
  isAsPlanned(value, state) ||
  (typeof value === 'string' && value !== '' && typeof state === 'string' && isOtherForm(value, state, { isLoose: true }));

function secondsOf(value: unknown): number {
  if (typeof value === 'number' && value > 0) return value;
  throw new Failure('PARAM_INVALID', { at: ['ready', 'seconds'], detail: 'ready.seconds must be a number of seconds above zero.' });
}
