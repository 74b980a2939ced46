import { z } from 'zod';
import { addFlaws } from '../ops/generic/shape.ts';
import { checkOp } from './check-op.ts';
import { detect } from './detect-schema.ts';

const json = z.json();
const name = z.string().regex(/^[a-z][a-z0-9_]*$/, 'a name of lower-case letters, digits and underscores');
const names = z.array(z.string());
const url = z.url({ protocol: /^https?$/, error: 'a full URL, such as https://api.example.com' });
const sentence = z.string().min(1);
const variable = z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'the name of an environment variable');
const texts = z.record(z.string(), z.string());
const scope = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'a name of lower-case letters, digits and hyphens');
const path = z.string().regex(/^(?:\/[\w.~-]+)+\/?$/, 'a path that begins with one slash');

const credentialHeader = {
  header: z.string().describe('The header that carries the credential.'),
  value_env: variable.describe('The variable that holds the credential.'),
  prefix: z.string().exactOptional().describe('Text before the credential.'),
  user_env: variable.exactOptional().describe('The variable of a user name before the credential, with a colon between them.'),
};

const auth = z.union([
  z.strictObject({ bearer_env: variable }),
  z.strictObject(credentialHeader),
  z.strictObject({ headers: z.array(z.strictObject(credentialHeader)).min(1) }),
  z.strictObject({
    basic: z.strictObject({
      user_env: variable.exactOptional(),
      user: z.string().exactOptional(),
      password_env: variable.exactOptional(),
      password: z.literal('').exactOptional(),
    }),
  }),
  z.strictObject({
    oauth_client_credentials: z.strictObject({
      client_id_env: variable,
      client_secret_env: variable,
      token_url: url.exactOptional(),
      token_path: path.exactOptional(),
      token_url_env: variable.exactOptional(),
      audience: z.string().exactOptional(),
      audience_path: path.exactOptional(),
      audience_env: variable.exactOptional(),
      resource: z.string().exactOptional(),
      scope: z.string().exactOptional(),
    }),
  }),
  z.strictObject({ aws_v4: z.strictObject({ access_key_id_env: variable, secret_access_key_env: variable, service: scope }) }),
  z.strictObject({ command: z.tuple([z.string().regex(/^[^-\s]/)], z.string().regex(/^[^\p{Cc}]*$/u)) }),
  z.strictObject({ digest: z.strictObject({ user_env: variable, password_env: variable }) }),
]);

const provider = z
  .strictObject({
    base_url: url.nullable().describe('The default address of the API; null when every customer has an address of their own.'),
    base_url_env: variable.exactOptional().describe("The provider's own variable for the address, beside <NAME>_API_URL."),
    auth: auth.nullable().describe('The credential form: names of variables, never a value.'),
    region: scope.exactOptional().describe('With aws_v4: the region of signatures, where it is always the same.'),
    session_token_env: variable.exactOptional().describe('With aws_v4: the variable of the session token of temporary keys.'),
    headers: texts.exactOptional().describe('Headers of every request.'),
    encoding: z.enum(['json', 'form', 'xml', 'multipart']).exactOptional().describe('How bodies are encoded.'),
    form_arrays: z.enum(['repeat', 'index', 'brackets']).exactOptional().describe('How a form writes a list.'),
    media_type: z.string().exactOptional().describe('A versioned JSON media type, sent as Accept and Content-Type.'),
    refuse_credential: z
      .strictObject({ prefixes: names.min(1), unless_env: variable.exactOptional() })
      .exactOptional()
      .describe('Credentials that are refused before any request.'),
    concurrency: z.int().min(1).max(64).exactOptional().describe('Requests in flight at once.'),
  })
  .describe('Defaults of the API block.');

