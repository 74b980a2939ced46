import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { actionShape } from '../../src/ops/generic/action.ts';
import { listItemShape } from '../../src/ops/generic/list-item.ts';
import { resourceShape } from '../../src/ops/generic/resource-shape.ts';
import { root } from '../tasks.ts';
import { generatedNote, markdownTable, page } from './markdown.ts';

const folder = 'docs/http';

/** `docs/http.md`: how to write a line for a provider that pilotfish does not know. Its tables come from the program's own shapes. */
export async function httpPage(): Promise<string> {
  const files = (await readdir(join(root, folder))).filter((name) => name.endsWith('.yaml')).sort();
  const examples = await Promise.all(files.map((name) => readFile(join(root, folder, name), 'utf8')));
  const known = new Set<z.ZodType>();
  return page(
    '# A line for any HTTP API',
    generatedNote('scripts/docs/http.ts, the shapes in src/ops/generic and docs/http'),
    `Use the adapter \`http\` for a provider that has no adapter and no recipe. Describe its API in a block under \`providers.http\`. Each line then gives the requests that find, make, change and remove its object. There is no scripting: if the keys below are not enough, write an adapter ([CONTRIBUTING.md](../CONTRIBUTING.md)).`,
    `pilotfish refuses every unknown key before the first request, and names its place and the nearest known key. \`pilotfish plan\` sends only reads, so you can safely write a line by trial.`,
    blockPart,
    `## ${'`op: resource`'}: one object`,
    resourceText,
    ...tables(resourceShape(), known),
    `## ${'`op: list_item`'}: one entry of a shared collection`,
    listItemText,
    ...tables(listItemShape(), known),
    `## ${'`op: action`'}: an effect without an object`,
    actionText,
    ...tables(actionShape(), known),
    '## Worked examples',
    `Each example is a whole plan. [A test](../test/specification/worked-examples.test.ts) plans it, applies it, applies it again without a write, and destroys it.`,
    ...examples.map((text, i) => `[${files[i]}](http/${files[i]})\n\n\`\`\`yaml\n${text.trimEnd()}\n\`\`\``),
  );
}

