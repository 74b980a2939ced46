import { z } from 'zod';
import { readSpan } from '../core/life-span.ts';
import { plannedPlace } from '../core/receipts-place.ts';

/** Names of lines, adapters, API blocks, environments and plans: they appear in file names, references and messages. */
export const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const recipePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}\.[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const nameRule = 'must begin with a letter and hold at most 64 letters, digits, `-` and `_`';

const name = (what: string) => z.string({ error: `${what} must be text.` }).regex(namePattern, { error: `${what} ${nameRule}.` });

/** The ends of files that may hold a recipe family. An error about another file would show what is in it. */
const familyFile = /^.*[^/]\.ya?ml$/;

const environmentList = (what: string) =>
  z
    .array(name('The name of an environment'), { error: `${what} must be a list of names, such as [preview].` })
    .min(1, { error: `${what} is empty; leave the key out for all environments.` });

/** What an apply does about what others changed at the provider. */
const driftPolicy = z.enum(['put-back', 'report'], { error: '`drift` must be put-back or report.' });

/** The meaning of a key and a value as a person would write it: editors and docs/plan.md show both. */
const says = (description: string, example: unknown) => ({ description, examples: [example] });

/** A number alone is no span, because `14` could be days or hours. */
const span = (key: string) =>
  z
    .string({ error: `\`${key}\` must be days or hours, such as 14d or 36h.` })
    .refine((text) => readSpan(text) !== null, { error: `\`${key}\` must be 1h to 365d, in whole days or hours, such as 14d or 36h.` })
    .meta({ pattern: '^[1-9][0-9]{0,4}[dh]$' });

/** The keys of `lifetime`. */
export const lifetimeKeys = {
  idle: span('idle')
    .optional()
    .meta(says('How long the scope of a pull request stays after its last apply. It stays when left out.', '14d')),
  label: z
    .string({ error: '`label` must be text.' })
    .min(1, { error: '`label` is empty; leave it out where no label keeps a scope.' })
    .max(100, { error: '`label` is longer than the 100 characters that a label can have.' })
    .optional()
    .meta(says('A pull request with this label keeps its scope.', 'keep-preview')),
  others: span('others')
    .optional()
    .meta(says('How long a scope without a pull request stays after its last apply. It stays when left out.', '30d')),
};

const lifetime = z
  .strictObject(lifetimeKeys, { error: '`lifetime` must be a map, such as { idle: 14d, label: keep-preview }.' })
  .refine(({ idle, others }) => idle !== undefined || others !== undefined, {
    error: '`lifetime` has neither `idle` nor `others`, so nothing would expire.',
  })
  .refine(({ idle, label }) => label === undefined || idle !== undefined, {
    error: '`label` keeps the scope of a pull request, and without `idle` none expires.',
  });

/** The keys of a line that are not params. Params are whatever else the line has; the op checks them. */
export const lineKeys = {
  id: name('The id of a line').meta(
    says('The name of the line. Reports call it so, and other lines refer to it in `{ from: <id>.<output> }`.', 'database'),
  ),
  adapter: name('`adapter`').optional().meta(says('The adapter. `http` is the generic one.', 'neon')),
  op: name('`op`').optional().meta(says('The operation of the adapter. For `http`: `resource`, `list_item` or `action`.', 'branch')),
  recipe: z
    .string({ error: '`recipe` must be text.' })
    .regex(recipePattern, { error: '`recipe` must be <family>.<op>.' })
    .optional()
    .meta(says('A ready-made operation, `<family>.<op>`, in place of `adapter` and `op`.', 'stripe.webhook_endpoint')),
  api: name('`api`')
    .optional()
    .meta(says('The block `providers.http.<api>` that the line uses. The family of the recipe when left out.', 'stripe')),
  destroy: z
    .enum(['keep', 'delete', 'never'], { error: '`destroy` must be keep, delete or never.' })
    .optional()
    .meta(says('`keep` leaves the object when the scope is destroyed; `delete` removes it where the recipe would not.', 'keep')),
  drift: driftPolicy
    .optional()
    .meta(
      says(
        '`put-back` writes back what others changed at the provider; `report` tells it and leaves it. The `drift` of the plan holds when left out.',
        'report',
      ),
    ),
  credential: z
    .unknown()
    .optional()
    .meta(
      says('`{ from: <line>.<output> }` or `{ secret: <reference> }`: replaces the credential of the API block for this line.', {
        secret: 'env://SECOND_ACCOUNT_TOKEN',
      }),
    ),
  depends_on: z
    .array(name('An entry of `depends_on`'), { error: '`depends_on` must be a list of line ids, such as [db].' })
    .nullable()
    .optional()
    .meta(says('Lines that come before this one although it uses none of their outputs.', ['database-url'])),
  environments: environmentList('`environments`')
    .optional()
    .meta(says('The environments that have this line; all when left out.', ['preview'])),
};

/** The ways to write a value that is no literal. */
export const valueForms = {
  from: 'An output of another line. The line waits for it, and a destroy goes the other way round. The output keeps its type: a list stays a list.',
  secret: 'A secret, by the place where it is kept. The run reads it, and neither output nor ledger holds it.',
  keep: 'The live value stays as it is: it is never sent, compared or stored. A line with nothing but such values adopts its object.',
  join: 'Texts and references as one text: the same as `https://${<line>.<output>}/path`.',
  public: 'A text that only looks like a secret, such as a publishable key. pilotfish refuses a literal under such a name otherwise.',
};

/** One entry of `changes`, its params unchecked. */
export const lineSchema = z.looseObject(lineKeys, { error: 'A line must be a map with an id.' });

const block = z.record(z.string(), z.unknown(), { error: 'The settings of a provider must be a map.' }).nullable();

export const topKeys = {
  version: z.literal(1, { error: 'This pilotfish reads plans of version 1.' }).optional().meta(says('Version of the plan format.', 1)),
  name: name('The name of the plan')
    .optional()
    .meta(says('Tells two plans of one repository apart: each has a ledger of its own.', 'shop')),
  environments: environmentList('`environments`')
    .optional()
    .meta(says('The environments of this plan; preview and production when left out.', ['preview', 'staging', 'production'])),
  providers: z
    .record(z.string(), block, { error: '`providers` must be a map.' })
    .nullable()
    .optional()
    .meta(says('Settings of each adapter; `providers.http.<api>` is one block for each API.', { vercel: { team_id: 'team_abc123' } })),
  receipts: z
    .string({ error: '`receipts` must be text.' })
    .regex(plannedPlace, {
      error:
        '`receipts` must be git-branch, local, plugin:<name>, postgres://<host>/<database> or s3://<bucket>/<prefix>, without a password.',
    })
    .optional()
    .meta(
      says(
        'Where receipts are kept: `git-branch`, `local`, `plugin:<name>`, `postgres://<host>/<database>` or `s3://<bucket>/<prefix>`, without a password.',
        'git-branch',
      ),
    ),
  ledger: z
    .literal('sealed', { error: '`ledger` must be sealed.' })
    .optional()
    .meta(says('`sealed`: facts of the ledger that no credential of the run sealed are never acted on.', 'sealed')),
  recipes: z
    .array(
      z.string({ error: 'An entry of `recipes` must be text.' }).regex(familyFile, {
        error: 'An entry of `recipes` must be a path or a pattern that ends in .yaml or .yml, such as ./recipes/*.yaml.',
      }),
      { error: '`recipes` must be a list of files, such as [./recipes/*.yaml].' },
    )
    .nullable()
    .optional()
    .meta(
      says('Files of this repository that hold recipe families of your own: paths from the folder of the plan, with `*` and `**`.', [
        './recipes/*.yaml',
      ]),
    ),
  drift: driftPolicy.optional().meta(says('The `drift` of every line that does not say its own; `put-back` when left out.', 'report')),
  lifetime: lifetime.optional().meta(
    says('How long a preview stays without an apply. The sweep takes away what is over. Without this key nothing expires.', {
      idle: '14d',
      label: 'keep-preview',
      others: '30d',
    }),
  ),
  exports: z
    .record(z.string(), z.unknown(), {
      error: '`exports` must be a map of variables, such as { DATABASE_URL: { from: database.connection_uri } }.',
    })
    .refine((map) => Object.keys(map).length > 0, {
      error: '`exports` is empty; leave the key out for the variables that the plan gives to its host.',
    })
    .optional()
    .meta(
      says('The variables that `pilotfish run` gives to its command. Without this key: those that the plan gives to its host.', {
        DATABASE_URL: { from: 'database.connection_uri' },
      }),
    ),
  changes: z
    .array(z.unknown(), { error: '`changes` must be a list of lines.' })
    .nullable()
    .meta(
      says('The lines: the state that is wanted.', [
        { id: 'database', adapter: 'neon', op: 'branch', project_id: 'quiet-river-12345678', name: 'shop-${ctx.scope}' },
      ]),
    ),
};

/** The plan file without the insides of its lines and provider blocks. Unknown keys are errors. */
export const topSchema = z.strictObject(topKeys, { error: 'A plan must be a map with the key `changes`.' });

export interface Issue {
  readonly path: readonly (string | number)[];
  readonly detail: string;
  /** The key that the schema does not know. */
  /** The values that the key can have, where these are few. */
  readonly values: readonly string[];
  readonly unknownKey?: string;
}

/** The mistakes that a schema finds in a value, one entry each. */
export function issuesOf(error: z.ZodError): readonly Issue[] {
  return error.issues.flatMap((issue): Issue[] => {
    const path = issue.path.filter((part) => typeof part !== 'symbol');
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ path, detail: '', values: [], unknownKey: key }));
    const values = issue.code === 'invalid_value' ? issue.values.map(String) : [];
    return [{ path, detail: issue.message, values }];
  });
}