const setup = z
  .strictObject({
    page: url.describe('The page where a person makes the credential.'),
    needs: sentence.describe('The permissions that the credential needs, and no more.'),
    check: z
      .strictObject({ method: z.literal('GET'), path: z.string().startsWith('/'), query: texts.exactOptional() })
      .nullable()
      .describe('One read that proves the credential for every line; null where no read does.'),
    check_refuses: sentence.exactOptional().describe('The good credentials that this read refuses.'),
    check_expects: z
      .array(
        z.strictObject({
          at: z.string().startsWith('/').describe('Pointer into its answer; `*` stands for every entry of a list.'),
          any_of: z.array(json).min(1).exactOptional().describe('One of these values must be there; any value but null when left out.'),
          where: z.string().startsWith('/').exactOptional().describe('The condition holds only where this pointer finds a value.'),
          lacks: sentence.describe('What a credential lacks when its answer does not meet this.'),
        }),
      )
      .min(1)
      .exactOptional()
      .describe('Further conditions on its answer.'),
    check_by: z
      .array(
        z.strictObject({
          method: z.literal('GET').default('GET'),
          path: z.string().startsWith('/'),
          query: texts.exactOptional(),
          headers: texts.exactOptional(),
          ops: z.array(name).min(1).exactOptional().describe('The operations that the read is for; all of them when left out.'),
        }),
      )
      .min(1)
      .exactOptional()
      .describe(
        "Reads of a line's parent, with the params of the line in braces. The first one that the line fills in goes before `check`.",
      ),
    unproven: z.string().min(1).exactOptional().describe('What an accepted read does not prove, as the end of a sentence.'),
  })
  .describe('How a person gets the credential.');

const param = z.strictObject({
  type: z.enum(['string', 'boolean', 'integer', 'number', 'list', 'map', 'any']),
  required: z.boolean().exactOptional(),
  default: json.exactOptional().describe('The value when the line does not give one.'),
  enum: z.array(json).min(1).exactOptional(),
  pattern: z.string().exactOptional().describe('A regular expression that a text must match.'),
  format: z.enum(['url', 'https_url', 'hostname', 'uuid', 'digits']).exactOptional(),
  max_length: z.int().positive().exactOptional(),
  min_length: z.int().positive().exactOptional(),
  minimum: z.number().exactOptional(),
  maximum: z.number().exactOptional(),
  items: z.enum(['string', 'integer', 'map', 'any']).exactOptional().describe("The type of a list's entries."),
  templates: z.literal(true).exactOptional().describe('The text may hold templates of the provider, such as ${{shared.HOST}}.'),
  secret: z.boolean().exactOptional().describe('Never a literal: a secret reference or a sensitive output.'),
  doc: sentence.describe('The meaning of the param, for the editor and the generated page.'),
  todo: sentence
    .exactOptional()
    .describe('Where a person finds the value in the console of the provider. For values that are looked up, not chosen.'),
  example: json.exactOptional(),
});

const output = z.strictObject({
  doc: sentence,
  path: z.string().exactOptional().describe('Pointer to the value inside the object; id needs none.'),
  sensitive: z.boolean().exactOptional().describe('Never stored and never shown.'),
  once: z.boolean().exactOptional().describe('Exists only in the answer to the create.'),
});

const limit = z
  .strictObject({
    at: z.string().startsWith('/').describe('Pointer into the params; `*` stands for every entry of a list or map.'),
    max_length: z.int().positive(),
  })
  .describe('A length that the provider refuses and that the type of a param cannot say.');

const figure = {
  path: z.string().startsWith('/').describe('The path of a GET. `{name}` is a param of the line.'),
  at: z
    .string()
    .regex(/^(\/|$)/, 'a pointer')
    .describe('Pointer to the number; for the count also to a list.'),
};