const blockPart = `## The block of an API

\`\`\`yaml
providers:
  http:
    acme:
      base_url: https://api.acme.example/v1
      auth: { bearer_env: ACME_TOKEN }
\`\`\`

${markdownTable(
  ['Key', 'Meaning'],
  [
    ['`base_url`', 'The address that every path is appended to. `ACME_API_URL`, or the variable that `base_url_env` names, overrides it.'],
    ['`auth`', 'One credential form, below. It names variables or a literal command, never a value.'],
    ['`headers`', 'Headers of every request. Put a header that carries a credential in `auth`.'],
    ['`encoding`', '`json` (default), `form`, `xml` or `multipart`.'],
    ['`form_arrays`', '`repeat` sends a list as the key repeated, `index` as `key[0]`, `brackets` (default) as `key[]`.'],
    ['`media_type`', 'A versioned JSON media type, sent as Accept and as Content-Type.'],
    [
      '`refuse_credential`',
      '`{ prefixes, unless_env }`: a credential that begins with one of these prefixes is refused before any request, in plan, apply and destroy, unless the variable is `1` or `true`.',
    ],
    [
      '`concurrency`',
      'The most requests in flight at once. Default: 16, but 10 after a first round until the host has answered 24. A 429 halves it for the run. From then on, no more requests are sent in a second than the host had accepted in one.',
    ],
    ['`region`, `session_token_env`', 'Only with `auth: { aws_v4 }`.'],
    ['`recipe`', 'A recipe family that supplies defaults for all of these.'],
  ],
)}

The resolved block is part of an object's identity: base address, credential variables, headers, encoding. After an edit of the block, its
objects count as other ones. So destroy the scope before you edit it.

The address of a webhook may be a credential by itself. A variable may give an address whose path holds more than words and versions
(\`/neon/api/v2\`) and is not the provider's own. Then pilotfish stores and shows only its origin. In place of the rest it writes the
variable's name and a slow fingerprint, and a destroy reads the address from the variable again.

${markdownTable(
  ['Credential form', 'Sends'],
  [
    ['`{ bearer_env: NAME }`', '`Authorization: Bearer …`'],
    ['`{ header: X-Api-Key, value_env: NAME, prefix: "Key " }`', 'this header; the prefix is optional'],
    ['`{ header: Authorization, user_env: NAME_ID, value_env: NAME_TOKEN }`', 'the two values with a colon between them, unencoded'],
    ['`{ headers: [{ header, value_env, prefix, user_env }, …] }`', 'several headers together'],
    [
      '`{ basic: { user_env, password_env } }`',
      'HTTP Basic; write `user: api` for a user name that is not secret, and `password: ""` if there is no password',
    ],
    [
      '`{ oauth_client_credentials: { client_id_env, client_secret_env, token_url, token_path, audience, audience_path, resource, scope } }`',
      'a bearer token from the token endpoint, fetched once in each run, again shortly before it expires, and once more after a 401',
    ],
    [
      '`{ command: [gcloud, auth, print-access-token] }`',
      'the token that this command prints, as bearer; the command runs again after five minutes, and once more after a 401',
    ],
    ['`{ aws_v4: { access_key_id_env, secret_access_key_env, service } }`', 'a signature on each request, with the `region` of the block'],
    ['`{ digest: { user_env, password_env } }`', 'HTTP Digest, with SHA-256 or MD5 as the server asks'],
  ],
)}

The name of a variable that holds a secret must end in \`TOKEN\`, \`SECRET\`, \`KEY\`, \`PASSWORD\`, \`PASS\`, \`PAT\` or \`CREDENTIALS\`, so
that log filters mask it too. A line may have \`credential: { from: <line>.<output> }\` or \`credential: { secret: <reference> }\`, which replaces the
block's value for this line.

### Values in an address

A \`\${ctx.…}\` in a path, a URL or a \`query\` is encoded for its place, so it is always one segment or one value of the query, however the
branch is named. \`path: "/builds?branch=\${ctx.git.branch}"\` sends \`a&admin=1\` as \`a%26admin%3D1\`. A \`{name}\` from \`with\` is encoded in
the same way. \`{+name}\` keeps slashes and the other signs of an address (RFC 6570, reserved expansion). Use it only for values that the
plan's author knows. In a URL that is sent in a body, and in a param of a recipe, the slashes of a value stay part of the path.
`;

const resourceText = `The key of an object is the find path with the values that it is matched by, or the read path. Before each create, pilotfish looks for the
object. If it exists and no earlier run announced it, pilotfish refuses it as foreign. pilotfish takes it over only if every field is
\`{ keep: true }\`. Two matches are refused.

How pilotfish recognises an object that is recorded, and what these keys are for even so:

| Key | What it is for | Example |
| - | - | - |
| \`find.match\` | finds an object that no record names, before a create and after a lost answer; a recorded object is found by its id | \`match: { url: "https://…" }\` |
| \`read\` | reads the whole object, and tells whether a recorded object that the list does not show still exists | \`read: { path: "/hooks/{id}" }\` |
| \`compare\` | two forms with the same meaning, where no answer shows that one is a form of the other | \`compare: { region: { ignore_case: true } }\` |
| \`settle\` | a list that lags: pilotfish waits this long before it believes that nothing is there, or that the object there is not the recorded one | \`settle: 5\` |
| \`find.page\` | where the list ends: \`cap\` is the server's own limit, and \`total\` the number of all objects; without both, a list is read until an empty page, which \`until_empty: true\` can state | \`page: { kind: page, param: page, size: 100, cap: 100 }\` |

Case, a final slash or dot, spacing, the order of a list and the like need no \`compare\`. pilotfish learns from the write how the
provider stores a value ([in untidy worlds](guarantees.md#in-untidy-worlds)).`;

const listItemText = `pilotfish reads the parent, changes only this entry, writes the collection and reads it again. The write counts when the read shows the
entry as planned, in the provider's own spelling. If another writer dropped it, pilotfish writes it up to three times more. Lines of one
parent, in every scope, take turns. An entry that was there before is never treated as ours. If two entries could be ours, pilotfish refuses
and names both.`;

