import { Failure } from '../../core/errors.ts';
import { bindListItem } from '../../ops/generic/list-item.ts';
import type { Op } from '../../ops/op.ts';
import type { Value } from '../../remote/value.ts';
import { identityText } from '../../remote/value.ts';
import { authPath } from './api.ts';
import { projectRef } from './params.ts';

/**
 * One URL to which Supabase Auth may return after sign-in. All URLs are one comma-separated text of the project. A write replaces the
 * whole text, and there is no version to check it against. So our own writers take turns, and every other entry goes back as it was read.
 */
export const authRedirect: Op = {
  kind: 'item',
  doc: "One URL of a Supabase project's auth redirect allow-list. Identified by the URL; every other entry stays.",
  subject: '{url}[{path}] of project {project_ref}',
  console: {
    page: 'https://supabase.com/dashboard/project/{project_ref}/auth/url-configuration',
    key: '/v1/projects/{project_ref}/config/auth',
  },
  params: {
    project_ref: projectRef,
    url: {
      type: 'string',
      required: true,
      pattern: '^[A-Za-z][A-Za-z0-9+.-]*://[^\\s,]+$',
      doc: 'The URL, with a scheme; `*` and `**` stand for any characters. A comma would separate two entries.',
      example: 'https://${ctx.scope}.example.com/**',
    },
    path: {
      type: 'string',
      pattern: '^/[^\\s,]*$',
      doc: 'A path to append to the URL, for a `url` from another line. The URL must then end without a slash.',
      example: '/**',
    },
  },
  outputs: { id: { doc: 'The URL.' } },
  bind: (params, context) =>
    bindListItem(
      {
        // The text is null where it was never set, which reads as empty (2026-11-21).
        parent: { path: authPath(identityText(params.project_ref, 'project_ref')), method: 'PATCH' },
        list_path: '/uri_allow_list',
        shape: 'delimited',
        item: entryOf(params.url, params.path),
      },
      context,
    ),
};

function entryOf(url: Value | undefined, path: Value | undefined): Value {
  if (path === undefined) return url ?? null;
  const base = identityText(url, 'url');
  if (!base.endsWith('/')) return `${base}${identityText(path, 'path')}`;
  throw new Failure('PARAM_INVALID', {
    at: ['url'],
    detail: `url is ${base}, so the path after it would make two slashes in a row.`,
    fix: 'Leave out the slash at the end of `url`, or leave out `path`.',
  });
}
