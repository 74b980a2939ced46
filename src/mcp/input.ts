import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { Failure } from '../core/errors.ts';
import { isOrdinary } from '../core/ordinary.ts';
import type { Redactor } from '../core/redact.ts';
import { isCredential } from '../plan/secret-names.ts';
import { oneLine } from '../report/text.ts';

/** What a call gave, or why it cannot be used. */
export type Given<T> = { readonly params: T } | { readonly failure: Failure };

/**
 * The params of a tool as its server reads them. A mistake is not told as an error of the protocol, which agents see as a crash, but
 * as a failure that says what to do. A text that looks like a secret, or is one that this server knows, is refused before anything
 * else sees it, and not repeated.
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
      fix: params.length > 0 ? `Use the params ${params.join(', ')} as the tool describes them.` : 'Leave the params out.',
    }),
  };
}

/** A name of a line or an environment may be a secret's value too: then the call names the line. */
export const holdsSecret = (text: string, redactor: Redactor): boolean => redactor.found(text).some((one) => !isOrdinary(one));

const secretGiven = new Failure('SECRET_LITERAL', {
  detail: 'A param of the call holds what looks like a secret. No tool of pilotfish takes one, and this text was neither used nor kept.',
  fix: 'Have a person put it into the environment of this server, and name it in the plan: { secret: env://NAME }.',
});

/** Whether a text anywhere in it, keys included, is such. Without recursion: it may be nested as deep as a message is long. */
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
