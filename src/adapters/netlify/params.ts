import type { ParamSpec } from '../../ops/op.ts';

export const siteParam: ParamSpec = {
  type: 'string',
  required: true,
  min_length: 1,
  doc: 'Id of the site.',
  todo: 'Project configuration → General → Project information → Project ID',
  example: '3970e0fe-8564-4903-9a55-c5f8de49fb8b',
};
