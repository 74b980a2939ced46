import type { Params } from '../../ops/bound.ts';
import type { ParamSpec } from '../../ops/op.ts';
import { identityText } from '../../remote/value.ts';

/** The params that name a Pages project. */
export const projectParams: { readonly [name: string]: ParamSpec } = {
  account_id: {
    type: 'string',
    required: true,
    pattern: '^[0-9a-f]{32}$',
    doc: 'Id of the account that owns the project.',
    todo: 'Workers & Pages → Account details → Account ID',
    example: '023e105f4ecef8ad9ca31a8372d0c353',
  },
  project_name: {
    type: 'string',
    required: true,
    pattern: '^[a-z0-9][a-z0-9-]*$',
    doc: 'Name of the Pages project.',
    todo: 'Workers & Pages → the project; also `name` in wrangler.toml',
    example: 'shop',
  },
};

export function projectPath(params: Params): string {
  const account = identityText(params.account_id, 'account_id');
  const project = identityText(params.project_name, 'project_name');
  return `/accounts/${encodeURIComponent(account)}/pages/projects/${encodeURIComponent(project)}`;
}
