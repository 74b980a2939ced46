import { Failure } from '../../core/errors.ts';
import { Sealed } from '../../core/sealed.ts';
import { Pending } from '../../remote/value.ts';
import { Resolver } from '../line/resolve.ts';
import type { Session } from '../session.ts';
import { type Exported, textOf } from './exported.ts';

/** A variable of a command. */
export interface ExportedValue {
  readonly name: string;
  readonly text: string;
  readonly isSensitive: boolean;
}

/** Reads the values, one after the other. Throws `OUTPUT_UNAVAILABLE` for an output that existed once, and `PARAM_INVALID` for what is no text. */
export async function valuesOf(session: Session, exported: readonly Exported[]): Promise<readonly ExportedValue[]> {
  const { vault, readSecret } = session;
  const resolver = new Resolver({ vault, how: 'write', secret: ({ reference }) => readSecret(reference) });
  const values: ExportedValue[] = [];
  for (const one of exported) {
    const value = await resolver.value(one.value, one.name);
    if (value instanceof Pending)
      throw new Failure('NOT_APPLIED', { detail: `${one.name} needs ${textOf(one.value)}, which nobody has made yet.` });
    const isSensitive = value instanceof Sealed;
    values.push({ name: one.name, text: textFor(one, isSensitive ? value.reveal() : value), isSensitive });
  }
  return values;
}

function textFor({ name, value, place }: Exported, read: unknown): string {
  if (typeof read === 'number' || typeof read === 'boolean') return String(read);
  if (typeof read === 'string') {
    if (!read.includes('\0')) return read;
    throw new Failure('PARAM_INVALID', {
      detail: `${name}, taken from ${textOf(value)}, holds a NUL character, which no variable can hold.`,
      fix: 'Export another output.',
      place,
    });
  }
  throw new Failure('PARAM_INVALID', {
    detail: `${name}, taken from ${textOf(value)}, is ${read === null ? 'empty' : Array.isArray(read) ? 'a list' : 'a map'}, and a variable is a text.`,
    fix: 'Name an output that is a text, a number or a boolean.',
    place,
  });
}
