import type { ApiOptions } from './api.ts';
import { type Row, row } from './rows.ts';

/** A row at a box that holds this. */
export const boxed = (says: string, options: ApiOptions, box: { [member: string]: unknown }, check: Parameters<typeof row>[2]): Row =>
  row(says, options, async (api) => {
    api.shelf.boxes.set('mail', box);
    await check(api);
  });
