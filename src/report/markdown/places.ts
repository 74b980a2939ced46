import type { ApplyDoc, ClosedDoc, FailureDoc, PlanDoc } from '../../engine/document.ts';

/** The file of the plan and the branch of the receipts, as far as the document names them. */
export function placesOf(document: PlanDoc | ApplyDoc | ClosedDoc | FailureDoc): {
  readonly plan: string | null;
  readonly branch: string | null;
} {
  const place = 'lines' in document ? document.lines.find((line) => line.place !== undefined)?.place : undefined;
  return {
    plan: place?.replace(/:\d+:\d+$/, '') ?? null,
    branch: 'receipt' in document && document.receipt.commit !== null ? document.receipt.branch : null,
  };
}
