const controls = /[\p{Cc}\p{Cs}\u2028\u2029]/u;
/** Characters that leave no mark on a screen, fillers and zero-width letters included. */
const unseen = /[\s\p{Z}\p{Cc}\p{Cs}\p{DI}\u2800]/gu;

export const isBlank = (text: string): boolean => text.replace(unseen, '') === '';

/** Why a text cannot serve as a name, a path or an id, as the end of a sentence; `null` where it can. */
export function whyNotText(text: string, longest: number): string | null {
  if (text === '') return 'is empty';
  if (isBlank(text)) return 'is blank';
  if (controls.test(text)) return 'holds a control character';
  return text.length > longest ? `is ${text.length} characters long, and at most ${longest} are allowed` : null;
}

/** The text without the full stops and spaces at its end. One pass from the end: a pattern would try every run of spaces in between. */
export function withoutFullStop(text: string): string {
  let end = text.length;
  while (end > 0 && /[.\s]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
