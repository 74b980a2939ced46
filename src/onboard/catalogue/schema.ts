import { z } from 'zod';
import { serviceSignals } from '../../ops/signals-schema.ts';
import { kinds } from './kinds.ts';

const sentence = z.string().regex(/^[A-Z][^\n]*\.$/, 'a sentence');
const name = z.string().regex(/^[a-z][a-z0-9_]*$/, 'lower case, digits and _');

/** A file of the catalogue: a service that no adapter and no recipe manages, or an engine that many providers run. */
export const serviceFile = z.strictObject({
  name,
  title: z.string().min(1),
  kind: z.enum(kinds),
  engine: z.literal(true).exactOptional().describe('Many providers run it. It is claimed where none of them is.'),
  ways: z.array(name).min(1).exactOptional().describe('For an engine: adapters and recipe families that give each preview one.'),
  engines: z.array(name).min(1).exactOptional().describe('For a provider: the engines that it may run.'),
  ...serviceSignals,
  why: sentence.exactOptional().describe('Why nothing manages it. The kind has a reason, and an engine too.'),
  ask: sentence.exactOptional().describe('What a person can do. The kind has one.'),
  shares: z
    .array(name)
    .min(1)
    .exactOptional()
    .describe('Services that a signal of `uses` proves as well. Without this, a test refuses a signal that two services have.'),
});

export type ServiceFile = z.infer<typeof serviceFile>;
