import type { Content } from './contract.ts';

/** The declared media type for a content type: with its parameters, without them, then by wildcard. */
export function pick(content: Content, contentType: string): string | null {
  const whole = contentType.toLowerCase().replaceAll('; ', ';');
  const plain = plainType(contentType);
  const types = Object.keys(content);
  return (
    types.find((type) => type.replaceAll('; ', ';') === whole) ??
    types.find((type) => plainType(type) === plain) ??
    types.find((type) => type === '*/*' || (type.endsWith('/*') && plain.startsWith(type.slice(0, -1)))) ??
    null
  );
}

/** Whether an `accept` header takes one of these types; a request without the header takes anything. */
export function accepts(accept: string | undefined, types: readonly string[]): boolean {
  if (accept === undefined || types.length === 0) return true;
  const ranges = accept.split(',').map(plainType);
  return types.some((type) =>
    ranges.some((range) => range === '*/*' || range === plainType(type) || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))),
  );
}

export const plainType = (type: string): string => type.split(';')[0]?.trim().toLowerCase() ?? '';
export const isForm = (type: string): boolean => ['application/x-www-form-urlencoded', 'multipart/form-data'].includes(plainType(type));
export const isJson = (type: string): boolean => /[/+]json$/.test(plainType(type));
export const isXml = (type: string): boolean => /[/+]xml$/.test(plainType(type));
