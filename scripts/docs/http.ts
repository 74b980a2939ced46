import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { actionShape } from '../../src/ops/generic/action.ts';
import { listItemShape } from '../../src/ops/generic/list-item.ts';
import { resourceShape } from '../../src/ops/generic/resource-shape.ts';
import { root } from '../tasks.ts';
import { generatedNote, markdownTable, page } from './markdown.ts';

const folder = 'docs/http';

/** `docs/http.md`: how to write a line for a provider that pilotfish does not know. The tables are the program's own shapes. */
export async function httpPage(): Promise<string> {
  const files = (await readdir(join(root, folder))).filter((name) => name.endsWith('.yaml')).sort();
  const examples = await Promise.all(files.map((name) => readFile(join(root, folder, name), 'utf8')));
  return page(
    '# A line for any HTTP API',
    generatedNote('scripts/docs/http.ts, the shapes in src/ops/generic and docs/http'),
    `A provider that has no adapter and no recipe is reached with the adapter \`http\`. Its API gets a block under \`providers.http\`, and each line says with which requests its object is found, made, changed and removed. There is no scripting: what cannot be said with the keys below needs an adapter ([CONTRIBUTING.md](../CONTRIBUTING.md)).`,
    `Every key that pilotfish does not know is refused before the first request, with its place and the nearest known key. \`pilotfish plan\` sends reads only, so it is safe to write a line by trial.`,
    blockPart,
    `## ${'`op: resource`'}: one object`,
    resourceText,
    ...tables('', resourceShape(), ['find', 'read', 'create', 'update', 'delete', 'compare']),
    `## ${'`op: list_item`'}: one entry of a shared collection`,
    listItemText,
    ...tables('', listItemShape(), ['parent']),
    `## ${'`op: action`'}: an effect without an object`,
    actionText,
    ...tables('', actionShape(), ['request']),
    '## Worked examples',
    `Each is a whole plan, run by [a test](../test/specification/worked-examples.test.ts): planned, applied, applied again without a write, destroyed.`,
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
    ['`base_url`', 'The address that every path stands below. `ACME_API_URL` overrides it, or the variable that `base_url_env` names.'],
    ['`auth`', 'One credential form, below. It names variables or a literal command, never a value.'],
    ['`headers`', 'Headers of every request. A header that carries a credential belongs into `auth`.'],
    ['`encoding`', '`json` (default), `form`, `xml` or `multipart`.'],
    ['`form_arrays`', '`repeat` sends a list as the key repeated, `index` as `key[0]`, `brackets` (default) as `key[]`.'],
    ['`media_type`', 'A versioned JSON media type, sent as Accept and as Content-Type.'],
    [
      '`refuse_credential`',
      '`{ prefixes, unless_env }`: a credential that begins with one of these is refused before any request, in plan, apply and destroy, unless the variable is `1` or `true`.',
    ],
    [
      '`concurrency`',
      'Requests in flight at once. 16 when left out; after a first round 10, until the host has answered 24. A 429 halves it for the run, and from then on no more are sent in a second than the host had taken in one.',
    ],
    ['`region`, `session_token_env`', 'With `auth: { aws_v4 }` only.'],
    ['`recipe`', 'A recipe family that supplies defaults for all of these.'],
  ],
)}

The block as resolved is part of what an object is known by: base address, credential variables, headers, encoding. Editing it makes
its objects other ones, so destroy the scope first.

