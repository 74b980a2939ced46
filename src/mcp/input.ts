import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { Failure } from '../core/errors.ts';
import { isOrdinary } from '../core/ordinary.ts';
import type { Redactor } from '../core/redact.ts';
import { isCredential } from '../plan/secret-names.ts';
import { oneLine } from '../report/text.ts';

/** The params of a call, or the reason why they cannot be used. */
export type Given<T> = { readonly params: T } | { readonly failure: Failure };

/**
 * Reads the params of a tool. A mistake becomes a failure with a fix, and not an error of the protocol, which agents see as a crash. A text
 * that looks like a secret, or is a secret of this server, is refused before anything else sees it, and is not repeated.
 */
export function given<Schema extends z.ZodObject>(
  schema: Schema,
  redactor: Redactor,
): StandardSchemaWithJSON<unknown, Given<z.output<Schema>>> {
  const { jsonSchema } = schema['~standard'];
  return {
    '~standard': {
      version: 1,
      vendor: 'pilotfish',
      jsonSchema,
      validate: (value) => ({ value: read(schema, redactor, value) }),
    },
  };
}

function read<Schema extends z.ZodObject>(schema: Schema, redactor: Redactor, value: unknown): Given<z.output<Schema>> {
  if (holds(value, (text) => isCredential(text) || holdsSecret(text, redactor))) return { failure: secretGiven };
  const checked = schema.safeParse(value);
  if (checked.success) return { params: checked.data };
  const mistakes = checked.error.issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message));
  const params = Object.keys(schema.shape);
  return {
    failure: new Failure('USAGE', {
      detail: `The params of the call are wrong. ${oneLine(mistakes.join('. ')).slice(0, 1_000)}.`,
      fix: params.length > 0 ? `Use the params ${params.join(', ')} as the tool documents them.` : 'Leave the params out.',
    }),
  };
}

/**
 * Tells whether a text holds a secret. An ordinary word may equal a secret's value, and then it still counts as the name of a line or an
 * environment.
 */
export const holdsSecret = (text: string, redactor: Redactor): boolean => redactor.found(text).some((one) => !isOrdinary(one));

const secretGiven = new Failure('SECRET_LITERAL', {
  detail: 'A param of the call looks like a secret. No tool of pilotfish takes a secret, and this text was neither used nor kept.',
  fix: 'Ask a person to put it into the environment of this server, and name the variable in the plan: { secret: env://NAME }.',
});

/**
 * Tells whether any text in a value, keys included, is such a text. It does not recurse, because a value may be nested as deep as a message
 * is long.
 */
function holds(value: unknown, isSuch: (text: string) => boolean): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one === 'string' && isSuch(one)) return true;
    if (Array.isArray(one)) for (const item of one) open.push(item);
    else if (typeof one === 'object' && one !== null) for (const entry of Object.entries(one)) open.push(...entry);
  }
  return false;
}
