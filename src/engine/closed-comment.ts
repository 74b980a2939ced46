import { dayText } from '../core/life-span.ts';
import { isSameComment, marked, markOf, wordsOf } from '../host/comment-mark.ts';
import { commentsOf } from '../host/upsert-comment.ts';
import type { ClosedWork, Expiry, Scope } from './closed-work.ts';
import { hostPatience } from './timing/host-patience.ts';

/** A comment warns this long before the end. */
export const warnMs = 2 * 86_400_000;

/** Begins the line about the end, which stands above the report. */
const sign = '> ⏳ ';

/** For the comment of a preview whose end is near. The label is the plan's text, so only a plain one is named. */
export const goesSoon = ({ end, labels: [label] }: Expiry): string => {
  const keeps =
    label === undefined ? '' : /^[\w ./:-]+$/.test(label) ? ` The label \`${label}\` keeps it.` : ' The label of the plan keeps it.';
  return `${sign}**This preview goes on ${dayText(end)}** unless it is applied again.${keeps}`;
};

/** For the comment of a preview that is gone although its pull request is open. */
export const went = ({ end }: Expiry): string =>
  `${sign}**This preview is gone**: its time was over on ${dayText(end)}. The next push makes it again.`;

/**
 * Puts a line above the report in the scope's comment, once. The comment keeps its mark, so the next run replaces all of it. Nothing follows
 * from a failure: without a comment of ours, or a token that may write it, the line is left out.
 */
export async function putAbove({ request, client, host, clock, signal }: ClosedWork, scope: Scope, line: string): Promise<void> {
  const pull = scope.pulls.at(-1);
  if (request.isPlan || host.isReadOnly || pull === undefined || signal.aborted) return;
  const { environment, plan } = scope;
  const api = commentsOf(client, host, pull, request.env);
  try {
    await hostPatience({ clock, signal }, async (within) => {
      for (const { id, body, isOwn } of await api.list(within)) {
        const mark = isOwn ? markOf(body) : null;
        if (!mark || mark.scope !== scope.scope || !isSameComment(mark, { ...mark, environment, plan })) continue;
        const next = marked(mark, `${line}\n\n${withoutLine(wordsOf(body))}`);
        // The host may have changed the ends of lines.
        if (wordsOf(body).startsWith(line) || next.length > api.longest) return;
        return await api.update(id, next, within);
      }
    });
  } catch {
    // The sweep goes on, and the next one tries again.
  }
}

/** The report without the line of an earlier sweep. */
const withoutLine = (text: string): string => (text.startsWith(sign) ? text.replace(/^[^\n]*\n+/, '') : text);