The address of a webhook may be a credential by itself. Where a variable gives an address, and its path holds more than words and versions
(\`/neon/api/v2\`) and is not the provider's own, nothing but its origin is stored or shown: in its place stand the variable's name and a slow
fingerprint, and a destroy reads the address from the variable again.

${markdownTable(
  ['Credential form', 'Sends'],
  [
    ['`{ bearer_env: NAME }`', '`Authorization: Bearer …`'],
    ['`{ header: X-Api-Key, value_env: NAME, prefix: "Key " }`', 'this header; the prefix may be left out'],
    ['`{ header: Authorization, user_env: NAME_ID, value_env: NAME_TOKEN }`', 'the two with a colon between them, unencoded'],
    ['`{ headers: [{ header, value_env, prefix, user_env }, …] }`', 'several headers together'],
    [
      '`{ basic: { user_env, password_env } }`',
      'HTTP Basic; `user: api` for a user name that is no secret, `password: ""` where there is none',
    ],
    [
      '`{ oauth_client_credentials: { client_id_env, client_secret_env, token_url, token_path, audience, audience_path, resource, scope } }`',
      'a bearer token from the token endpoint, fetched once a run, again shortly before it expires and once after a 401',
    ],
    [
      '`{ command: [gcloud, auth, print-access-token] }`',
      'the token that this command prints, as bearer; asked for again after five minutes and once after a 401',
    ],
    ['`{ aws_v4: { access_key_id_env, secret_access_key_env, service } }`', 'each request signed, with `region` of the block'],
    ['`{ digest: { user_env, password_env } }`', 'HTTP Digest, SHA-256 or MD5 as the server asks'],
  ],
)}

A variable of a secret must have a name that ends like one (\`TOKEN\`, \`SECRET\`, \`KEY\`, \`PASSWORD\`, \`PASS\`), so that log filters mask it too.
A line may carry \`credential: { from: <line>.<output> }\` or \`credential: { secret: <reference> }\`, which takes the place of the
block's value for this line.

### Values in an address

A \`\${ctx.…}\` in a path, a URL or a \`query\` is encoded for its place: it is one segment, or one value of the query, whatever a branch is called.
\`path: "/builds?branch=\${ctx.git.branch}"\` sends \`a&admin=1\` as \`a%26admin%3D1\`. A \`{name}\` that \`with\` gives is encoded in the same way. \`{+name}\`
keeps slashes and the other signs of an address (RFC 6570, reserved expansion); it is for values that the plan's author knows. In a URL that
is sent in a body, and in a param of a recipe, the slashes of a value stay those of the path.
`;

const resourceText = `The object is known by its key: the find path with the values that it is matched by, or the read path. Before each create it is looked for.
One that is there and that no earlier run announced is refused as foreign, and taken over only when every field is \`{ keep: true }\`.
Two matches are refused.

How an object is known once it is recorded, and what these keys are still for:

| Key | What it is for | Example |
| - | - | - |
| \`find.match\` | finds what no record names, before a create and after a lost answer; a recorded object is found by its id | \`match: { url: "https://…" }\` |
| \`read\` | shows the object whole, and says whether a recorded one that the list does not show still stands | \`read: { path: "/hooks/{id}" }\` |
| \`compare\` | two forms that mean the same and that no answer shows as the form of the other | \`compare: { region: { ignore_case: true } }\` |
| \`settle\` | a list that lags: nothing found, or another object than the recorded one, is believed only so much later | \`settle: 5\` |
| \`find.page\` | where the list ends: \`cap\` is the server's own bound, \`total\` the number of all; without them, which \`until_empty: true\` may say, a list is read to an empty page | \`page: { kind: page, param: page, size: 100, cap: 100 }\` |

Case, a final slash or dot, spacing, the order of a list and the like need no \`compare\`: how the provider keeps a value is
learned from the write ([in untidy worlds](guarantees.md#in-untidy-worlds)).`;

const listItemText = `The parent is read, this entry alone is changed, the collection is written, and it is read again: the write counts when the entry is seen as
planned, in the provider's own spelling. It is written up to three times more when another writer dropped it. Lines of one parent, of every scope,
take turns. An entry that stood there before is never taken for ours, and one that could be either is refused with both named.`;

const actionText = `It is sent when its trigger changed since it was last sent: at least once, so the endpoint must stand a second time. Destroy sends nothing. A
line that names no \`api\` sends an absolute \`url\` without any credential.`;

/** One table for the keys of a shape, and one for each of its maps that is named. */
function tables(prefix: string, shape: z.ZodType, nested: readonly string[]): string[] {
  const members = Object.entries(membersOf(shape));
  const rows = members.map(([key, schema]) => [
    `\`${prefix}${key}\``,
    `${schema.description ?? inner(schema).description ?? ''}${isOptional(schema) ? '' : ' Required.'}`,
  ]);
  const own = markdownTable(['Key', 'Meaning'], rows);
  return [own, ...members.filter(([key]) => nested.includes(key)).flatMap(([key, schema]) => tables(`${key}.`, inner(schema), []))];
}

const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success || schema instanceof z.ZodExactOptional;

/** The shape inside what makes it optional, given a default, repeated or one of several. */
function inner(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodExactOptional || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return inner(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodRecord) return inner(schema.valueType as z.ZodType);
  if (schema instanceof z.ZodUnion) return inner(schema.options[0] as z.ZodType);
  return schema;
}

function membersOf(schema: z.ZodType): { readonly [key: string]: z.ZodType } {
  const shape = inner(schema);
  if (!(shape instanceof z.ZodObject)) throw new Error('a table is made of the keys of a map');
  return shape.shape;
}
