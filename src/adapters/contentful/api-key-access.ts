import type { ItemBound } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import { itemRecordId } from '../../remote/find.ts';
import { lockNameOf } from '../../remote/parent.ts';
import type { ParentSpec } from '../../remote/parent-spec.ts';
import { identityText } from '../../remote/value.ts';
import { idPattern, spaceId, spacePath } from './api.ts';

/**
 * One environment that a delivery API key may read. A write replaces the whole key, and only over the version that was read. The other
 * environments of the key stay. A key without a list reads `master`, so `master` is written beside the first added environment.
 */
export const apiKeyAccess: Op = {
  kind: 'item',
  doc: 'One environment that a Contentful delivery API key may read. Identified by key and environment. The other environments of the key stay.',
  subject: '{environment_id} for key {api_key_id}, space {space_id}',
  params: {
    space_id: spaceId,
    api_key_id: {
      type: 'string',
      required: true,
      pattern: idPattern,
      doc: 'Id of the delivery API key. Its preview key follows it.',
      todo: "Contentful web app: Settings, API keys, the key; its id is the end of the page's address.",
      example: '1Jk0rPqWcZ8a3bN5yT7vXd',
    },
    environment_id: {
      type: 'string',
      required: true,
      pattern: idPattern,
      doc: 'Id of the environment, or of an alias.',
      todo: 'The output `id` of the line that makes it; else Contentful web app: Settings, Environments, the ID.',
      example: { from: 'content.id' },
    },
  },
  outputs: { id: { doc: 'Id of the environment.' } },
  destroys: 'Destroy takes the environment off the list of the key. The key and its other environments stay.',
  notes: ['A key with an empty list reads `master`, so `master` replaces the last environment that is taken off.'],
  bind(params, { block }): ItemBound {
    const space = identityText(params.space_id, 'space_id');
    const item = identityText(params.environment_id, 'environment_id');
    const parent: ParentSpec = {
      path: `${spacePath(space)}/api_keys/${encodeURIComponent(identityText(params.api_key_id, 'api_key_id'))}`,
      method: 'PUT',
      list_path: '/environments',
      shape: 'array',
      key_field: '/sys/id',
      // Only the provider writes the rest of a key: its token, its policies, its preview key (2026-11-21).
      send: ['name', 'description'],
      absent_as: [linkTo('master')],
      empty_as: [linkTo('master')],
      version: { from: '/sys/version', header: 'X-Contentful-Version' },
    };
    const entry = linkTo(item);
    return {
      kind: 'item',
      key: itemRecordId(parent.path, parent.list_path, item),
      lockOn: lockNameOf(block, parent),
      reach: { kind: 'item', parent, item },
      fields: { environment: entry },
      entry,
      problems: item === 'master' ? ['`master` stays when every preview is gone, so access to it belongs to the key itself.'] : [],
    };
  },
};

const linkTo = (id: string) => ({ sys: { type: 'Link', linkType: 'Environment', id } });
