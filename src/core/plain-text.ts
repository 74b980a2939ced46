const controls = /[\p{Cc}\p{Cs}\u2028\u2029]/u;
/** What leaves no mark on a screen, fillers and zero-width letters included. */
const unseen = /[\s\p{Z}\p{Cc}\p{Cs}\p{DI}\u2800]/gu;

export const isBlank = (text: string): boolean => text.replace(unseen, '') === '';

/** Why a text cannot be a name, a path or an id that somebody gave, as the end of a sentence; `null` where it can. */
export function whyNotText(text: string, longest: number): string | null {
  if (text === '') return 'is empty';
  if (isBlank(text)) return 'is blank';
  if (controls.test(text)) return 'holds a control character';
  return text.length > longest ? `is ${text.length} characters long, and at most ${longest} are possible` : null;
}
