import { getAt, splitPointer } from '../../core/pointer.ts';
import { fieldName } from '../../remote/live.ts';
import { ownPart, sendsFields } from './resource-body.ts';
import { below, type ResourcePlan } from './resource-plan.ts';
import type { ResourceShape, UpdateShape } from './resource-shape.ts';

/** Gives the requests that an update of these fields sends. */
export const stepsOf = ({ update = [] }: ResourceShape, changed: readonly string[]): readonly UpdateShape[] =>
  [update].flat().filter((step) => carries(step, changed));

export const carries = (step: UpdateShape, changed: readonly string[]): boolean =>
  step.fields === undefined || step.fields.some((name) => changed.includes(fieldName(name)));

/** Whether a request may hold the field. Fields that the provider fixes at the create are not sent again, because closed update schemas refuse them. */
export function maySend({ shape }: Pick<ResourcePlan, 'shape'>, step: UpdateShape, field: string): boolean {
  const fixed = [...(shape.immutable ?? []), ...(shape.write_only ?? [])].map(fieldName);
  return !fixed.includes(field) && carries(step, [field]);
}

/**
 * Whether a request for the changed fields must hold this field, too. A PATCH holds only the top members that the changed fields stand in,
 * each of them whole, because some providers replace a member and others merge it. Any other request replaces the object.
 */
export function goesWith(step: UpdateShape, field: string, changed: readonly string[]): boolean {
  if (step.graphql || step.live || (step.method ?? 'PATCH') !== 'PATCH') return true;
  const memberOf = (name: string): string => memberBelow(step.body_at ?? '', below(step.fields_at ?? '', name));
  return changed.some((one) => carries(step, [one]) && memberOf(one) === memberOf(field));
}

const memberBelow = (at: string, pointer: string): string =>
  splitPointer(pointer)
    .slice(0, splitPointer(at).length + 1)
    .join('/');

/** Tells how an update of these fields treats one that others changed and that stays. */
export function leavingIn(plan: ResourcePlan, field: string, changed: readonly string[]): 'unsent' | 'as read' | 'as planned' {
  const steps = stepsOf(plan.shape, changed);
  // The line writes the field in a place or a form that no field tells: its own body, a header, a query.
  const isWritten = (step: UpdateShape): boolean =>
    step.fields === undefined || carries(step, [field])
      ? !sendsFields(step) || plan.rules[field]?.sent === false || getAt(ownPart(step), below(step.fields_at ?? '', field)) !== undefined
      : false;
  if (steps.some(isWritten)) return 'as planned';
  return steps.some((step) => maySend(plan, step, field) && goesWith(step, field, changed)) ? 'as read' : 'unsent';
}
