import { bindListItem } from '../http/list-item.ts';
import type { Op } from '../op.ts';
import { identityText } from '../value.ts';
import { authPath } from './api.ts';
import { projectRef } from './params.ts';

/**
 * One URL to which Supabase Auth may return after sign-in. All of them are one comma-separated text of the project, replaced whole
 * and without a version to hold a write to, so our own writers take turns and every other entry goes back as it was read.
 */
export const authRedirect: Op = {
  kind: 'item',
  doc: "One URL of a Supabase project's auth redirect allow-list. Identified by the URL; every other entry stays.",
  params: {
    project_ref: projectRef,
    url: {
      type: 'string',
      required: true,
      pattern: '^[A-Za-z][A-Za-z0-9+.-]*://[^\\s,]+$',
      doc: 'The URL, with a scheme; `*` and `**` stand for any characters. A comma would separate two entries.',
      example: 'https://pr-12.example.com/**',
    },
  },
  outputs: { id: { doc: 'The URL.' } },
  bind: (params, context) =>
    bindListItem(
      {
        // null where it was never set, which reads as empty (2026-11-21).
        parent: { path: authPath(identityText(params.project_ref, 'project_ref')), method: 'PATCH' },
        list_path: '/uri_allow_list',
        shape: 'delimited',
        item: params.url ?? null,
      },
      context,
    ),
};
