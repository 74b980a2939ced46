import { json, type Reply, refuse } from '../kit/index.ts';

export const docs = 'https://docs.github.com/rest';

export function failure(status: number, message: string, more: { readonly [name: string]: unknown } = {}): Reply {
  return json(status, { message, ...more, documentation_url: docs, status: String(status) });
}
export const notFound = (): Reply => failure(404, 'Not Found');
export const refuseWith = ({ status, body }: Reply) => refuse(status, body);

export const invalid = (field: string, code: string, message: string) =>
  refuseWith(failure(422, 'Validation Failed', { errors: [{ resource: 'Hook', code, field, message }] }));
