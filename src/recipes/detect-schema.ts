import { z } from 'zod';

const json = z.json();
const text = z.string().min(1);
const names = z.array(text).min(1);
const file = z.string().regex(/^[^/]/, 'a path from the root of a repository');
const hints = z.record(z.string(), text);

const given = z.union([z.strictObject({ from: text }), z.strictObject({ text, todo: text.exactOptional() })]);

const heldKey = z.strictObject({ file, at: z.string().startsWith('/') });
const foundId = z.strictObject({ param: text, file, at: z.string().startsWith('/'), pattern: text.exactOptional() });

const draftVariable = z.strictObject({
  names: names.describe('Names under which code reads it, the usual one first.'),
  value: json,
  todo: text.exactOptional().describe('A hint where a person has to complete the value.'),
  optional: z.boolean().exactOptional().describe('Left out where no file of the repository names it.'),
});

const draftLine = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  op: text,
  comment: text.describe('Why it is there.'),
  params: z.record(z.string(), json),
  check: hints.exactOptional().describe('What a person should look at in a value that works as it is.'),
  todo: hints.exactOptional().describe('Hints for values that a person has to replace.'),
  part: z.enum(['database', 'flags', 'variable', 'deployment']).exactOptional(),
});

/** `Detect` of src/ops/detect.ts, as a recipe family writes it. */
export const detect = z
  .strictObject({
    files: z.array(file).min(1).exactOptional().describe('Files of the repository that tell of this provider.'),
    holds: z.array(heldKey).min(1).exactOptional().describe('Keys in files that tell of it, where others have such a file as well.'),
    dependencies: names.exactOptional().describe('Packages that tell of it.'),
    commands: names.exactOptional().describe('Programs that tell of it where a script of a manifest starts them, such as its CLI.'),
    env: names.exactOptional().describe('Environment variables that tell of it.'),
    hosts: z.array(z.string().startsWith('.')).min(1).exactOptional().describe('Suffixes of the host in a database URL that tell of it.'),
    ids: z.array(foundId).min(1).exactOptional().describe('Where files hold the value of a param.'),
    hosting: z.strictObject({ rank: z.int(), url: given, host: given.exactOptional() }).exactOptional(),
    database: z.strictObject({ rank: z.int(), variables: z.array(draftVariable) }).exactOptional(),
    provider: z.record(z.string(), given).exactOptional().describe('What its block needs in every plan.'),
    draft: z.array(draftLine).min(1).exactOptional().describe('What a first plan has for it.'),
  })
  .describe('How init recognises this provider, and what a first plan has for it.');
