import { randomBytes } from 'node:crypto';

/** A form as `multipart/form-data` (RFC 7578), one part a field. The boundary is random and occurs in no field. */
export function writeMultipart(
  fields: readonly (readonly [name: string, value: string])[],
  random: () => string = () => randomBytes(18).toString('hex'),
): { readonly text: string; readonly type: string } {
  const parts = fields.map(([name, value]) => `Content-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`);
  let boundary = random();
  while (parts.some((part) => part.includes(boundary))) boundary = random();
  const text = `${parts.map((part) => `--${boundary}\r\n${part}`).join('')}--${boundary}--\r\n`;
  return { text, type: `multipart/form-data; boundary=${boundary}` };
}

/** As browsers write it: a quote or line break would end the name. */
const quoted = (name: string): string => name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
