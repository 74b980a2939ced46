import { getAt } from '../../core/pointer.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { Answer, RequestSpec, SendOptions } from '../../http/types.ts';
import { says } from '../../remote/says.ts';
import type { Io } from '../bound.ts';
import { type ResourcePlan, storedMatch } from './resource-plan.ts';

/**
 * Sends a create. A refusal that means "already there" is a conflict. So is a success that means the same: by its status, or because it
 * shows another stamp than `stamped`.
 */
export async function sendCreate(plan: ResourcePlan, io: Io, request: RequestSpec, stamped: unknown): Promise<Answer> {
  const key = io.idempotencyKey;
  const options: SendOptions = {
    purpose: 'write',
    signal: io.signal,
    ...(request.graphql?.idempotent === true
      ? { retry: 'table', idempotent: true }
      : key === undefined
        ? { retry: 'none' }
        : { retry: 'table' }),
    ...(key !== undefined && { idempotencyKey: key }),
  };
  const answer = await io.http.send(request, options).catch((thrown: unknown) => {
    if (!(thrown instanceof HttpFailure) || !saysExists(plan, thrown.status, thrown.body)) throw thrown;
    throw new HttpFailure('PROVIDER_CONFLICT', { detail: `${thrown.detail} ${unseen}`, fix: otherName, cause: thrown }, thrown);
  });
  if (!saysExists(plan, answer.status, null) && !showsOther(plan, answer.body, stamped)) return answer;
  // A success that means "already there" is a conflict like any other. The engine finds out whose object it is.
  const facts = {
    status: answer.status,
    body: answer.body,
    unanswered: false,
    repeatable: false,
    retryAfter: null,
    repeat: 'never',
  } as const;
  const detail = `${request.method} ${request.path} answered ${answer.status}, because the object exists already. ${unseen}`;
  throw new HttpFailure('PROVIDER_CONFLICT', { detail, fix: otherName }, facts);
}

/** Shown only where the engine then looks for the object and finds none. */
const unseen =
  'The existing object does not fit this line: it has another kind, or this credential may not see it. pilotfish leaves it as it is.';
const otherName = 'Give the line another name, or remove the object with this name at the provider.';

function saysExists({ shape }: ResourcePlan, status: number | null, body: unknown): boolean {
  if (status !== null && shape.exists_status?.includes(status)) return true;
  const match = shape.exists_match;
  return match !== undefined && says(body, storedMatch(match, 'exists_match'));
}

/** Whether the answer shows another stamp. An existing object keeps its own. */
function showsOther({ shape }: ResourcePlan, answer: unknown, stamped: unknown): boolean {
  const { stamp = [], stamp_tells: tells = false } = shape.create ?? {};
  if (!tells) return false;
  const shown = getAt(answer, shape.item_path);
  return stamp.some((pointer) => momentAt(shown, pointer) !== momentAt(stamped, pointer));
}

const momentAt = (body: unknown, pointer: string): number | null => {
  const moment = getAt(body, pointer);
  return typeof moment === 'string' ? Date.parse(moment) : null;
};
