/** A secret, and the parts of it that are secret by themselves: the password of a connection string, each line of a key file. */
export function secretParts(secret: string, shortest: number): ReadonlySet<string> {
  const parts = [secret, secret.trim(), ...lines(secret), ...jsonLeaves(secret), ...dsnParts(secret)];
  return new Set(parts.filter((part) => part.trim().length >= shortest));
}

/**
 * Spellings that are searched for as they are. The text before a secret may look like the beginning of an escape and take the secret's
 * first characters away in the normal form. A secret of signs alone has no normal form.
 */
export const writtenForms = (part: string): readonly string[] => [
  part,
  ...jsonForms(part),
  ...xmlForms(part),
  ...percentForms(part),
  ...base64Forms(part),
];

/** Spellings that show no character of the part itself: its bytes as base64, as numbers with nothing between, and UTF-16 bytes as characters. */
export const packedForms = (part: string): readonly string[] => {
  const bytes = Buffer.from(part, 'utf8');
  const hex = bytes.toString('hex');
  const wide = Buffer.from(part, 'utf16le');
  const numbers = [hex, hex.replace(/..(?=.)/g, '$&:'), hex.replace(/../g, '0x$&'), [...bytes].join('')];
  return [...base64Forms(part), ...numbers, wide.toString('latin1'), wide.swap16().toString('latin1')];
};

function lines(secret: string): string[] {
  const all = secret.split(/\r\n|\r|\n/);
  return all.length > 1 ? all.map((line) => line.trim()) : [];
}

/** The values of a key file in JSON, because a provider may quote one of them. Names tell which values are secret. */
function jsonLeaves(secret: string): string[] {
  if (!secret.trimStart().startsWith('{')) return [];
  try {
    const found: string[] = [];
    JSON.parse(secret, (name: string, value: unknown) => {
      if (typeof value === 'string' && /key|secret|token|passw/i.test(name)) found.push(value, ...lines(value));
      return value;
    });
    return found;
  } catch {
    return [];
  }
}

function dsnParts(secret: string): string[] {
  const found: string[] = [];
  const userInfo = /^[a-z][a-z0-9+.-]*:\/\/([^:/@?#\s]*):(\S*)$/i.exec(secret.trim());
  if (userInfo) {
    const [, user = '', rest = ''] = userInfo;
    // A password may hold a raw `@` or `/`, so both of its possible ends are taken.
    const ends = new Set([rest.indexOf('@'), rest.lastIndexOf('@')]);
    for (const end of ends) if (end > 0) found.push(...withDecoded(rest.slice(0, end)));
    // A user name that was made for this database is masked too. Common names ("postgres", "default") would mask ordinary text.
    if (found.length > 0 && /\d/.test(user)) found.push(...withDecoded(user));
  }
  for (const match of secret.matchAll(/\b(?:password|pwd|accountkey|sharedaccesskey)=([^;&\s]+)/gi))
    found.push(...withDecoded(match[1] ?? ''));
  return found;
}

function withDecoded(text: string): string[] {
  try {
    return [text, decodeURIComponent(text)];
  } catch {
    return [text];
  }
}

function jsonForms(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  const ascii = (digits: (hex: string) => string) =>
    escaped.replace(/[\u007f-\uffff]/g, (c) => `\\u${digits(c.charCodeAt(0).toString(16).padStart(4, '0'))}`);
  const lower = ascii((hex) => hex);
  const forms = [escaped, lower, ascii((hex) => hex.toUpperCase())];
  const slashed = forms.map((form) => form.replaceAll('/', '\\/'));
  // JSON within a page must not begin an element: some encoders (Go, Rails) escape all three characters, others the first alone.
  const unicode = (c: string): string => `\\u00${c.charCodeAt(0).toString(16)}`;
  const inPages = forms.flatMap((form) => [form.replace(/[<>&]/g, unicode), form.replaceAll('<', unicode)]);
  const once = [...forms, ...slashed, ...inPages];
  return [...once, ...once.map((form) => JSON.stringify(form).slice(1, -1))];
}

function xmlForms(text: string): string[] {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = escaped.replaceAll('"', '&quot;');
  return [escaped, quoted, quoted.replaceAll("'", '&apos;'), quoted.replaceAll("'", '&#39;')];
}

function percentForms(text: string): string[] {
  const whole = text.toWellFormed();
  const component = encodeURIComponent(whole);
  const strict = component.replace(/[!'()*~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([['', whole]]).toString().slice(1);
  const query = new URLSearchParams([['', whole]]).toString().slice(1).replaceAll('+', '%20');
  const upper = [component, strict, form, query, encodeURI(whole), component.replaceAll('%20', '+'), encodeURIComponent(component)];
  return [...upper, ...upper.map((one) => one.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()))];
}

/**
 * Inside a longer base64 text the secret begins at one of three bit offsets. The characters at its edges mix with its
 * neighbours. The characters between are always the same.
 */
function base64Forms(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const stable = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return [stable, stable.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
