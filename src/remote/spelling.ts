/** Whether two ids are equal but for the case of their letters. */
export const isSameId = (a: string, b: string): boolean => a.normalize('NFC').toLowerCase() === b.normalize('NFC').toLowerCase();

/**
 * Whether a provider may have made one name of the other: by case, by outer spaces, or by hyphens for other signs. This is for an id
 * that the plan chose and that an answer shows in the provider's own spelling.
 */
export const isRespelt = (chosen: string, shown: string): boolean => slug(chosen) === slug(shown);

const slug = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
