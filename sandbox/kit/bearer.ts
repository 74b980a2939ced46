/** The token of `Authorization: Bearer …`; an empty text for another scheme, which no provider here takes. */
export function bearerOf({ headers }: { readonly headers: Headers }): string | null {
  const header = headers.get('authorization');
  if (header === null) return null;
  return /^Bearer (.+)$/i.exec(header)?.[1] ?? '';
}
