import type { ItemBound } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import { itemRecordId } from '../../remote/find.ts';
import { lockNameOf } from '../../remote/parent.ts';
import type { ParentSpec } from '../../remote/parent-spec.ts';
import { identityText } from '../../remote/value.ts';
import { idPattern, spaceId, spacePath } from './api.ts';

/**
 * One environment that a delivery API key may read. The key is replaced whole, and only over the version that was read; what it may
 * read besides stays. A key without a list reads `master`, so `master` is written beside the first environment that is added.
 */
export const apiKeyAccess: Op = {
  kind: 'item',
  doc: 'One environment that a Contentful delivery API key may read. Identified by key and environment; what else it may read stays.',
  params: {
    space_id: spaceId,
    api_key_id: {
      type: 'string',
      required: true,
      pattern: idPattern,
      doc: 'Id of the delivery API key. The preview key that belongs to it follows it.',
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
  destroys: 'Destroy takes the environment off the list of the key. The key and what else it may read stay.',
  notes: ['A key without any environment on its list reads `master`: when the last one is taken off, `master` is written in its place.'],
  bind(params, { block }): ItemBound {
    const space = identityText(params.space_id, 'space_id');
    const item = identityText(params.environment_id, 'environment_id');
    const parent: ParentSpec = {
      path: `${spacePath(space)}/api_keys/${encodeURIComponent(identityText(params.api_key_id, 'api_key_id'))}`,
      method: 'PUT',
      list_path: '/environments',
      shape: 'array',
      key_field: '/sys/id',
      // Everything else of a key is the provider's to write: its token, its policies, its preview key (2026-11-21).
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
