import type { ErrorData } from '../core/errors.ts';
import { type Shape, shapeOf } from '../core/shape.ts';
import type { HistoryEntry, Receipt, Renewal } from '../ledger/model/facts.ts';
import type {
  ApplyDoc,
  ApplyLineDoc,
  ClosedDoc,
  ClosedScopeDoc,
  FailureDoc,
  FieldChange,
  PlanDoc,
  PlanLineDoc,
  PreviewDoc,
  RunEvent,
  Side,
} from './document.ts';
import type { ExportsDoc } from './exports/exports-document.ts';
import type { LedgerCopyDoc, MovedBranchDoc } from './ledger-document.ts';
import type { Orphan } from './orphan-document.ts';
import type { LifetimeDoc, ReceiptDoc, ScopesDoc, StandingDoc } from './receipt-document.ts';
import type { ListDoc, ObjectDoc, PastRunDoc, ScopeRow, ShowDoc, UnfinishedDoc } from './stands-document.ts';

/** Shapes tell the words of a document or event that are ours from those that others said. A member without a shape does not compile. */
const texts: Shape = { list: 'said' };

export const errorShape = shapeOf<ErrorData>({ code: 'own', kind: 'own', summary: 'own', detail: 'said', fix: 'said', place: 'own' });

const side = shapeOf<Side>({ state: 'own', value: 'said' });
const changes: Shape = { list: shapeOf<FieldChange>({ field: 'own', before: side, after: side, left: 'own', worn: 'own' }) };

/** The operation of a line and its object. */
const named = { adapter: 'own', op: 'own', recipe: 'own', subject: 'said' } as const;

const line = shapeOf<PlanLineDoc | ApplyLineDoc>({
  id: 'own',
  place: 'own',
  ...named,
  state: 'own',
  verdict: 'own',
  why: 'said',
  after: 'own',
  code: 'own',
  because: 'own',
  drift: 'own',
  driftLeft: 'own',
  changes,
  recordChanges: changes,
  inputs: { map: side },
  waitingOn: 'own',
  unmanaged: texts,
  ms: 'own',
  requests: 'own',
  notes: texts,
  error: errorShape,
});

const orphan = shapeOf<Orphan>({
  line: 'own',
  ...named,
  recordId: 'said',
  verdict: 'own',
  why: 'said',
  becomes: 'own',
  id: 'own',
  state: 'own',
  error: errorShape,
});

const lifetime = shapeOf<LifetimeDoc>({ goesAt: 'own', label: 'said' });

/** Anybody who can push may write what a lease and a line of history say. */
const standingFacts = {
  pulls: 'own',
  lineCount: 'own',
  objectCount: 'own',
  firstRun: 'own',
  lastRun: { of: { run: 'own', at: 'own', outcome: 'own' } },
  lease: { of: { holder: 'said', run: 'own', since: 'own', until: 'own' } },
  expires: 'own',
  leftovers: 'own',
} as const;

const scope = shapeOf<ClosedScopeDoc | ScopesDoc['scopes'][number] | ScopeRow>({
  ...standingFacts,
  scope: 'own',
  plan: 'own',
  branch: 'own',
  pullRequests: 'own',
  outcome: 'own',
  why: 'said',
  runId: 'own',
  lines: { list: line },
  // Each host is an origin. People must see where a credential went, even if its variable counts as a secret.
  hosts: 'own',
  lifetime,
  unowned: shapeOf<NonNullable<ClosedScopeDoc['unowned']>>({ records: 'own', announced: 'own', missing: 'own', command: 'said' }),
  warnings: texts,
  error: errorShape,
});

const receipt = shapeOf<Receipt>({
  v: 'own',
  run: 'own',
  command: 'own',
  environment: 'own',
  scope: 'own',
  plan: 'own',
  commit: 'own',
  branch: 'own',
  pr: 'own',
  status: 'own',
  digest: 'own',
  // A person typed it.
  approvedBy: 'said',
  startedAt: 'own',
  ms: 'own',
  lines: 'own',
  putBack: 'own',
  hosts: 'own',
  stats: 'own',
});

const historyEntry = shapeOf<HistoryEntry>({
  run: 'own',
  at: 'own',
  commit: 'own',
  pr: 'own',
  repository: 'said',
  event: 'own',
  outcome: 'own',
  eventAt: 'own',
  reopened: 'own',
  pull: 'own',
  after: 'own',
  // The label is the plan's, and the codes are made of no secret text.
  renewed: shapeOf<Renewal>({ at: 'own', staysMs: 'own', label: 'said', seals: 'own' }),
});

