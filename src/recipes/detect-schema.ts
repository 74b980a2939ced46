import { z } from 'zod';
import { valueKinds } from '../ops/detect.ts';
import { serviceSignals } from '../ops/signals-schema.ts';

const json = z.json();
const text = z.string().min(1);
const names = z.array(text).min(1);
const file = z.string().regex(/^[^/]/, 'a path from the root of a repository');
const hints = z.record(z.string(), text);

const given = z.union([
  z.strictObject({ from: text }),
  z.strictObject({
    text,
    todo: text.exactOptional(),
    words: z.record(z.string(), text).exactOptional().describe('Words of the text that a param replaces where files hold its value.'),
  }),
]);

const foundId = z.strictObject({ param: text, file, at: z.string().startsWith('/'), pattern: text.exactOptional() });

const draftVariable = z.strictObject({
  names: names.describe('Names under which code reads the value, the usual one first.'),
  kind: z.enum(valueKinds).exactOptional().describe('What the value is. A name gets it only if its use fits.'),
  value: json,
  todo: text.exactOptional().describe('A hint for a value that a person must complete.'),
  optional: z.boolean().exactOptional().describe('The variable is left out where no file of the repository names it.'),
});

const draftLine = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  op: text,
  comment: text.describe('Why the line is there.'),
  params: z.record(z.string(), json),
  check: hints.exactOptional().describe('Hints for values that work as they are and deserve a look.'),
  todo: hints.exactOptional().describe('Hints for values that a person must replace.'),
  words: z
    .record(z.string(), z.record(z.string(), text))
    .exactOptional()
    .describe('Words of a value with a todo that a param replaces where files hold its value.'),
  part: z.enum(['database', 'flags', 'variable', 'deployment', 'address', 'report']).exactOptional(),
  hook: names.exactOptional().describe('Params with the path of a route that answers the provider.'),
});

/** `Detect` of src/ops/detect.ts, as a recipe family writes it. */
export const detect = z
  .strictObject({
    ...serviceSignals,
    ids: z.array(foundId).min(1).exactOptional().describe('Places in files that hold the value of a param.'),
    hosting: z
      .strictObject({ rank: z.int(), url: given, host: given.exactOptional(), shared: z.array(text).exactOptional() })
      .exactOptional(),
    variables: z
      .array(draftVariable)
      .min(1)
      .exactOptional()
      .describe('Values of its lines that a build needs, where a file of the repository names them.'),
    database: z.strictObject({ rank: z.int(), engine: text.exactOptional(), variables: z.array(draftVariable) }).exactOptional(),
    provider: z.record(z.string(), given).exactOptional().describe('Settings that its block needs in every plan.'),
    draft: z.array(draftLine).min(1).exactOptional().describe('Lines of a first plan for this provider.'),
  })
  .describe('How init recognises this provider, and which lines a first plan has for it.');