const actionText = `The request is sent if its trigger changed since the last time. It is sent at least once, so the endpoint must tolerate a repeat. Destroy
sends nothing. A line without \`api\` sends to an absolute \`url\`, without any credential.`;

interface Part {
  /** How the table calls its keys: `find.page.`. */
  readonly prefix: string;
  readonly shape: z.ZodType;
}

/** One table for the keys of a shape, and one for each map below it. A map that several keys have, such as `graphql`, gets one table a page. */
function tables(shape: z.ZodType, known: Set<z.ZodType>): string[] {
  const open: Part[] = [{ prefix: '', shape }];
  const made: string[] = [];
  for (let part = open.shift(); part; part = open.shift()) {
    const { prefix } = part;
    const members = membersOf(part.shape);
    made.push(
      markdownTable(
        ['Key', 'Meaning'],
        members.map(({ key, schema, isRequired }) => [
          `\`${prefix}${key}\``,
          `${meaningOf(prefix + key, schema)}${isRequired ? ' Required.' : ''}`,
        ]),
      ),
    );
    open.unshift(...members.flatMap(({ key, schema }) => below(prefix + key, schema, known)));
  }
  return made;
}

/** The map that a key holds, unless a table has it already. */
function below(key: string, schema: z.ZodType, known: Set<z.ZodType>): readonly Part[] {
  const map = mapIn(schema);
  if (map === null || known.has(map)) return [];
  known.add(map);
  return [{ prefix: `${key}.`, shape: map }];
}

function meaningOf(key: string, schema: z.ZodType): string {
  const said = descriptionOf(schema);
  if (said === undefined) throw new Error(`the shapes in src/ops/generic give no meaning of ${key}`);
  return said;
}

/** The description of a schema, or of what it wraps: the first form of a union that has one. */
function descriptionOf(schema: z.ZodType): string | undefined {
  const inside = isWrapper(schema) ? [schema.unwrap()] : schema instanceof z.ZodUnion ? schema.options : [];
  return schema.description ?? inside.map((one) => descriptionOf(one as z.ZodType)).find((said) => said !== undefined);
}

const isWrapper = (schema: z.ZodType) =>
  schema instanceof z.ZodExactOptional || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;

const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success || schema instanceof z.ZodExactOptional;

/** The shape with keys in a shape: inside its wrappers, the values of a record, the entries of a list or a form of a union. */
function mapIn(schema: z.ZodType): z.ZodType | null {
  if (isWrapper(schema)) return mapIn(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodRecord) return mapIn(schema.valueType as z.ZodType);
  if (schema instanceof z.ZodArray) return mapIn(schema.element as z.ZodType);
  if (schema instanceof z.ZodUnion) return schema.options.some((one) => mapIn(one as z.ZodType)) ? schema : null;
  return schema instanceof z.ZodObject ? schema : null;
}

interface Member {
  readonly key: string;
  readonly schema: z.ZodType;
  readonly isRequired: boolean;
}

/** Every key of a shape once. A key of a union is described by the first form that says its meaning, and required if every form needs it. */
function membersOf(shape: z.ZodType): readonly Member[] {
  const map = mapIn(shape);
  if (map instanceof z.ZodObject) {
    const members = Object.entries(map.shape as { readonly [key: string]: z.ZodType });
    return members.map(([key, schema]) => ({ key, schema, isRequired: !isOptional(schema) }));
  }
  if (!(map instanceof z.ZodUnion)) throw new Error('a table needs a map with keys');
  const forms = map.options.filter((one) => mapIn(one as z.ZodType)).map((one) => membersOf(one as z.ZodType));
  return [...Map.groupBy(forms.flat(), ({ key }) => key).values()].flatMap((same) => {
    const isRequired = same.length === forms.length && same.every((one) => one.isRequired);
    const one = same.find(({ schema }) => descriptionOf(schema)) ?? same[0];
    return one ? [{ ...one, isRequired }] : [];
  });
}
