/** A remote's URL as it may be stored and shown: user and password of a web address are cut. */
export function stripUserinfo(url: string): string {
  if (!isWebUrl(url)) return url.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/:@]*):[^/]*@/i, '$1@');
  try {
    const parsed = new URL(url);
    parsed.username = '';
    parsed.password = '';
    return parsed.href.replace(/\/$/, url.endsWith('/') ? '/' : '');
  } catch {
    return url.replace(/^([a-z]+:\/\/)[^/]*@/i, '$1');
  }
}

/** User and password in a web address, decoded; `null` when there are none. */
export function userinfoOf(url: string): { readonly user: string; readonly password: string } | null {
  if (!isWebUrl(url) || !URL.canParse(url)) return null;
  const { username, password } = new URL(url);
  return username === '' && password === '' ? null : { user: decode(username), password: decode(password) };
}

/** The secrets of an address, as written, decoded and sent: a password, `user:password`, or a bare token in place of the user. */
export function secretsInAddress(address: string): readonly string[] {
  const { user = '', password } =
    /^[a-z][a-z0-9+.-]*:\/\/(?<user>[^\s/:@]*)(?::(?<password>[^\s/]*))?@[^\s/@]*(?:[/?#]|$)/i.exec(address.trim())?.groups ?? {};
  // Over ssh the user is a name such as `git`.
  const secret = password || (isWebUrl(address.trim()) ? user : '');
  if (secret === '') return [];
  const packed = Buffer.from(`${decode(user)}:${decode(password ?? '')}`, 'utf8').toString('base64');
  return [...new Set([secret, decode(secret), packed])];
}

/** Cuts user info out of every address in a text, such as a message of git. */
export function stripUserinfoInText(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, '$1');
}

export function isWebUrl(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

/**
 * The transport of a remote's address, as git reads it; `null` for an address that pilotfish does not use. `ext::` and its like run a
 * program that the address names. Git or ssh would read a leading dash as an option. A line break, even an encoded one, would add a
 * line to the question for a credential helper.
 */
export function transportOf(url: string): 'web' | 'ssh' | 'folder' | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/^-|[\u0000-\u001f\u007f]|%(?:[01][0-9a-f]|7f)/i.test(url) || /^[a-z0-9][a-z0-9+.-]*::/i.test(url)) return null;
  const [, scheme, host = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)/i.exec(url) ?? [];
  if (host.startsWith('-') || host.includes('@-')) return null;
  if (scheme !== undefined) return transports.get(scheme.toLowerCase()) ?? null;
  // `host:path`; one letter before the colon is a drive of Windows.
  return /^[^/:]{2,}:/.test(url) || /^\[[^\]/]+\]:/.test(url) ? 'ssh' : 'folder';
}

const transports: ReadonlyMap<string, 'web' | 'ssh' | 'folder'> = new Map([
  ['https', 'web'],
  ['http', 'web'],
  ['ssh', 'ssh'],
  ['git+ssh', 'ssh'],
  ['ssh+git', 'ssh'],
  ['file', 'folder'],
]);

/** `owner/repo` of a hosted remote, subgroups included; `null` for a folder. */
export function slugOf(url: string): string | null {
  const scp = /^(?:[^/@:]+@)?([^/:]{2,}):(?!\/\/)(.+)$/.exec(url);
  const path = scp?.[2] ?? (/^(https?|ssh|git):\/\//i.test(url) && URL.canParse(url) ? new URL(url).pathname : null);
  const slug = path?.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  return slug?.includes('/') ? slug : null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
