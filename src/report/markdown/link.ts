import { inert } from './inert.ts';

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
