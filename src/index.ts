/**
 * The exports of `pilotfish` for plugins. A module named in PILOTFISH_PLUGINS exports `register(registry: Registry): void` and adds
 * adapters, recipe families and secret sources. This file exports everything that a plugin needs for that. The types of the JSON documents
 * are for programs that read the output of `--json`.
 */

export type { ErrorCode, ErrorData, FailureOptions, Place } from './core/errors.ts';
export { Failure } from './core/errors.ts';
export type { Json, JsonMap } from './core/json.ts';
export { Sealed } from './core/sealed.ts';
export type { ApplyDoc, Document, FailureDoc, PlanDoc } from './engine/document.ts';
export type { InitDoc } from './engine/init-document.ts';
export type {
  Answer,
  AuthForm,
  Body,
  Http,
  HttpFailureFacts,
  Method,
  Paging,
  ProviderBlock,
  RequestSpec,
  SendOptions,
  StoredRequest,
} from './http/types.ts';
export { parseAnswer } from './ops/answer.ts';
export type { ActionBound, Bound, Bulk, Desired, Io, ItemBound, ObjectBound, Params, Readiness, WaitBound, Wanted } from './ops/bound.ts';
export type { Detect } from './ops/detect.ts';
export type {
  Adapter,
  BindContext,
  DestroyPolicy,
  Op,
  OutputSpec,
  ParamSpec,
  ProviderDefaults,
} from './ops/op.ts';
export type { ParamProblem, PartProblem } from './ops/problem.ts';
export type { AdapterEntry, FamilyEntry, RecipeMatch, Registry } from './ops/registry.ts';
export type { CheckBy, Expectation, Setup } from './ops/setup.ts';
export { timeoutOf, timeoutParam } from './ops/timeout.ts';
export { familyAdapter } from './recipes/expand.ts';
export { parseFamily } from './recipes/parse-family.ts';
export type { Live, LiveValue } from './remote/live-object.ts';
export { Unread, unreadable } from './remote/live-object.ts';
export type { ParentSpec } from './remote/parent-spec.ts';
export type { FindSpec, Reach } from './remote/reach.ts';
export type { Value } from './remote/value.ts';
export { identityText, Kept, Pending, PendingValue } from './remote/value.ts';
export type { SecretAccess, SecretAnswer, SecretRequest, SecretSource } from './secrets/source.ts';
