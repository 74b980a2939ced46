import type { ParamSpec } from '../../ops/op.ts';

export const projectParam: ParamSpec = {
  type: 'string',
  required: true,
  min_length: 1,
  doc: 'Id or name of the project.',
  todo: 'Vercel Dashboard, the project, Settings, General, "Project ID" or "Project Name".',
  example: 'my-app',
};
