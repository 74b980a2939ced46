import { z } from 'zod';
import { once } from '../../core/once.ts';
import { graphql } from './graphql-shape.ts';
import { liveHeaders } from './live-headers.ts';
import { resourceProblems } from './resource-problems.ts';
import { addFlaws, alikeRule, leaf, mayMatch, outputs, paging, pointer, request, statuses, text, values } from './shape.ts';

const either = once(() => ({ ...request(), graphql: graphql().exactOptional() }));
const sendFields = once(() => z.boolean().default(true).describe('false: the fields are compared, but not put into the body.'));
const fieldsAt = once(() =>
  pointer()
    .exactOptional()
    .describe(
      'Pointer to the place of the fields in the body. In a GraphQL request it is a place in the variables, which take no fields without it.',
    ),
);

const find = once(() =>
  z
    .strictObject({
      ...either(),
      list_path: pointer().default('').describe('Pointer to the list inside the answer; empty when the answer is the list.'),
      entry_path: pointer()
        .exactOptional()
        .describe('Pointer to the object inside each entry of the list, where the entry only wraps the object.'),
      match: values().describe('Pointer to the value that a match has. Part of the identity.'),
      is_latest_only: z
        .boolean()
        .exactOptional()
        .describe('The list shows only the newest of several objects, so a recorded object that it does not show may still exist.'),
      is_completed: z
        .boolean()
        .exactOptional()
        .describe('The provider may add the zone to a host name that lacks it. Such a match is the object of an interrupted create.'),
      absent: z
        .array(pointer())
        .exactOptional()
        .describe('Pointers that a match must not have: they mark an object that is being deleted.'),
      next: pointer()
        .exactOptional()
        .describe('Pointer to the cursor of the next page, in the body. For a GraphQL list it is below data_path or in `data`.'),
      cursor_param: z.string().exactOptional().describe('Query parameter that takes the cursor.'),
      page: paging().exactOptional().describe('How the list is paged, where it is not paged by cursor.'),
      none_status: statuses().exactOptional().describe('Statuses that mean that nothing is there.'),
      none_match: mayMatch('the answer that mean that nothing is there, whatever its status'),
    })
    .describe('Finds the object in a list. Runs before every create.'),
);

const read = once(() =>
  z
    .strictObject({
      ...either(),
      none_status: statuses().exactOptional().describe('Statuses that mean that the object is not there, beside 404 and 410.'),
      none_match: mayMatch('the answer that mean that the object is not there, such as { /active: false }'),
    })
    .describe('Reads the object by its own path.'),
);

const revive = once(() =>
  z
    .strictObject({
      ...either(),
      method: z.enum(['POST', 'PUT', 'PATCH']).exactOptional().describe('POST when left out.'),
      match: values().describe('The values of a sleeping object: { /active: false }.'),
      body: leaf().exactOptional().describe('Members sent beside the fields, such as { active: true }.'),
      fields_at: fieldsAt(),
      send_fields: sendFields(),
    })
    .describe(
      'Wakes an object whose id the create refused as existing, because a destroy could only put the object away. The object must bear the mark of this environment and scope. It then counts as created.',
    ),
);

const create = once(() =>
  z
    .strictObject({
      ...either(),
      method: z.enum(['POST', 'PUT', 'PATCH']).exactOptional().describe('POST when left out.'),
      body: leaf().exactOptional().describe('Members sent beside the fields.'),
      fields_at: fieldsAt(),
      idempotency_key: z.boolean().exactOptional().describe('The provider takes an Idempotency-Key.'),
      send_fields: sendFields(),
      stamp: z.array(pointer()).exactOptional().describe('Members that get the moment of sending (ISO 8601).'),
      stamp_tells: z
        .boolean()
        .exactOptional()
        .describe('The answer to a create shows the stamp. Another stamp means that the object existed before, so nothing was made.'),
      then_find: z.boolean().exactOptional().describe('The answer does not show the new object: find it after the create.'),
      revive: revive().exactOptional(),
    })
    .describe('Makes the object.'),
);

const update = once(() =>
  z
    .strictObject({
      ...either(),
      method: z.enum(['PATCH', 'PUT', 'POST']).exactOptional().describe('PATCH when left out.'),
      body: leaf().exactOptional().describe('Members sent beside the fields.'),
      fields_at: fieldsAt(),
      send_fields: sendFields(),
      fields: z
        .array(z.string())
        .exactOptional()
        .describe('The fields that this request carries. It is sent only when one of them changed.'),
      body_at: pointer().exactOptional().describe('The part of the body that is sent.'),
      live: z.array(pointer()).exactOptional().describe('Members sent back as read, where the update replaces the whole object.'),
      live_headers: liveHeaders
        .exactOptional()
        .describe(
          'Header to pointer: sent back as read in a header that the line does not give, where the update replaces the whole object.',
        ),
      lost: z
        .record(pointer(), text())
        .exactOptional()
        .describe(
          'Pointer to words for a member that such an update removes where the line does not declare it. The report says so when the member was there.',
        ),
      drop: z
        .array(pointer())
        .exactOptional()
        .describe('Parts of these that only an answer has, such as `/metadata/*/id`; `*` is every member or entry.'),
    })
    .describe('Changes the object. Without it, a difference is an error at plan time.'),
);

