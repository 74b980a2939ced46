import type { ErrorCode } from '../../src/core/error-table.ts';
import type { ApplyDoc, ClosedDoc, FailureDoc, FieldChange, PlanDoc } from '../../src/engine/document.ts';
import type { MarkdownOptions } from '../../src/report/markdown/markdown.ts';
import { apply, closed, failure, plan } from './documents.ts';

/** What a caller adds to a document, with the text wherever a plan has a say. */
export const hostileOptions = (text: string): MarkdownOptions => ({
  longest: 60_000,
  environment: text,
  scope: text,
  commit: text,
  runUrl: 'https://ci.example.com/run/1',
  traceUrl: 'https://ci.example.com/run/1#artifacts',
  errorsUrl: 'https://docs.example.com/errors.md',
  next: { apply: `pilotfish apply --scope '${text}'`, prune: `pilotfish apply --prune --scope '${text}'` },
});

const error = (text: string, code: ErrorCode = 'PROVIDER_INVALID') => ({ code, summary: text, detail: text, fix: text, place: text });

const changes = (text: string): FieldChange[] => [
  { field: text, before: { state: 'resolved', value: text }, after: { state: 'resolved', value: { [text]: [text] } } },
  { field: `/${text}`, before: { state: 'absent' }, after: { state: 'secret', value: text } },
];

const hostilePlan = (text: string): PlanDoc => ({
  ...plan(),
  ok: false,
  environment: text,
  scope: text,
  digest: text,
  lines: [0, 1].map((at) => ({
    id: `${text}${at}`,
    adapter: text,
    op: text,
    subject: text,
    verdict: 'refused',
    why: text,
    drift: 'changed',
    changes: changes(text),
    inputs: {},
    after: [`${text}0`],
    waitingOn: [text],
    unmanaged: [text, text],
    error: error(text),
  })),
  orphans: [{ line: text, adapter: text, op: text, recipe: text, subject: text, recordId: text, verdict: 'delete', why: text }],
  warnings: [text],
  error: error(text, 'INTERNAL'),
});

const hostileApply = (text: string): ApplyDoc => ({
  ...apply(),
  environment: text,
  scope: text,
  digest: text,
  runId: text,
  lines: ['failed', 'settled', text].map((state, at) => ({
    id: `${text}${at}`,
    adapter: text,
    op: text,
    ...(at > 0 && { recipe: text }),
    state,
    verdict: 'update',
    why: text,
    drift: 'missing',
    changes: changes(text),
    ms: 1,
    requests: 1,
    notes: [text],
    after: [`${text}0`],
    error: error(text),
  })),
  outputs: { [text]: { [text]: text, url: text, list: [text] }, url: { a: `https://evil.test/${text}` } },
  receipt: { branch: text, commit: text },
  warnings: [text],
  orphans: hostilePlan(text).orphans,
  error: error(text, 'INTERNAL'),
});

const hostileClosed = (text: string): ClosedDoc => ({
  ...closed,
  environment: text,
  repository: text,
  scopes: [
    { scope: text, plan: text, branch: text, pullRequests: [1], outcome: 'failed', why: text, warnings: [text], error: error(text) },
    { scope: null, plan: null, branch: text, pullRequests: [], outcome: 'kept', why: text },
  ],
});

const hostileFailure = (text: string): FailureDoc => ({
  ...failure,
  command: text,
  error: error(text),
  errors: [error(text), error(`again ${text}`)],
});

/** Each kind of document with the text in every place that a plan or a provider fills. */
export const hostileDocuments = { plan: hostilePlan, apply: hostileApply, closed: hostileClosed, failure: hostileFailure };
