import { stringify } from 'yaml';
import type { z } from 'zod';
import { lifetimeKeys, lineKeys, topKeys, valueForms } from '../../src/plan/schema.ts';
import { contextValues } from '../../src/plan/substitute.ts';
import { generatedNote, markdownTable, page } from './markdown.ts';

/** `docs/plan.md`: the plan file. The tables come from the schema that the program and the editors use. */
export function planPage(): string {
  return page(
    '# The plan',
    generatedNote('src/plan/schema.ts and scripts/docs/plan.ts'),
    introduction,
    '## Keys of a plan',
    keyTable(topKeys),
    '## Keys of a line',
    lineText,
    keyTable(lineKeys),
    '## Values',
    valueText,
    markdownTable(['Form', 'Meaning'], formRows),
    templateText,
    '## Values of the run',
    contextText,
    markdownTable(
      ['Value', 'Meaning', 'Flag'],
      Object.entries(contextValues).map(([name, { doc, input }]) => [`\`\${${name}}\``, doc, `\`--${input}\``]),
    ),
    '## Order, and the life of an output',
    orderText,
    '## Environments',
    environmentText,
    '## Credentials',
    credentialText,
    '## Destroy',
    destroyText,
    '## Lifetime',
    lifetimeText,
    keyTable(lifetimeKeys),
    '## Drift',
    driftText,
    '## Providers',
    providerText,
  );
}

type Keys = { readonly [key: string]: z.ZodType };

const keyTable = (keys: Keys): string =>
  markdownTable(
    ['Key', 'Meaning', 'Example'],
    Object.entries(keys).map(([key, schema]) => [
      `\`${key}\`${schema.safeParse(undefined).success ? '' : ' (required)'}`,
      meaningOf(key, schema),
      `\`${exampleOf(key, schema)}\``,
    ]),
  );

function meaningOf(key: string, schema: z.ZodType): string {
  const { description } = schema.meta() ?? {};
  if (description === undefined) throw new Error(`src/plan/schema.ts gives no meaning of ${key}`);
  return description;
}

/** The example of a key in one row of YAML. */
export function exampleOf(key: string, schema: z.ZodType): string {
  const examples = schema.meta()?.examples;
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined;
  if (example === undefined) throw new Error(`src/plan/schema.ts has no example of ${key}`);
  return `${key}: ${stringify(example, { collectionStyle: 'flow', flowCollectionPadding: true, lineWidth: 0 }).trim()}`;
}

const introduction = `\`release.plan.yaml\` says which state belongs to a release, one line for each object. pilotfish looks for it in the working directory and
then in the folders above, up to the root of the checkout. \`pilotfish plan\` shows every mistake of it at once, with line and column, before
any request. Editors complete it: \`pilotfish init\` writes the comment that names [its schema](../schema/release.plan.schema.json).

\`\`\`yaml
version: 1

changes:
  # A copy of the database for this pull request.
  - id: database
    adapter: neon
    op: branch
    project_id: quiet-river-12345678
    name: shop-\${ctx.scope}

  # Its address, for the builds of this git branch.
  - id: database-url
    adapter: vercel
    op: env
    project: shop
    key: DATABASE_URL
    value: { from: database.connection_uri }
    git_branch: \${ctx.git.branch}
\`\`\``;

const lineText = `A line is one object: a database branch, a variable, an entry of a list. Its operation is \`adapter\` with \`op\`, or \`recipe\`. All other keys are
params of the operation: [every operation and its params](recipes/README.md), and [the generic adapter \`http\`](http.md).

Two pull requests run the same plan, so what names the object must depend on the scope: a name, a key, an address or a git branch. pilotfish
warns of a line whose object would be the same in every scope.`;

const valueText = `A value is YAML: text, a number, \`true\`, a list or a map. Where text is wanted, \`port: 8080\` is the text \`8080\`. In place of any value, also
inside a list or a map, one of these forms may stand:`;

