import { oneLine, safeText } from '../text.ts';

/**
 * Text of a provider or a plan in Markdown, so that nothing of it is interpreted: a `<code>` element whose punctuation is written as
 * character references.
 *
 * Why this way. In the source there is then no character that means something to Markdown, to a table or to a log: no bracket,
 * backtick, pipe, `<`, `#`, `:` or `@`, so no link, image, HTML, fence, quick action or workflow command. A code span with
 * backticks cannot do this: a backslash before a pipe ends the cell in some readers and not in others. What code hosts do after the
 * Markdown (mentions, issues, commits, emoji, addresses, math) leaves the text of `<code>` alone, on GitHub as on GitLab. One
 * thing happens in between: GitHub's parser looks for e-mail, `mailto:` and `xmpp:` addresses in text whose references are
 * resolved already (github/cmark-gfm#278), other versions for `www.` and `://` too. `<wbr>` splits that text after `@`, `:`
 * and `www`; a reader sees a place where the line may break.
 */
export function inert(text: string, longest = Number.POSITIVE_INFINITY): string {
  const shown = encodeUpTo(longest, text);
  // Letters that are read from right to left would turn the order of what stands beside them.
  return shown === '' ? '(empty)' : `<code${rightToLeft.test(shown) ? ' dir="auto"' : ''}>${shown}</code>`;
}

/** The same for text of several lines; a text of many lines becomes one. */
export function inertLines(text: string, longest = Number.POSITIVE_INFINITY): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length > 20 || lines.length < 2) return inert(text, longest);
  return lines.map((line) => inert(line, Math.floor(longest / lines.length))).join('<br>');
}

/** Lines that keep their spaces, as a block. Nothing inside of `<pre>` is read as Markdown, empty lines are none of it either. */
export const inertBlock = (lines: readonly string[]): string =>
  `<pre>${lines.map((line) => encode(safeText(line).replaceAll('\n', ' '))).join('\n')}</pre>`;

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** All that is neither a letter nor a digit nor one of `space . , -` nor outside of ASCII. */
const meaningful = /[^A-Za-z0-9 .,\-\u0080-\u{10ffff}]/gu;

/** NUL, which shown text does not hold, stands for the end of a piece. */
const encode = (text: string): string =>
  text.replace(/www(?=\.)|[@:](?=\S)/gi, '$&\u0000').replace(meaningful, (c) => (c === '\u0000' ? '<wbr>' : `&#${c.charCodeAt(0)};`));

/** The whole, or as many characters as fit into so many bytes with the mark that something is missing. */
function encodeUpTo(longest: number, text: string): string {
  const isLonger = text.length > longest;
  // No character takes less than a byte: what stands behind these cannot be shown, and may be megabytes.
  const safe = oneLine(isLonger ? text.slice(0, longest).replace(/[\ud800-\udbff]$/, '') : text).trim();
  const whole = encode(safe);
  if (!isLonger && Buffer.byteLength(whole) <= longest) return whole;
  let size = 3;
  let taken = 0;
  for (const character of safe) {
    // What comes next may ask for a `<wbr>`.
    size += Buffer.byteLength(encode(character)) + (/[w@:]/i.test(character) ? 5 : 0);
    if (size > longest) break;
    taken += character.length;
  }
  return `${encode(safe.slice(0, taken))}…`;
}

/**
 * An address as a link that shows the address itself, or its words; `null` where it is not plainly an http(s) address. What is shown
 * is what is opened: the text must be what a browser makes of it, so no user name, no letters that look like others, no control
 * or white space, nothing that a parser reads in two ways.
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
 * The address of an output. One that leads to a code host stays text: GitHub and GitLab tell the linked issue, pull request or
 * commit that it was mentioned, and a provider's value must not reach into other people's conversations.
 */
export function outputLink(url: string, runUrl: string | null | undefined): string | null {
  const link = linkTo(url);
  if (link === null) return null;
  const host = new URL(url).hostname;
  const own = runUrl && URL.canParse(runUrl) ? [new URL(runUrl).hostname] : [];
  return ['github.com', 'gitlab.com', ...own].some((code) => host === code || host.endsWith(`.${code}`)) ? null : link;
}
