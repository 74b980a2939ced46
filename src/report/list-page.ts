import { createHash } from 'node:crypto';
import type { ListDoc, ScopeRow } from '../engine/stands-document.ts';
import { ageText, lastRunText, leaseText, leftoverTexts, momentText, pullsText, scopeText } from './stands-words.ts';
import { counted, oneLine } from './text.ts';

/**
 * Makes one page of what stands. The page sends no request and runs no script: the rows are sorted here, and only the page's own style counts,
 * by its hash. Every text of a ledger is escaped.
 */
export function listPage(document: ListDoc): string {
  const { scopes, environment, ledger, at, notAsked } = document;
  const title = `${environment}: ${counted(scopes.length, 'scope')}`;
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${text(`${title} · pilotfish`)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${text(environment)}</h1>
<p>${summaryOf(scopes)}. The ledger is on <span class="place">${text(ledger)}</span>, read at <time datetime="${text(at)}">${text(momentText(at))}</time>.</p>
${notAsked === undefined ? '' : `<p class="quiet">The pull requests were not asked for: ${text(notAsked)}.</p>\n`}${tableOf(document)}
</main>
</body>
</html>
`;
}

function summaryOf(scopes: readonly ScopeRow[]): string {
  const holding = scopes.filter(({ objectCount, leftovers }) => objectCount + leftovers.unfinished > 0);
  const closed = holding.filter(({ pulls }) => pulls.state === 'closed');
  const broken = scopes.filter(({ error }) => error);
  return [
    `${counted(scopes.length, 'scope')}, the oldest first`,
    `${holding.length} with objects`,
    ...(closed.length > 0 ? [`${closed.length} of a closed pull request`] : []),
    ...(broken.length > 0 ? [`${broken.length} that cannot be read`] : []),
  ].join('; ');
}

const titles = ['Scope', 'Pull request', 'Lines', 'Objects', 'Age', 'Last run', 'Notes'] as const;

function tableOf({ scopes, at }: ListDoc): string {
  if (scopes.length === 0) return '<p>There is no scope.</p>';
  const head = titles.map((title) => `<th scope="col">${title}</th>`).join('');
  return `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${scopes.map((row) => rowOf(row, at)).join('\n')}\n</tbody>\n</table>`;
}

function rowOf(row: ScopeRow, at: string): string {
  const cells = [
    text(scopeText(row)),
    text(pullsText(row.pulls)),
    row.error ? '' : String(row.lineCount),
    row.error ? '' : String(row.objectCount),
    row.firstRun === null
      ? ''
      : `<time datetime="${text(row.firstRun)}" title="${text(momentText(row.firstRun))}">${text(ageText(row.firstRun, at))}</time>`,
    row.error ? 'cannot be read' : text(lastRunText(row.lastRun, at)),
    notesOf(row)
      .map((note) => `<p>${text(note)}</p>`)
      .join(''),
  ];
  const [first, ...rest] = cells.map((cell, i) => {
    const tag = i === 0 ? 'th scope="row"' : 'td';
    return `<${tag} data-title="${titles[i] ?? ''}">${cell}</${i === 0 ? 'th' : 'td'}>`;
  });
  return `<tr class="${classOf(row)}">${first ?? ''}${rest.join('')}</tr>`;
}

const notesOf = ({ error, lease, expires, leftovers, pulls, objectCount }: ScopeRow): readonly string[] => {
  if (error) return [`${error.code}: ${error.detail}`, error.fix];
  return [
    ...(lease ? [leaseText(lease)] : []),
    ...(expires ? [`Stays until ${momentText(expires)}`] : []),
    ...leftoverTexts(leftovers),
    ...(pulls.state === 'none' && objectCount > 0 ? ['Its ledger names no pull request'] : []),
  ];
};

function classOf({ error, objectCount, leftovers, pulls }: ScopeRow): string {
  if (error) return 'bad';
  if (objectCount + leftovers.unfinished + leftovers.leaving === 0) return 'empty';
  return pulls.state === 'closed' || pulls.state === 'none' ? 'over' : 'stands';
}

const text = (said: string): string => oneLine(said).replace(/[&<>"']/g, (c) => `&#${c.codePointAt(0) ?? 0};`);

/** Below 45 rem each row is a card, and each cell says its title. */
const style = `
:root { --back: #fff; --ink: #1c1f23; --quiet: #5f6670; --line: #d9dde2; --bad: #b3261e; --over: #8a5300; }
@media (prefers-color-scheme: dark) {
  :root { --back: #14171a; --ink: #e6e8ea; --quiet: #9aa3ad; --line: #333940; --bad: #ff8a80; --over: #f0b35a; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
main { max-width: 80rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; overflow-wrap: anywhere; }
p { margin: 0 0 .75rem; max-width: 60rem; }
.place { overflow-wrap: anywhere; }
.quiet, .empty td, .empty th { color: var(--quiet); }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
thead th { color: var(--quiet); font-weight: 500; white-space: nowrap; }
tbody th { font-weight: 600; min-width: 8rem; }
td:nth-child(n+2):nth-child(-n+6) { font-variant-numeric: tabular-nums; white-space: nowrap; }
td p { margin: 0; }
.bad th, .bad td { color: var(--bad); }
.over th, .over td:nth-child(2) { color: var(--over); }
@media (max-width: 45rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr, th, td { display: block; }
  tbody tr { padding: .75rem 0; border-bottom: 1px solid var(--line); }
  tbody th, tbody td { padding: .1rem 0; border: 0; }
  tbody td:empty { display: none; }
  td:nth-child(n+2):nth-child(-n+6) { white-space: normal; }
  tbody td::before { content: attr(data-title) ": "; color: var(--quiet); }
}
`;
