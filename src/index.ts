/**
 * What a plugin imports from `pilotfish`. A module named in PILOTFISH_PLUGINS exports `register(registry: Registry): void`
 * and adds adapters, recipe families and secret sources; everything it can need for that stands here. The types of the JSON
 * documents are for programs that read what `--json` prints.
 */
export { parseAnswer } from './adapters/answer.ts';
export type { Bulk, Wanted } from './adapters/bulk.ts';
export type {
  ActionBound,
  Adapter,
  BindContext,
  Bound,
  Desired,
  DestroyPolicy,
  Detect,
  FindSpec,
  Io,
  ItemBound,
  Live,
  LiveValue,
  ObjectBound,
  Op,
  OutputSpec,
  Paging,
  ParamProblem,
  ParamSpec,
  Params,
  ParentSpec,
  PartProblem,
  ProviderDefaults,
  Reach,
  Readiness,
  Value,
  WaitBound,
} from './adapters/op.ts';
export { unreadable } from './adapters/op.ts';
export type { AdapterEntry, FamilyEntry, RecipeMatch, Registry } from './adapters/registry.ts';
export type { CheckBy, Expectation, Setup } from './adapters/setup.ts';
export { timeoutOf, timeoutParam } from './adapters/timeout.ts';
export { Unread } from './adapters/unread.ts';
export { identityText, Kept, Pending, PendingValue } from './adapters/value.ts';
export type { ErrorCode, ErrorData, FailureOptions, Place } from './core/errors.ts';
export { Failure } from './core/errors.ts';
export type { Json, JsonMap } from './core/json.ts';
export { Sealed } from './core/sealed.ts';
export type {
  Answer,
  AuthForm,
  Body,
  Http,
  HttpFailureFacts,
  Method,
  ProviderBlock,
  RequestSpec,
  SendOptions,
  StoredRequest,
} from './http/types.ts';
export { familyAdapter } from './recipes/expand.ts';
export { parseFamily } from './recipes/parse-family.ts';
export type { ApplyDoc, Document, FailureDoc, InitDoc, PlanDoc } from './report/document.ts';
export type { SecretAccess, SecretAnswer, SecretRequest, SecretSource } from './secrets/source.ts';