const standing = shapeOf<StandingDoc>({
  line: 'own',
  ...named,
  key: 'said',
  destroy: 'own',
  outputs: { map: 'said' },
  writtenAt: 'own',
  run: 'own',
});

const object = shapeOf<ObjectDoc | UnfinishedDoc>({
  line: 'own',
  ...named,
  key: 'said',
  objectId: 'said',
  console: 'said',
  state: 'own',
  destroy: 'own',
  owned: 'own',
  superseded: texts,
  outputs: { map: 'said' },
  writtenAt: 'own',
  at: 'own',
  run: 'own',
});

const pastRun = shapeOf<PastRunDoc>({ run: 'own', at: 'own', outcome: 'own', event: 'own', commit: 'own', ms: 'own', failed: 'own' });

/** The documents of runs and of the ledger, whose members of one name hold the same. */
export const documentShape = shapeOf<
  PlanDoc | ApplyDoc | ClosedDoc | FailureDoc | ReceiptDoc | ScopesDoc | ListDoc | ShowDoc | ExportsDoc | LedgerCopyDoc
>({
  ...standingFacts,
  ledger: 'said',
  at: 'own',
  plan: 'own',
  notAsked: 'said',
  objects: { list: object },
  unfinished: { list: object },
  left: texts,
  gone: 'own',
  runs: { list: pastRun },
  notes: texts,
  schema: 'own',
  ok: 'own',
  command: 'own',
  mode: 'own',
  status: 'own',
  environment: 'own',
  scope: 'own',
  scopes: { list: scope },
  runId: 'own',
  digest: 'own',
  lines: { list: line },
  hosts: 'own',
  outputs: { map: { map: 'said' } },
  previews: { list: shapeOf<PreviewDoc>({ line: 'own', url: 'said' }) },
  lifetime,
  receipt,
  stats: 'own',
  variables: { list: shapeOf<ExportsDoc['variables'][number]>({ name: 'own', from: 'own', sensitive: 'own' }) },
  needs: 'own',
  from: 'said',
  to: 'said',
  isDryRun: 'own',
  branches: {
    list: shapeOf<MovedBranchDoc>({
      ...{ branch: 'own', environment: 'own', scope: 'own', plan: 'own', state: 'own', files: 'own', bytes: 'own' },
      error: errorShape,
    }),
  },
  warnings: texts,
  orphans: { list: orphan },
  putBack: 'own',
  stays: 'own',
  orphansOnly: 'own',
  summary: 'own',
  repository: 'said',
  branch: 'own',
  commit: 'own',
  stands: { list: standing },
  announced: 'own',
  held: 'own',
  history: { list: historyEntry },
  error: errorShape,
  errors: { list: errorShape },
});

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;
/** The actor bears the name of the lock. */
const parent = shapeOf<EventOf<'machine'>>({ type: 'own', machine: 'own', actor: 'said', from: 'own', to: 'own', event: 'own', at: 'own' });
const cases: { readonly [Type in RunEvent['type']]: Shape } = {
  run: shapeOf<EventOf<'run'>>({ type: 'own', state: 'own', at: 'own', detail: 'said', run: 'own', lines: 'own' }),
  line: 'own',
  lines: shapeOf<EventOf<'lines'>>({ type: 'own', lines: { list: line }, at: 'own' }),
  verdict: shapeOf<EventOf<'verdict'>>({
    type: 'own',
    line: 'own',
    subject: 'said',
    verdict: 'own',
    why: 'said',
    drift: 'own',
    driftLeft: 'own',
    changes,
    lock: 'said',
    at: 'own',
  }),
  failure: shapeOf<EventOf<'failure'>>({ type: 'own', line: 'own', error: errorShape, at: 'own' }),
  machine: { by: 'machine', cases: { coordinator: 'own', readiness: 'own', parent } },
  note: shapeOf<EventOf<'note'>>({ type: 'own', line: 'own', text: 'said', at: 'own' }),
  wait: shapeOf<EventOf<'wait'>>({ type: 'own', line: 'own', detail: 'said', at: 'own' }),
  request: shapeOf<EventOf<'request'>>({
    type: 'own',
    line: 'own',
    method: 'own',
    url: 'said',
    status: 'own',
    ms: 'own',
    attempt: 'own',
    at: 'own',
  }),
  ledger: 'own',
};
export const eventShape: Shape = { by: 'type', cases };

/** The file that a run keeps beside a ledger that it could not write: its facts are as the ledger would hold them, without a secret. */
export const unpushedShape: Shape = {
  of: {
    v: 'own',
    run: 'own',
    at: 'own',
    ledger: 'said',
    branch: 'own',
    head: 'own',
    why: errorShape,
    did: texts,
    facts: 'own',
    receipt,
    history: historyEntry,
  },
};
