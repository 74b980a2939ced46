import type { Json } from '../core/json.ts';
import { isMap } from '../core/json.ts';
import type { Redactor } from '../core/redact.ts';
import { version } from '../core/version.ts';
import type { LiveReport } from './document.ts';
import { type Names, patternOf } from './form.ts';
import type { LiveLine } from './live-line.ts';
import { type Spelling, spellingOf } from './spelt.ts';
import type { Told } from './story.ts';
import type { Passed } from './tap.ts';

export interface ReportOptions {
  readonly live: LiveLine;
  readonly told: Told;
  readonly passed: readonly Passed[];
  readonly names: Names;
  readonly server: string | null;
  readonly now: number;
  readonly redactor: Redactor;
}

/** Makes the report. Its values are those of the line, with a name in place of what belongs to the account. */
export function reportOf({ live, told, passed, names, server, now, redactor }: ReportOptions): LiveReport {
  const report: LiveReport = {
    schema: 1,
    operation: live.operation,
    title: `${live.adapter.title} ${live.operation.slice(live.operation.indexOf('.') + 1)}`,
    date: new Date(now).toISOString().slice(0, 10),
    pilotfish: version,
    service: { at: addressOf(live, passed), ...(server !== null && { server }), versions: versionsOf(passed) },
    line: Object.keys(live.line),
    held: told.error === null && told.steps.every(({ result }) => result !== 'not held'),
    steps: told.steps,
    spelling: spellingIn(told, (value) => shown(value, names, redactor)),
  };
  return redactor.json(report);
}

/** The address that the provider documents. An address of an account's own would name the account. */
function addressOf({ adapter }: LiveLine, passed: readonly Passed[]): string {
  const origins = new Set(passed.map(({ url }) => url.origin));
  const documented = adapter.provider.base_url === null ? null : URL.parse(adapter.provider.base_url)?.origin;
  if (documented && origins.has(documented)) return documented;
  const isHere = [...origins].some((origin) => /^https?:\/\/(?:127\.|localhost|\[::1\])/.test(origin));
  return isHere ? 'this machine' : 'an address of its own';
}

/** What names a version: headers of requests and answers, and parts of paths. */
function versionsOf(passed: readonly Passed[]): { readonly [name: string]: string } {
  const found = new Map<string, string>();
  for (const { headers, answer, url } of passed) {
    for (const [name, value] of [...Object.entries(headers), ...Object.entries(answer.headers)]) {
      if ((/version/.test(name) || name === 'server') && value.length <= 60) found.set(name, value);
    }
    const part = url.pathname.split('/').find((segment) => /^v\d/.test(segment));
    if (part !== undefined) found.set('path', part);
  }
  return Object.fromEntries(found);
}

/** The answer that shows the most of what was sent tells how the service spells it. */
function spellingIn({ written }: Told, show: (value: unknown) => Json): Spelling {
  const none: Spelling = { spelt: [], unread: [], added: [] };
  if (written === null) return none;
  const all = written.answered.map((answered) => spellingOf(written.sent, answered, show));
  const isTold = all.filter(({ added, spelt, unread }) => added.length + spelt.length + unread.length > 0);
  return isTold.toSorted((a, b) => a.unread.length - b.unread.length || b.added.length - a.added.length)[0] ?? none;
}

/** A value as a report may show it: secrets masked, names in place of values of the line, and only the kind of a long text. */
function shown(value: unknown, names: Names, redactor: Redactor): Json {
  if (typeof value === 'string') {
    const text = redactor.text(value);
    if (text !== value || text.length > 80) return text.length > 80 ? `a text of ${text.length} characters` : text;
    if (/^[\w-]{20,}$/.test(text) && /\d/.test(text)) return '{…}';
    return [...names].reduce((told, [own, name]) => (own.length >= 4 ? told.replaceAll(own, `{${name}}`) : told), text);
  }
  if (Array.isArray(value)) return value.map((one: unknown) => shown(one, names, redactor));
  if (isMap(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [patternOf(name, names), shown(member, names, redactor)]));
  }
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
