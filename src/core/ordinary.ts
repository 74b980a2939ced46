/**
 * Whether a secret reads like a word that texts have anyway: `create`, `PROVIDER_AUTH`, `waitingOn`, `pr-1204`, `200000`, a date. Masking or
 * refusing such a word wherever it appears would take away what people and programs need, and would hide nothing: anybody could guess it.
 */
export function isOrdinary(secret: string): boolean {
  const text = secret.trim();
  if (text.length > longestOrdinary) return false;
  if (number.test(text) || date.test(text)) return true;
  const pieces = text.split(/[-_./: ]/);
  return pieces.length <= mostPieces && pieces.every((piece) => word.test(piece));
}

const mostPieces = 3;
const word = /^(?:[a-z]{1,11}(?:[A-Z][a-z]{1,11})?|[A-Z]{1,11}|[A-Z][a-z]{1,10}|\d{1,4})$/;
const number = /^\d{1,9}$/;
const date = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?$/;

/** The same for words with quotes, commas or several spaces between them: a text that spans lines or a list. */
export const isOrdinaryRun = (text: string): boolean => isOrdinary(text.replace(/[\s"'`,+]+/g, ' '));
/** Characters of the longest ordinary word. */
const longestOrdinary = 24;

/** How many first characters of this secret tell too much of it. A text that ends within the secret is masked from that many on. */
export function leastOf(secret: string): number {
  // Every document of one kind begins alike. Its lines and values are secrets of their own.
  if (/^\s*[{[<]|^-----/.test(secret)) return secret.length;
  const address = /^[a-z][a-z0-9+.-]*:\/\/(?:.*@)?[^/?#\s]*/is.exec(secret)?.[0].length ?? 0;
  const kind = /^(?:[a-z]{2,}\d{0,2}[_-])+/i.exec(secret.slice(0, longestKind))?.[0].length ?? 0;
  const user = /^[^\s:/]{1,80}:/.exec(secret)?.[0].length ?? 0;
  const beyond = address > 0 ? Math.max(shortestCut, Math.ceil((secret.length - address) / 2)) : 0;
  let least = Math.max(shortestCut, kind + 4, user + 4, address + beyond);
  while (least < secret.length && isWordy(secret.slice(0, least))) least += 1;
  return Math.min(least, secret.length);
}

/** A few words, or the beginning of one: texts have them anyway. */
function isWordy(text: string): boolean {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((one) => one !== '');
  return (
    isOrdinary(words.join(' ')) ||
    (words.length <= mostPieces && words.every((one) => /^(?:[a-z]{1,16}|[A-Z]?[a-z]{1,15}|\d{1,4})$/i.test(one)))
  );
}

/** Longest prefix such as `sk_live_`, which is no secret. A passphrase of words has no such prefix. */
const longestKind = 12;
const shortestCut = 8;
