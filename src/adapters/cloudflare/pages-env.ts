import { getAt } from '../../core/pointer.ts';
import { Sealed } from '../../core/sealed.ts';
import type { ItemBound, Params } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import { itemRecordId } from '../../remote/find.ts';
import { lockNameOf } from '../../remote/parent.ts';
import type { ParentSpec } from '../../remote/parent-spec.ts';
import type { Value } from '../../remote/value.ts';
import { identityText, Kept } from '../../remote/value.ts';
import { projectParams, projectPath } from './params.ts';

/**
 * A variable of a Pages project. All lines of a project share one read and one write, in whichever of its two configurations they are.
 * The write is a merge patch of the changed names, with null for a removed name.
 */
export const pagesEnv: Op = {
  kind: 'item',
  doc: 'An environment variable of a Cloudflare Pages project. All previews of the project share it, and the next deploy sees it. Secrets of Workers belong to another API and are not covered.',
  subject: '{name} of {project_name}, {deployment_config}, account {account_id}',
  console: {
    page: 'https://dash.cloudflare.com/{account_id}/pages/view/{project_name}',
    key: '/accounts/{account_id}/pages/projects/{project_name}',
  },
  params: {
    ...projectParams,
    name: {
      type: 'string',
      required: true,
      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
      doc: 'Name of the variable.',
      example: 'DATABASE_URL_PR_${ctx.pr.number}',
    },
    value: { type: 'string', required: true, doc: 'Value of the variable.', example: { from: 'database.connection_uri' } },
    type: {
      type: 'string',
      enum: ['plain_text', 'secret_text'],
      doc: '`secret_text` for a value from `{ secret }` or a sensitive output, else `plain_text`. A `secret_text` can never be read again, so a change from outside is not seen. In a project with a Wrangler configuration the next deploy removes a `plain_text`.',
    },
    deployment_config: {
      type: 'string',
      enum: ['preview', 'production'],
      default: 'preview',
      doc: 'Deployments that see the variable. Production needs an approval.',
    },
  },
  outputs: { id: { doc: 'Name of the variable.' } },
  writesProduction: ({ deployment_config: config }) => config === 'production',
  bind(params, { block }): ItemBound {
    const config = identityText(params.deployment_config ?? 'preview', 'deployment_config');
    const item = identityText(params.name, 'name');
    const at = `/deployment_configs/${config}`;
    const parent: ParentSpec = {
      path: projectPath(params),
      method: 'PATCH',
      item_path: '/result',
      list_path: `${at}/env_vars`,
      shape: 'map',
      // The official command line sends it back with each variable it changes (wrangler 4.164.0, 2026-11-21).
      echo: [`${at}/${hash}`],
      // The docs do not say what a read shows as the value of a secret (2026-11-21), so the code does not rely on it.
      hidden: { match: { '/type': 'secret_text' }, at: '/value' },
    };
    const entry = entryOf(params);
    return {
      kind: 'item',
      key: itemRecordId(parent.path, parent.list_path, item),
      lockOn: lockNameOf(block, parent),
      reach: { kind: 'item', parent, item },
      fields: { value: entry },
      entry,
      remark: (live) => remarkOn(getAt(live, `${at}/${hash}`), entry, item),
    };
  },
};

const hash = 'wrangler_config_hash';

function entryOf({ value = null, type }: Params): Value {
  if (value instanceof Kept) return value;
  return { type: type ?? (value instanceof Sealed ? 'secret_text' : 'plain_text'), value };
}

/** The Wrangler configuration is the project's source of truth: cloudflare/workers-sdk issue 7642, read 2026-11-21. */
function remarkOn(configHash: unknown, entry: Value, name: string): string | null {
  if (typeof configHash !== 'string' || configHash === '' || getAt(entry, '/type') !== 'plain_text') return null;
  return `The project has a Wrangler configuration, and its next deploy removes ${name}. Put the variable into that configuration, or make it a \`secret_text\`.`;
}
