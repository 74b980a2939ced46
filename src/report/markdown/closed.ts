import type { ClosedDoc, ClosedOutcome, ClosedScopeDoc } from '../../engine/document.ts';
import { causesOf } from '../causes.ts';
import { nameOf } from '../closed-text.ts';
import { closedEndings, costText } from '../endings.ts';
import { counted } from '../text.ts';
import { errorsPart, facts, heading, hostsPart, type MarkdownOptions, warningsPart } from './parts.ts';
import { type Page, type Sheet, table } from './sheet.ts';

/** The page of `apply --destroy --closed`: one row per scope. */
export const closedPage =
  (document: ClosedDoc, o: MarkdownOptions): Page =>
  (sheet) => {
    const { symbol, words } = closedEndings[document.status];
    return [
      heading(
        sheet,
        o,
        symbol,
        `${document.command === 'plan' ? 'Plan of the destroy' : 'Destroy'} of closed pull requests of ${sheet.code(document.repository)} in ${sheet.code(document.environment)}: ${words}`,
      ),
      document.scopes.length === 0 ? 'There is no scope.' : '',
      scopes(sheet, document.scopes),
      hostsPart(
        sheet,
        document.scopes.flatMap((scope) =>
          (scope.hosts ?? []).map(({ origin, lines }) => ({ origin, lines: lines.map((line) => `${nameOf(scope)} ${line}`) })),
        ),
      ),
      errorsPart(sheet, o, causesOf(document)),
      warningsPart(
        sheet,
        document.scopes.flatMap((scope) => (scope.warnings ?? []).map((warning) => `${nameOf(scope)}: ${warning}`)),
      ),
      facts(sheet, [costText(document.stats)]),
    ];
  };

const outcomes: { readonly [outcome in ClosedOutcome]: string } = {
  destroyed: '`-` destroyed',
  gone: '`=` gone',
  removed: '`-` removed',
  kept: '`=` kept',
  failed: '❗ failed',
  interrupted: '⏸️ interrupted',
  'would destroy': '`-` would destroy',
  'would remove': '`-` would remove',
};

function scopes(sheet: Sheet, all: readonly ClosedScopeDoc[]): string {
  const changed = sheet.unchanged
    ? all
    : all.filter(({ outcome, unowned }) => unowned !== undefined || (outcome !== 'gone' && outcome !== 'kept'));
  if (changed.length < all.length) sheet.leave(`${counted(all.length - changed.length, 'scope')} where nothing was done`);
  return table<ClosedScopeDoc>(
    [
      { head: 'Outcome', cell: ({ outcome }) => outcomes[outcome] },
      { head: 'Scope', cell: (scope) => sheet.code(nameOf(scope)) },
      { head: 'Pull requests', cell: ({ pullRequests }) => (pullRequests.length === 0 ? '' : sheet.code(pullRequests.join(', '))) },
      { head: 'Lines', cell: ({ lines }) => (lines === undefined ? '' : String(lines.length)), isNumber: true },
      { head: 'Why', cell: ({ why }) => sheet.lines(why) },
    ],
    sheet.take(changed, 'scope', ({ outcome }) => outcome === 'failed' || outcome === 'interrupted'),
  );
}
