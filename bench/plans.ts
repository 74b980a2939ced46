import type { Case } from './cases.ts';
import type { Entry, Variable, Wish } from './wish.ts';

/** The plan file of a case, as its user writes it: it says what is true of the server (lists, pages, filter) and nothing about speed. */
export function planOf({ wanted, ledger, concurrency }: Pick<Case, 'wanted' | 'ledger' | 'concurrency'>, base: string): string {
  const block = `{ base_url: "${base}", auth: { bearer_env: BENCH_TOKEN }${concurrency === null ? '' : `, concurrency: ${concurrency}`} }`;
  const head = ['version: 1', `receipts: ${ledger === 'git' ? 'git-branch' : 'local'}`, 'providers:'];
  switch (wanted.shape) {
    case 'objects':
      return [...head, `  http: { shop: ${block} }`, 'changes:', ...wanted.objects.map((wish) => thing(wish, wanted.isListed))].join('\n');
    case 'entries':
      return [...head, `  http: { shop: ${block} }`, 'changes:', ...wanted.entries.map(entry)].join('\n');
    case 'variables':
      return [
        ...head,
        `  vercel: { base_url: "${base}" }`,
        'changes:',
        ...wanted.variables.map((one) => variable(one, wanted.project)),
      ].join('\n');
  }
}

function thing({ collection, name, value, needs }: Wish, isListed: boolean): string {
  const path = `/collections/${collection}`;
  const find = isListed
    ? `{ path: ${path}, list_path: /items, match: { name: ${name} }, next: /next, cursor_param: cursor }`
    : `{ path: ${path}, query: { name: ${name} }, list_path: /items, match: { name: ${name} } }`;
  const held = needs.length === 0 ? '' : `, needs: [${needs.map((need) => `{ from: ${need}.id }`).join(', ')}]`;
  return `  - id: ${name}
    adapter: http
    op: resource
    api: shop
    find: ${find}
    create: { path: ${path} }
    update: { path: "${path}/{id}" }
    delete: { path: "${path}/{id}" }
    fields: { name: ${name}, value: ${value}${held} }
    outputs: { id: /id }
`;
}

const entry = ({ app, url }: Entry, n: number): string => `  - id: callback-${n}
    adapter: http
    op: list_item
    api: shop
    parent: { path: /apps/${app}, method: PATCH }
    list_path: /callbacks
    item: ${url}
`;

const variable = ({ key, value }: Variable, project: string): string => `  - id: ${key.toLowerCase().replaceAll('_', '-')}
    adapter: vercel
    op: env
    project: ${project}
    key: ${key}
    value: ${value}
    type: plain
`;
