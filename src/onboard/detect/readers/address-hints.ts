import { baseOf } from './source.ts';

/** What compares an address or shows it as an example, up to the address on its line. */
const weakBefore =
  /(?:(?:startsWith|endsWith|includes|indexOf|startswith|endswith|start_with\?|HasPrefix|Contains)\(|[=!]==?|\bin)\s*["'`][^"'`]{0,200}$|\b(?:allowed\w*|remotePatterns|cors\w*|origins?|whitelist|allow_?list)["']?\s*[:=]\s*[[{(][^\])\n]{0,500}$|^\s*["']?examples?["']?\s*:[^\n]*$/i;
/** Scopes of a sign-in, and what tells who signed in. */
const weakAfter = /^[\w.-]{0,60}\/(?:auth\/|(?:[\w.-]{1,30}\/){0,3}(?:userinfo|tokeninfo)\b)/;

/** A directive of a content policy: `script-src`, and `scriptSrc` and `script_src` of libraries that write one. */
const directive =
  /\b(?:connect|img|script|default|frame|style|font|media|form|worker|child|object|manifest|base)[-_]?(?:src|action|uri)(?:[-_]?(?:elem|attr))?\b/gi;

/** Files that hold a policy and nothing else. */
const policyFile = /^(?:content_security_policy|secure_?headers|csp)\.\w+$/i;

/** A policy or a list of allowed hosts is no longer than this. */
const longest = 3_000;

/** Lists of hosts that pictures may come from, or that may call. */
const allowed =
  /\b(?:\w*remote_?patterns|image_?domains|image_?hosts|hostnames|allowed_?\w*|cors\w*|origins?|whitelist|allow_?list)["']?\s*(?::[^=\n]{0,80})?[:=]\s*$/i;

/** Tells whether an address is at most a hint: a policy or a list allows it, or code compares it with another. */
export function isHint(path: string, text: string, offset: number, signal: string): boolean {
  const start = Math.max(text.lastIndexOf('\n', offset) + 1, offset - 1000);
  return (
    weakBefore.test(text.slice(start, offset)) ||
    (!signal.includes('/') && weakAfter.test(text.slice(offset, offset + 200))) ||
    policyFile.test(baseOf(path)) ||
    isInRecord(path, text, offset) ||
    isInPolicy(text, offset) ||
    isInList(text, offset)
  );
}

/** The value of a DNS record in Terraform is of the domain, which others than the app may use for mail and pages. */
function isInRecord(path: string, text: string, offset: number): boolean {
  if (!/\.(?:tf|tofu)$/.test(path)) return false;
  const block = text.lastIndexOf('resource "', offset);
  return (
    block >= 0 &&
    /^resource "(?:aws_route53_record|cloudflare_(?:dns_)?record|google_dns_record_set|digitalocean_record|azurerm_dns_\w+)"/.test(
      text.slice(block, block + 80),
    )
  );
}

/** A directive stands before the address, and neither a semicolon, an empty line nor the end of a call or list is between. */
function isInPolicy(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - longest), offset);
  let last = -1;
  for (const match of before.matchAll(directive)) last = match.index + match[0].length;
  return last >= 0 && !/;|\n[ \t]*\n|[\])}]/.test(before.slice(last));
}

/** The innermost list or object around the address, or the one around that, has the name of what is allowed. */
function isInList(text: string, offset: number): boolean {
  const from = Math.max(0, offset - longest);
  let depth = 0;
  let around = 0;
  for (let at = offset - 1; at >= from && around < 3; at -= 1) {
    const sign = text[at] ?? '';
    if (/[\])}]/.test(sign)) depth += 1;
    else if (/[[({]/.test(sign)) {
      if (depth > 0) depth -= 1;
      else if (sign === '{' && /[$#{]/.test(text[at - 1] ?? '')) continue;
      else {
        if (allowed.test(text.slice(Math.max(0, at - 200), at))) return true;
        around += 1;
      }
    }
  }
  return false;
}

/** A link for people: `<a href="https://…">`, `canonicalHref:`, or one in Markdown. */
export function isLink(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 200), start);
  return /\b\w*href["']?\s*[=:]\s*\{?\s*["'`](?:https?:)?\/\/[^\s"'`]*$|\]\(https?:\/\/[^\s)]*$/i.test(before);
}

/** The home page of somebody, in data about people, sponsors or tools: no path behind the host. */
export function isHomePage(text: string, start: number, stop: number): boolean {
  if (!/^\/?(?:["'\s,<]|$)/.test(text.slice(stop, stop + 2))) return false;
  return /(?:^|[\s{,"'-])(?:url|website|homepage|site|link|web)["']?\s*:\s*["']?https?:\/\/(?:www\.)?$/i.test(
    text.slice(Math.max(0, start - 60), start),
  );
}