const quota = z
  .strictObject({
    limit: z
      .string()
      .regex(/\.$/, 'a sentence')
      .exactOptional()
      .describe('The limit as a sentence: how many objects of which kind, and where.'),
    answers: z
      .array(
        z.strictObject({
          method: z
            .enum(['POST', 'PUT', 'PATCH'])
            .exactOptional()
            .describe('The method of the refused request, where the status means something else for other methods.'),
          path: z
            .string()
            .startsWith('/')
            .exactOptional()
            .describe('The end of the path of the refused request, where the status means something else for other paths of that method.'),
          status: z.int().min(400).max(599).describe('The status of the refusal.'),
          match: z
            .record(z.string(), json)
            .exactOptional()
            .describe('Pointer to value in its body, as in exists_match. When left out, the status suffices.'),
          empty: z
            .literal(true)
            .exactOptional()
            .describe(
              'The answer has no body. A read with the same credential must pass, or the refusal counts as the fault of the credential.',
            ),
        }),
      )
      .min(1)
      .exactOptional()
      .describe('Refused writes that mean "full", beside 402 and 507.'),
    figures: z
      .strictObject({
        limit: z.strictObject(figure).describe('The number of objects that there may be. Below 1 there is no limit.'),
        count: z
          .strictObject({
            ...figure,
            match: z
              .record(z.string(), json)
              .exactOptional()
              .describe('Pointer to value: the entries of the list that count. All of them when left out.'),
          })
          .describe('The number of objects that there are.'),
      })
      .exactOptional()
      .describe(
        'The reads that tell limit and count before the first create. Equal paths are one read. A run whose creates do not fit writes nothing.',
      ),
  })
  .describe('How the provider refuses another object when it is full, so that the error can tell the user how to make room.');

const console = z
  .strictObject({
    page: z
      .string()
      .startsWith('https://')
      .describe(
        'An https address with a fixed host. In braces stand `id`, plain outputs, and the members of `key`; `{+name}` may hold slashes.',
      ),
    key: z
      .string()
      .min(1)
      .exactOptional()
      .describe('The beginning of the key of a record, with the members that it tells in braces: `/projects/{project_id}/branches`.'),
  })
  .describe("The page of the object in the provider's console, for the default address of its API.");

const op = z
  .strictObject({
    kind: z
      .enum(['resource', 'list_item', 'action', 'address'])
      .describe(
        'The operation of the http adapter that the template is for. `address`: a resource that is only read, for the address at its output `url`.',
      ),
    alias: z
      .string()
      .regex(/^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/)
      .exactOptional()
      .describe("Another full name of this recipe, where it differs from the family's alias with the op's name."),
    doc: sentence.describe('What the operation manages, and the identity of its object.'),
    subject: sentence
      .describe(
        'The object of a line as reports name it, with params in braces: `{key} of {project}[, branch {git_branch}]`. A part in brackets drops out when one of its params has no value.',
      )
      .exactOptional(),
    console: console.exactOptional(),
    params: z.record(name, param).describe('The params of a line.'),
    outputs: z.record(name, output).default({}).describe('Values for other lines; a resource always has id.'),
    destroy: z.enum(['delete', 'keep', 'never']).default('delete').describe('The effect of a destroy, unless the line says otherwise.'),
    destroys: sentence.exactOptional().describe('The effect of a destroy, where it is not a plain delete.'),
    notes: z
      .array(sentence)
      .min(1)
      .exactOptional()
      .describe('Facts that a person should know beforehand: quotas and limits of the provider, and its actions of its own.'),
    limits: z.array(limit).exactOptional(),
    quota: quota.exactOptional(),
    example: z.record(name, json).describe('Params of a line as a person would write them.'),
    template: z.record(z.string(), json).describe('The params of the http operation, with { param } and { join } where values go.'),
  })
  .superRefine((value, ctx) => {
    addFlaws(ctx, checkOp(value));
  });

/** A family file: one provider, its API block, and its operations as templates of the http adapter. */
export const familySchema = z.strictObject({
  name: name.describe("The provider's own name."),
  alias: name.exactOptional().describe("The specification's neutral name of the family."),
  title: sentence.describe('The name as people write it.'),
  docs: url.describe('The page of the API that the templates follow.'),
  verified: z.iso.date('a day, such as 2026-11-21').describe('The day on which the templates were last compared with that page.'),
  provider,
  setup: setup.exactOptional(),
  detect: detect.exactOptional(),
  ops: z.record(name, op),
});

export type Family = z.output<typeof familySchema>;
export type FamilyOp = z.output<typeof op>;