const formRows: readonly (readonly string[])[] = [
  ['`text-${ctx.scope}`', 'A text with [values of the run](#values-of-the-run) in it.'],
  [
    '`https://${preview.hostname}/hooks`',
    'A text with outputs of other lines in it, as many as it needs. The text is a secret if one of them is. A `${…}` that names neither a value of the run nor an output is [`REF_UNKNOWN`](errors.md#ref_unknown).',
  ],
  ['`$${HOME}`', 'The text `${HOME}`: `$${` stands for `${`.'],
  ['`{ from: database.connection_uri }`', valueForms.from],
  ['`{ secret: env://WEBHOOK_SECRET }`', `${valueForms.secret} [Where secrets come from](secrets.md).`],
  ['`{ join: [https://, { from: preview.hostname }, /hooks] }`', valueForms.join],
  ['`{ keep: true }`', valueForms.keep],
  ['`{ public: pk_test_123 }`', valueForms.public],
];

const templateText = `Some params take the provider's own templates, such as \`\${{shared.HOST}}\` of Railway; the page of the provider says which. There pilotfish
puts in a \`\${<line>.<output>}\` of this plan, sends every other \`\${…}\` as it stands, and the plan says which is which.

\`\`\`yaml
version: 1

changes:
  - id: preview
    adapter: vercel
    op: deploy
    project: shop

  - id: payments
    recipe: stripe.webhook_endpoint
    name: shop-\${ctx.scope}
    url: https://\${preview.hostname}
    enabled_events: [checkout.session.completed]

  - id: callback
    recipe: auth0.callback_url
    client_id: 5kFq0Zc2mXr1aUe8
    url: { join: [https://, { from: preview.hostname }, /api/auth/callback] }
\`\`\``;

const contextText = `A run knows these values. In CI they come from the event; a flag overrides them. A run that lacks a value which its plan names is refused
(\`CTX_NULL\`). In an address a value is encoded, so a branch \`feature/x\` stays one part of a path.`;

const orderText = `A line waits for the lines that its \`{ from }\` and \`depends_on\` name, and all others run side by side. A destroy goes the other way round.

| Output | Where it lives | A later run that needs it |
| - | - | - |
| plain, such as an id or a host name | in the ledger, with the record of its object | takes it from there, or from the live object |
| sensitive, such as a connection string | in the memory of a run, never in the ledger, masked in all output | reads it from the provider again |
| shown once, such as the signing secret of a webhook | in the memory of the run that makes the object | is refused with [\`OUTPUT_UNAVAILABLE\`](errors.md#output_unavailable); \`apply --recreate <line>\` makes the object anew |

An output that needs a request of its own is read only if a line takes it. [The page of each provider](recipes/README.md) says which kind an
output is.`;

const environmentText = `A run is for one environment: \`preview\`, or what \`--env\` names. A line without \`environments\` is in all of them. An environment whose name begins
with \`production\` has one scope and needs an approval ([Production](guide/production.md)).

\`\`\`yaml
version: 1
environments: [preview, production]

changes:
  - id: database
    adapter: neon
    op: branch
    environments: [preview]
    project_id: quiet-river-12345678
    name: shop-\${ctx.scope}

  - id: marker
    recipe: rollbar.deploy
    environment: \${ctx.environment}
    revision: \${ctx.git.sha}
\`\`\``;

const credentialText = `A plan holds no credential. Each provider has its own variable, such as \`NEON_API_KEY\`, which [its page](recipes/README.md) names. A block under
\`providers\` names another variable. \`credential\` replaces the value for one line:

\`\`\`yaml
version: 1

changes:
  - id: mail
    recipe: postmark.server
    name: shop-\${ctx.scope}

  # The token of the server that the line above makes. The server goes with all that is in it.
  - id: bounces
    recipe: postmark_server.webhook
    credential: { from: mail.server_token }
    destroy: keep
    url: https://\${ctx.scope}.preview.example.com
    bounce: true
\`\`\`

The ledger holds no credential, so a destroy cannot use one that a line made: such a line says \`destroy: keep\`.`;

