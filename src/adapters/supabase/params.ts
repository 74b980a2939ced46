import type { ParamSpec } from '../../ops/op.ts';

/** The project of a line. */
export const projectRef: ParamSpec = {
  type: 'string',
  required: true,
  pattern: '^[a-z]{20}$',
  doc: 'Ref of the Supabase project: 20 lower-case letters.',
  todo: 'Supabase dashboard: Project Settings, General, Project ID; it is in the address of the dashboard as well.',
  example: 'abcdefghijklmnopqrst',
};
