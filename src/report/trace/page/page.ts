import { createHash } from 'node:crypto';
import type { RunEvent } from '../../../engine/document.ts';
import type { MachineSource } from '../machine-source.ts';
import { chartOf } from './charts.ts';
import type { PageAbout, PageData } from './data.ts';
import type { PageFiles } from './page-files.ts';

export interface PageParts {
  readonly about: PageAbout;
  readonly machines: readonly MachineSource[];
  readonly files: PageFiles;
}

/**
 * Makes `trace.html`: one file that sends no request. Only its own script and style may run, by their hashes. The events of the run are
 * data in an element that is never executed; the script turns them into text nodes and pixels.
 */
export function traceHtml(events: readonly RunEvent[], { about, machines, files }: PageParts): string {
  const data: PageData = { about, charts: machines.map(chartOf), events };
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(files.script)}'`,
    `style-src '${hashOf(files.style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${escaped(`${about.title} · pilotfish`)}</title>
<style>${files.style}</style>
</head>
<body>
<noscript><p class="plain">This page draws a run of pilotfish with a script, and this browser has scripts turned off. The file <code>events.jsonl</code> beside this page has the same facts, one per line.</p></noscript>
<div id="page"></div>
<script type="application/json" id="data">${dataText(data)}</script>
<script>${files.script}</script>
</body>
</html>
`;
}

/** Writes JSON that cannot end or begin an element, and that every reader of scripts reads alike. */
const dataText = (data: PageData): string =>
  JSON.stringify(data).replace(/[<\u2028\u2029]/g, (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.codePointAt(0) ?? 0};`);
