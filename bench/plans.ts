import type { Case } from './cases.ts';
import { tokens } from './server.ts';
import type { Entry, Variable, Wish } from './wish.ts';

/** The plan file of a case, as its user writes it: it says what is true of the server (lists, pages, filter) and nothing about speed. */
export function planOf(
  { wanted, ledger, concurrency, credentials }: Pick<Case, 'wanted' | 'ledger' | 'concurrency' | 'credentials'>,
  base: string,
): string {
  const most = concurrency === null ? '' : `, concurrency: ${concurrency}`;
  const apis = Object.keys(tokens(credentials)).map((name, n) => [
    apiOf(n),
    `{ base_url: "${base}", auth: { bearer_env: ${name} }${most} }`,
  ]);
  const blocks = `  http: { ${apis.map(([api, block]) => `${api}: ${block}`).join(', ')} }`;
  const head = ['version: 1', `receipts: ${ledger === 'git' ? 'git-branch' : 'local'}`, 'providers:'];
  switch (wanted.shape) {
    case 'objects':
      return [...head, blocks, 'changes:', ...wanted.objects.map((wish, n) => thing(wish, wanted, apiOf(n % credentials)))].join('\n');
    case 'entries':
      return [...head, blocks, 'changes:', ...wanted.entries.map(entry)].join('\n');
    case 'variables':
      return [
        ...head,
        `  vercel: { base_url: "${base}" }`,
        'changes:',
        ...wanted.variables.map((one) => variable(one, wanted.project)),
      ].join('\n');
  }
}

const apiOf = (n: number): string => `shop${n === 0 ? '' : `-${n}`}`;

function thing(
  { collection, name, value, needs }: Wish,
  { isListed, isKeyed }: { isListed: boolean; isKeyed: boolean },
  api: string,
): string {
  const path = `/collections/${collection}`;
  const key = isKeyed && needs.length > 0 ? `, /needs/0: { from: ${needs[0]}.id }` : '';
  const find = isListed
    ? `{ path: ${path}, list_path: /items, match: { name: ${name}${key} }, next: /next, cursor_param: cursor }`
    : `{ path: ${path}, query: { name: ${name} }, list_path: /items, match: { name: ${name} } }`;
  const held = needs.length === 0 ? '' : `, needs: [${needs.map((need) => `{ from: ${need}.id }`).join(', ')}]`;
  return `  - id: ${name}
    adapter: http
    op: resource
    api: ${api}
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
