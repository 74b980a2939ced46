import { Redactor } from '../../src/core/redact.ts';
import { createClient } from '../../src/http/client.ts';
import { readList } from '../../src/remote/list-read.ts';
import { told } from './told.ts';

/** Reads a list to its end in a process of its own, because only a whole process tells how much memory that took: `node read-list.ts <address>`. */
const [base_url = ''] = process.argv.slice(2);
const { signal } = new AbortController();
const client = createClient({ env: process.env, redactor: new Redactor(), signal });
const spec = {
  request: { method: 'GET', path: '/items' },
  list: '/items',
  page: { kind: 'cursor', next: '/next', param: 'after' },
  match: {},
  id: '/id',
} as const;
try {
  const { entries } = await readList(client.api({ api: 'acme', base_url, auth: null }), spec, '/items', { signal });
  told(`${entries.length} entries`);
} catch (error) {
  told(String(error));
}
process.exit(0);