const untilGone = once(() =>
  z
    .strictObject({
      ...either(),
      seconds: z.number().positive().max(3_600).describe('The wait ends after this time. The record stays, and the next run asks again.'),
      none_status: statuses().exactOptional().describe('Statuses of this read that mean that the object is gone, beside 404 and 410.'),
      none_match: mayMatch('its answer that mean that the object is gone, whatever its status'),
    })
    .describe('The provider answers the delete before it is done, so the object is read until it is gone.'),
);

const remove = once(() =>
  z
    .strictObject({
      ...either(),
      method: z.enum(['DELETE', 'POST', 'PUT', 'PATCH']).exactOptional().describe('DELETE when left out.'),
      body: leaf().exactOptional().describe('A body; `{id}` stands for the id of the object.'),
      until_gone: untilGone().exactOptional(),
      fix: z
        .string()
        .min(1)
        .exactOptional()
        .describe(
          'One thing to do when the provider refuses, for example because it protects the object or because the object must be empty first. The error shows it.',
        ),
    })
    .describe('Removes the object. Without it, the provider cannot delete.'),
);

const ready = once(() =>
  z
    .strictObject({
      path: pointer().describe('Pointer to the state inside the object.'),
      value: leaf().exactOptional().describe('The state when the object is ready.'),
      values: z.array(leaf()).min(1).exactOptional().describe('The states when the object is ready, where there are several.'),
      failed: z
        .array(leaf())
        .min(1)
        .exactOptional()
        .describe('States of an object that will never be ready: the line fails with EXTERNAL_FAILED.'),
      seconds: leaf().exactOptional().describe('The wait ends after this time. Without it the wait ends at the deadline of the run.'),
    })
    .describe(
      'The object is made at once and becomes ready later. It is read until it is ready, and other lines get its outputs only then.',
    ),
);

const compare = once(() =>
  z.strictObject({
    unordered: z.boolean().exactOptional().describe('The order of this list has no meaning.'),
    whole: z.boolean().exactOptional().describe('Members of the live map that the plan does not name count as a difference.'),
    hidden: z
      .enum(['always', 'masked', 'null'])
      .exactOptional()
      .describe(
        'always: the provider never shows the value. masked: it shows a mask while the value is set. null: it shows null once somebody sealed the value.',
      ),
    default: leaf().exactOptional().describe('The meaning of an absent live value.'),
    ignore_case: z.boolean().exactOptional().describe('true: texts that differ only in the case of their letters are equal.'),
    members: z
      .record(pointer(), alikeRule())
      .exactOptional()
      .describe(
        'Pointer inside the value, `*` for every entry of a list, to `{ default, ignore_case, lone }`. `lone: true`: one value and a list of that one value are equal.',
      ),
    sent: z.boolean().exactOptional().describe('false: the field is compared, but not put into bodies.'),
  }),
);

/** The params of `http.resource`, and the template of a recipe of that kind. */
export const resourceShape = once(() =>
  z
    .strictObject({
      find: find().exactOptional(),
      read: read().exactOptional(),
      create: create().exactOptional(),
      update: z.union([update(), z.array(update()).min(1)]).exactOptional(),
      delete: remove().exactOptional(),
      ready: ready().exactOptional(),
      fields: values().default({}).describe('Pointer or name to value. Only these fields are compared and hashed.'),
      with: values().exactOptional().describe('Values for `{name}` and `{+name}` in the paths of this line.'),
      chosen_id: text().exactOptional().describe('The id, where the caller chooses it. It replaces `{id}` in every path.'),
      id_path: pointer().default('/id').describe('Pointer to the id inside the object.'),
      item_path: pointer().default('').describe('Pointer to the object inside the answers of read, create and update.'),
      outputs: outputs().exactOptional().describe('Name to pointer inside the object, or `{ path, sensitive, once }`.'),
      exists_status: statuses().exactOptional().describe('More statuses of the create that mean "already exists".'),
      exists_match: mayMatch('a refused create that mean "already exists"'),
      gone_status: statuses().exactOptional().describe('More statuses of the delete that mean "gone".'),
      gone_match: mayMatch('a refused delete that mean "gone"'),
      immutable: z.array(z.string()).exactOptional().describe('Fields whose change makes a new object.'),
      write_only: z.array(z.string()).exactOptional().describe('Fields sent on create only and never compared.'),
      compare: z.record(z.string(), compare()).exactOptional().describe('How single fields are compared.'),
      coexist: z
        .boolean()
        .exactOptional()
        .describe('false: the old object must go before its replacement is made. That is the default where the caller chose the id.'),
      mark: pointer()
        .exactOptional()
        .describe(
          'The place where a new object bears the mark of its environment and scope (`preview/pr-12`). An object with another mark never counts as ours.',
        ),
      created_at: pointer().exactOptional().describe('Pointer to the moment the object was made.'),
      created_at_moves: z
        .boolean()
        .exactOptional()
        .describe(
          'true: a write gives the object another such moment. Then the moment does not tell the object from a later one of its name.',
        ),
      uid_path: pointer()
        .exactOptional()
        .describe(
          "Pointer to an id of the provider's own, beside the name that paths take. Another object of that name has another id, and is left alone.",
        ),
      witness: z
        .strictObject(either())
        .exactOptional()
        .describe('A read that answers whenever the credential may see this kind of object.'),
      settle: z.number().positive().exactOptional().describe('Seconds by which lists may lag behind a write.'),
    })
    .superRefine((shape, ctx) => {
      addFlaws(ctx, resourceProblems(shape));
    }),
);

export type ResourceShape = z.output<ReturnType<typeof resourceShape>>;
export type UpdateShape = z.output<ReturnType<typeof update>>;
