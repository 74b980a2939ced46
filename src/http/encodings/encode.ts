import { randomBytes } from 'node:crypto';
import { Failure } from '../../core/errors.ts';
import { isMap } from '../../core/json.ts';
import { Sealed } from '../../core/sealed.ts';
import type { Body, Encoding, ProviderBlock } from '../types.ts';
import { writeXml } from './xml-write.ts';

type FormArrays = NonNullable<ProviderBlock['form_arrays']>;

/** A body as it is sent. The one place where sealed leaves are revealed. */
export function encodeBody(
  body: Body,
  encoding: Encoding,
  arrays: FormArrays = 'brackets',
): { readonly text: string; readonly type: string } {
  const open = reveal(body);
  switch (encoding) {
    case 'json':
      return { text: JSON.stringify(open), type: 'application/json' };
    case 'form':
      return { text: new URLSearchParams(fieldsOf(open, arrays)).toString(), type: 'application/x-www-form-urlencoded' };
    case 'xml':
      return { text: writeXml(open), type: 'application/xml' };
    case 'multipart':
      return writeMultipart(fieldsOf(open, arrays));
  }
}

/** Every sealed leaf, so that each is known to the redactor before it is sent. */
export function sealedIn(body: Body | undefined): readonly Sealed[] {
  if (body instanceof Sealed) return [body];
  if (Array.isArray(body)) return (body as readonly Body[]).flatMap(sealedIn);
  return isMap(body) ? Object.values(body as { readonly [name: string]: Body }).flatMap(sealedIn) : [];
}

function reveal(body: unknown): unknown {
  if (body instanceof Sealed) return body.reveal();
  if (Array.isArray(body)) return body.map(reveal);
  return isMap(body) ? Object.fromEntries(Object.entries(body).map(([name, value]) => [name, reveal(value)])) : body;
}

type Field = [name: string, value: string];

/** The fields of a form: a member of an inner map is `name[member]`. */
function fieldsOf(body: unknown, arrays: FormArrays): Field[] {
  if (!isMap(body)) throw new Failure('PARAM_INVALID', { detail: 'A form body is a map of names to values.' });
  const fields: Field[] = [];
  for (const [name, value] of Object.entries(body)) append(fields, name, value, arrays);
  return fields;
}

function append(form: Field[], name: string, value: unknown, arrays: FormArrays): void {
  if (value === undefined) return;
  if (Array.isArray(value)) {
    // A form cannot hold an empty list. Form APIs such as Stripe's clear a list when they get an empty value.
    if (value.length === 0) form.push([name, '']);
    for (const [index, item] of (value as readonly unknown[]).entries()) append(form, itemName(name, index, arrays), item, arrays);
  } else if (isMap(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0) form.push([name, '']);
    for (const [inner, item] of entries) append(form, `${name}[${inner}]`, item, arrays);
  } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    form.push([name, String(value)]);
  } else if (value === null) {
    form.push([name, '']);
  } else {
    throw new Failure('INTERNAL', { detail: `The form field ${name} holds a value that no form can carry.` });
  }
}

function itemName(name: string, index: number, arrays: FormArrays): string {
  if (arrays === 'repeat') return name;
  return arrays === 'index' ? `${name}[${index}]` : `${name}[]`;
}

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

/** Escapes a name as browsers do: a quote or line break would end the name. */
const quoted = (name: string): string => name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
