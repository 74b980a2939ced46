import { oneLine, safeText } from '../text.ts';

/**
 * Writes text of a provider or a plan into Markdown so that no reader interprets it: a `<code>` element whose punctuation is written as
 * character references.
 *
 * The source then has no character that means something to Markdown, to a table or to a log: no bracket, backtick, pipe, `<`, `#`, `:` or
 * `@`. So it can hold no link, image, HTML, fence, quick action or workflow command. A code span with backticks cannot do this: a backslash
 * before a pipe ends the cell in some readers and not in others. GitHub and GitLab both leave the text of `<code>` alone when they add
 * mentions, issues, commits, emoji, addresses and math after the Markdown. GitHub's parser does one thing in between: it looks for e-mail,
 * `mailto:` and `xmpp:` addresses after it has resolved the references (github/cmark-gfm#278). Other versions look for `www.` and `://`
 * too. `<wbr>` splits that text after `@`, `:` and `www`; a reader sees only a place where the line may break.
 */
export function inert(text: string, longest = Number.POSITIVE_INFINITY): string {
  const shown = encodeUpTo(longest, text);
  // Right-to-left letters would reverse the order of the text beside them.
  return shown === '' ? '(empty)' : `<code${rightToLeft.test(shown) ? ' dir="auto"' : ''}>${shown}</code>`;
}

/** Does the same for text of several lines. A text of many lines becomes one line. */
export function inertLines(text: string, longest = Number.POSITIVE_INFINITY): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length > 20 || lines.length < 2) return inert(text, longest);
  return lines.map((line) => inert(line, Math.floor(longest / lines.length))).join('<br>');
}

/** Writes lines as a block that keeps their spaces. Markdown reads nothing inside `<pre>`, not even empty lines. */
export const inertBlock = (lines: readonly string[]): string =>
  `<pre>${lines.map((line) => encode(safeText(line).replaceAll('\n', ' '))).join('\n')}</pre>`;

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Every ASCII character that is not a letter, a digit or one of `space . , -`. */
const meaningful = /[^A-Za-z0-9 .,\-\u0080-\u{10ffff}]/gu;

/** NUL marks the end of a piece, because shown text never holds NUL. */
const encode = (text: string): string =>
  text.replace(/www(?=\.)|[@:](?=\S)/gi, '$&\u0000').replace(meaningful, (c) => (c === '\u0000' ? '<wbr>' : `&#${c.charCodeAt(0)};`));

/** The whole text, or the characters that fit into `longest` bytes and a mark for the missing rest. */
function encodeUpTo(longest: number, text: string): string {
  const isLonger = text.length > longest;
  // A character takes at least one byte, so the page cannot show more characters than this. The rest may be megabytes.
  const safe = oneLine(isLonger ? text.slice(0, longest).replace(/[\ud800-\udbff]$/, '') : text).trim();
  const whole = encode(safe);
  if (!isLonger && Buffer.byteLength(whole) <= longest) return whole;
  let size = 3;
  let taken = 0;
  for (const character of safe) {
    // The next character may need a `<wbr>` after this one.
    size += Buffer.byteLength(encode(character)) + (/[w@:]/i.test(character) ? 5 : 0);
    if (size > longest) break;
    taken += character.length;
  }
  return `${encode(safe.slice(0, taken))}…`;
}

/**
 * Makes a link that shows the address itself, or `words`. Returns `null` unless the text is plainly an http(s) address. A link must open
 * the address that it shows, so a browser must keep the text as it is: no user name, no letters that look like others, no control or white
 * space, nothing that a parser reads in two ways.
 */
export function linkTo(url: string, words?: string): string | null {
  if (url.length > 600 || !plain.test(url) || url.includes('::') || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  if (parsed.href !== url && parsed.href !== `${url}/`) return null;
  const href = url.replace(/[^A-Za-z0-9:/.?=%-]/g, (c) => `&#${c.charCodeAt(0)};`);
  return `<a href="${href}">${words ?? inert(url)}</a>`;
}

const plain = /^https?:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?(?:[/?#][A-Za-z0-9\-._~!$&'()*+,;=:@%/?#]*)?$/;

/**
 * Links the address of an output. An address at a code host stays text: GitHub and GitLab would write a mention into the linked issue, pull
 * request or commit, and a provider's value must not reach other people's conversations.
 */
export function outputLink(url: string, runUrl: string | null | undefined): string | null {
  const link = linkTo(url);
  if (link === null) return null;
  const host = new URL(url).hostname;
  const own = runUrl && URL.canParse(runUrl) ? [new URL(runUrl).hostname] : [];
  return ['github.com', 'gitlab.com', ...own].some((code) => host === code || host.endsWith(`.${code}`)) ? null : link;
}
