import type { Adapter } from '../op.ts';
import { action } from './action.ts';
import { listItem } from './list-item.ts';
import { resource } from './resource.ts';

/** The generic adapter: any HTTP API, described by the plan itself. Recipes are templates of its operations. */
export const http: Adapter = {
  name: 'http',
  title: 'Any HTTP API',
  docs: 'https://www.rfc-editor.org/rfc/rfc9110',
  // Every API has its own block under `providers.http`, so there are no defaults.
  provider: { base_url: null, auth: null },
  ops: { resource, list_item: listItem, action },
};
