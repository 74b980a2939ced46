import { getAt, joinPointer } from '../../core/pointer.ts';
import type { ItemBound, Params } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import { noChoice } from '../../remote/choices.ts';
import { itemRecordId } from '../../remote/find.ts';
import { lockNameOf } from '../../remote/parent.ts';
import type { ParentSpec } from '../../remote/parent-spec.ts';
import { asBody } from '../../remote/stored-json.ts';
import type { Value } from '../../remote/value.ts';
import { hasPending, identityText, Kept, Pending } from '../../remote/value.ts';

/**
 * One context key as an individual target of a flag in one environment. A flag serves a key one variation only. So its identity is flag,
 * environment, context kind and key, and the variation is compared. Lines of one flag, environment and kind go in one patch.
 */
export const flagTarget: Op = {
  kind: 'item',
  doc: 'One context key that a LaunchDarkly flag serves a variation to in one environment. Every other target stays as it is.',
  subject: '{context_kind} {context_key} on {flag_key}, {environment_key} of {project_key}',
  console: {
    page: 'https://app.launchdarkly.com/projects/{project_key}/flags/{flag_key}/targeting?env={environment_key}',
    key: '/api/v2/flags/{project_key}/{flag_key}#/environments/{environment_key}/',
  },
  params: {
    project_key: {
      type: 'string',
      required: true,
      min_length: 1,
      doc: 'Key of the project.',
      todo: 'LaunchDarkly, Project settings, Projects: the key below the name.',
      example: 'shop',
    },
    flag_key: {
      type: 'string',
      required: true,
      min_length: 1,
      doc: 'Key of the flag.',
      todo: 'LaunchDarkly, Flags: the key beside the name.',
      example: 'checkout-v2',
    },
    environment_key: {
      type: 'string',
      required: true,
      min_length: 1,
      doc: 'Key of the LaunchDarkly environment. `production` needs an approval.',
      todo: 'LaunchDarkly, Project settings, Environments: the key below the name.',
      example: 'test',
    },
    context_kind: { type: 'string', default: 'user', min_length: 1, doc: 'Kind of the context, such as `user` or one of your own.' },
    context_key: {
      type: 'string',
      required: true,
      min_length: 1,
      doc: 'Key of the context for which the deployment evaluates flags.',
      example: 'preview-${ctx.scope}',
    },
    variation: { type: 'any', doc: 'The variation by its value. Give this, `variation_name` or `variation_id`.', example: true },
    variation_name: { type: 'string', min_length: 1, doc: 'The variation by its name.' },
    variation_id: { type: 'string', min_length: 1, doc: 'The variation by its id, for a flag with two equal ones.' },
  },
  outputs: { id: { doc: 'The context key.' } },
  notes: ['Rules that compare a URL or another attribute are not managed: a target is a context key.'],
  destroys: 'Destroy takes the key away from its variation. The flag, its rules and all other targets stay.',
  writesProduction: ({ environment_key }) => environment_key === 'production',
  bind(params, { block }) {
    const project = identityText(params.project_key, 'project_key');
    const flag = identityText(params.flag_key, 'flag_key');
    const environment = identityText(params.environment_key, 'environment_key');
    const parent = targetsOf(`/api/v2/flags/${encodeURIComponent(project)}/${encodeURIComponent(flag)}`, environment, kindOf(params));
    const item = identityText(params.context_key, 'context_key');
    const { entry, problems } = variationOf(params);
    const bound: ItemBound = {
      kind: 'item',
      // Kinds other than users share one place, so the key must name the kind.
      key: `${itemRecordId(parent.path, parent.list_path, item)}[kind=${kindOf(params)}]`,
      lockOn: lockNameOf(block, parent),
      reach: { kind: 'item', parent, item },
      fields: { variation: entry },
      entry,
      problems,
      remark: (raw) => {
        const refusal = hasPending(entry) || entry instanceof Kept ? null : noChoice({ raw }, parent, { item, entry: asBody(entry) });
        if (refusal) throw refusal;
        const isOn = getAt(raw, joinPointer(['environments', environment, 'on']));
        return isOn === false
          ? `The flag ${flag} is off in ${environment}, so it serves its off variation to everybody, ${item} included.`
          : null;
      },
    };
    return bound;
  },
};

const kindOf = ({ context_kind }: Params): string => (context_kind === undefined ? 'user' : identityText(context_kind, 'context_kind'));

/** Users have a list of their own, and all other kinds share another list (2026-11-21). */
function targetsOf(path: string, environment: string, kind: string): ParentSpec {
  const instruction = { contextKind: kind, values: ['{name}'], variationId: '{choice}' };
  return {
    path,
    method: 'PATCH',
    // The answer shows only environments that the request names.
    read_path: `${path}?env=${encodeURIComponent(environment)}`,
    list_path: joinPointer(['environments', environment, kind === 'user' ? 'targets' : 'contextTargets']),
    shape: 'map',
    body: { environmentKey: environment },
    choices: {
      list: '/variations',
      // Targets name the place of their variation, but instructions name its id.
      id: '/_id',
      names: '/values',
      index: '/variation',
      ...(kind !== 'user' && { match: { '/contextKind': kind } }),
      instructions: '/instructions',
      add: { kind: 'addTargets', ...instruction },
      remove: { kind: 'removeTargets', ...instruction },
    },
    refusals: [
      {
        status: 405,
        detail: `Changes of flags in the LaunchDarkly environment ${environment} need an approval, but pilotfish does not ask for one.`,
        fix: 'Use an environment without required approvals, or let the token bypass them.',
      },
      {
        // `ignoreConflicts` would override this refusal. It is never sent.
        status: 400,
        detail: 'LaunchDarkly also refuses a change that would break a pending scheduled change or approval request.',
        fix: 'Correct what the answer names. If a change is pending for this flag, apply or withdraw that change, then run again.',
      },
    ],
  };
}

/** The variation as the line names it. The given param of the three must fit exactly one variation of the flag. */
function variationOf({ variation, variation_name, variation_id }: Params): { entry: Value; problems: readonly string[] } {
  const said = [variation, variation_name, variation_id].filter((one) => one !== undefined);
  if (said.length !== 1) {
    return { entry: null, problems: ['A target needs exactly one of `variation`, `variation_name` and `variation_id`.'] };
  }
  const [one] = said;
  if (one instanceof Kept || one instanceof Pending) return { entry: one, problems: [] };
  return {
    entry: {
      ...(variation !== undefined && { value: variation }),
      ...(variation_name !== undefined && { name: variation_name }),
      ...(variation_id !== undefined && { _id: variation_id }),
    },
    problems: [],
  };
}
