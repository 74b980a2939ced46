/**
 * Whether a secret reads like a word that texts have anyway: `create`, `PROVIDER_AUTH`, `waitingOn`, `pr-1204`, `200000`, a date. Who masks
 * or refuses such a text wherever it appears takes away what people and programs need, and hides nothing: anybody would guess it.
 */
export function isOrdinary(secret: string): boolean {
  const text = secret.trim();
  if (text.length > longest) return false;
  if (number.test(text) || date.test(text)) return true;
  const pieces = text.split(/[-_./: ]/);
  return pieces.length <= mostPieces && pieces.every((piece) => word.test(piece));
}

const longest = 24;
const mostPieces = 3;
const word = /^(?:[a-z]{1,11}(?:[A-Z][a-z]{1,11})?|[A-Z]{1,11}|[A-Z][a-z]{1,10}|\d{1,4})$/;
const number = /^\d{1,9}$/;
const date = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?$/;
