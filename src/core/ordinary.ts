/**
 * Whether a secret reads like a word that texts have anyway: `create`, `PROVIDER_AUTH`, `waitingOn`, `pr-1204`, `200000`, a date. Who masks
 * or refuses such a text wherever it appears takes away what people and programs need, and hides nothing: anybody would guess it.
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

/** The same of words with quotes, commas or several spaces between them: a text that goes on over a line or a list. */
export const isOrdinaryRun = (text: string): boolean => isOrdinary(text.replace(/[\s"'`,+]+/g, ' '));
/** No ordinary word has more characters. */
const longestOrdinary = 24;

/** From how many characters on a text that ends within this secret tells too much of it. */
export function leastOf(secret: string): number {
  // A document begins as every other one of its kind does; its lines and values are secrets of their own.
  if (/^\s*[{[<]|^-----/.test(secret)) return secret.length;
  const address = /^[a-z][a-z0-9+.-]*:\/\/(?:.*@)?[^/?#\s]*/is.exec(secret)?.[0].length ?? 0;
  const kind = /^(?:[a-z]{2,}\d{0,2}[_-])+/i.exec(secret.slice(0, longestKind))?.[0].length ?? 0;
  const user = /^[^\s:/]{1,80}:/.exec(secret)?.[0].length ?? 0;
  const beyond = address > 0 ? Math.max(shortestCut, Math.ceil((secret.length - address) / 2)) : 0;
  let least = Math.max(shortestCut, kind + 4, user + 4, address + beyond);
  while (least < secret.length && isWordy(secret.slice(0, least))) least += 1;
  return Math.min(least, secret.length);
}

/** A few words, or the beginning of one: texts have it anyway. */
function isWordy(text: string): boolean {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((one) => one !== '');
  return (
    isOrdinary(words.join(' ')) ||
    (words.length <= mostPieces && words.every((one) => /^(?:[a-z]{1,16}|[A-Z]?[a-z]{1,15}|\d{1,4})$/i.test(one)))
  );
}

/** `sk_live_` and the like are no secret, and neither is the user before a password. A passphrase of words has no such beginning. */
const longestKind = 12;
const shortestCut = 8;
