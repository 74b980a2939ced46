import type { ApplyDoc, ClosedDoc, FailureDoc, PlanDoc } from '../../engine/document.ts';
import { causesOf } from '../causes.ts';
import { applyPage } from './apply.ts';
import { closedPage } from './closed.ts';
import { linkTo } from './inert.ts';
import { errorsPart, heading, type MarkdownOptions } from './parts.ts';
import { planPage } from './plan.ts';
import { fitInto, type Page } from './sheet.ts';

export type { MarkdownOptions } from './parts.ts';

/**
 * Writes a run as Markdown, for a comment on the pull request and for the summary of its job. GitHub and GitLab show the same text. No text
 * of a provider or a plan is interpreted (`inert.ts`). The Markdown is never longer than `longest`, whatever the document holds.
 */
export function markdownOf(document: PlanDoc | ApplyDoc | ClosedDoc | FailureDoc, o: MarkdownOptions): string {
  return fitInto(pageOf(document, o), o.longest, whereWhole(o));
}

function pageOf(document: PlanDoc | ApplyDoc | ClosedDoc | FailureDoc, o: MarkdownOptions): Page {
  if (!('stats' in document)) return 'lines' in document ? planPage(document, o) : failurePage(document, o);
  return 'mode' in document ? closedPage(document, o) : applyPage(document, o);
}

function whereWhole({ runUrl }: MarkdownOptions): string {
  const link = runUrl ? linkTo(runUrl, 'log of the run') : null;
  return link === null ? 'All of it is in the log of the run.' : `All of it is in the ${link}.`;
}

/** The page of a run that never began: every error, in the order in which the run found it. */
export const failurePage =
  (document: FailureDoc, o: MarkdownOptions): Page =>
  (sheet) => {
    const what = document.command === 'plan' ? (o.isDestroy ? 'Plan to destroy' : 'Plan for') : o.isDestroy ? 'Destroy of' : 'Apply of';
    const where = [o.environment, o.scope].filter((word) => typeof word === 'string' && word !== '').join('/');
    return [
      heading(sheet, o, '❌', `${where === '' ? (what.split(' ')[0] ?? what) : `${what} ${sheet.code(where)}`}: did not begin`),
      errorsPart(sheet, o, causesOf(document)),
    ];
  };