const destroyText = `\`pilotfish apply --destroy --scope pr-12\` removes what the ledger of the scope records, in reverse order, and needs no plan.

| \`destroy\` | The object |
| - | - |
| \`delete\` | is removed: the default, unless the page of the operation says otherwise |
| \`keep\` | stays at the provider, and the ledger forgets it: [keeping objects](guide/leaving.md) |
| \`never\` | stays, because the provider cannot delete it |

## What has left the plan

A recorded object that no line of the plan has any more is an orphan: its line was removed, or now names another object. A line with another
\`id\` and the same object is no orphan. Plan and apply name the orphans and leave them alone. A destroy of the scope removes them, and so does
\`--prune\`:

\`\`\`sh
pilotfish plan --prune --scope pr-12               # shows what becomes of each orphan
pilotfish apply --prune --scope pr-12              # the plan first, then the orphans
pilotfish apply --destroy --orphans --scope pr-12  # the orphans alone
\`\`\`

- Orphans go last, in the order in which a destroy removes them. By then every line of the plan stands, and the lines that used an orphan have
  other values. If a line fails or waits for a deployment, or the run is interrupted, nothing is pruned. The run says so, and the next run
  prunes.
- An orphan is treated as a destroy treats it. An object of \`destroy: keep\`, one that its provider cannot delete, and an adopted one stay.
  The ledger forgets them, and the report names them.
- An orphan stays if no credential of the run sealed its record ([why](guide/security.md)). An action without a credential left nothing, so
  it is forgotten all the same.
- The digest covers the orphans. An apply with \`--expect\` prunes only those that its plan named.
- \`--prune\` with \`--only\` is refused, because a line that \`--only\` leaves out may still use an orphan.
- If the new object of a line cannot stand beside the old one, remove the old one first, with \`--destroy --orphans\`. That command needs the
  plan and asks no provider what exists. An orphan that a recorded line still uses stays. If an output of another line decides which object a
  line has, every recorded object of the same operation stays.`;

const lifetimeText = `A preview that nobody uses costs money until its pull request is closed. \`lifetime\` gives it an end: the last apply, by the clock of the
code host, and the days of \`idle\` after it. Each apply renews it. \`apply --destroy --closed --expired\` takes away what is over:
[previews that end](guide/lifetime.md). Without \`lifetime\` nothing expires, and production never does.

\`\`\`yaml
version: 1
lifetime: { idle: 14d, label: keep-preview, others: 30d }

changes:
  - id: database
    adapter: neon
    op: branch
    project_id: quiet-river-12345678
    name: shop-\${ctx.scope}
\`\`\``;

const driftText = `Drift is a difference that somebody else made: a declared field with another value, or a missing object. Fields that the plan does not name are
nobody's business. \`drift: put-back\` writes the value of the plan back; \`drift: report\` tells the difference and leaves it, also for a whole
plan: [what that means for each kind of line](guide/production.md#drift-that-is-told-and-left).`;

const providerText = `\`providers.<adapter>\` has the settings of a built-in adapter. \`providers.http.<api>\` is the block of an API, for recipes and for lines of the
adapter \`http\`: [every key of a block](http.md#the-block-of-an-api). Settings hold names of variables and addresses, never a secret.

\`\`\`yaml
version: 1

providers:
  vercel: { team_id: team_abc123 }
  http:
    auth0: { base_url: "https://acme.eu.auth0.com/api/v2" }
    # A second account of a provider has a block of its own.
    stripe_eu: { recipe: stripe, auth: { bearer_env: STRIPE_EU_API_KEY } }

changes:
  - id: callback
    recipe: auth0.callback_url
    client_id: 5kFq0Zc2mXr1aUe8
    url: https://\${ctx.scope}.preview.example.com/api/auth/callback

  - id: payments
    recipe: stripe.webhook_endpoint
    api: stripe_eu
    name: shop-\${ctx.scope}
    url: https://\${ctx.scope}.preview.example.com
    enabled_events: [checkout.session.completed]
\`\`\``;
