type Fields = { [field: string]: unknown };

/** A line of `http.resource` at the API of these tests, with other members where a sentence is about them. */
export const thing = (change: Fields = {}): Fields => ({
  id: 'thing',
  adapter: 'http',
  op: 'resource',
  api: 'acme',
  find: { path: '/things', list_path: '/items', match: { name: 'one' } },
  create: { path: '/things' },
  update: { path: '/things/{id}' },
  delete: { path: '/things/{id}' },
  fields: { name: 'one', note: 'first' },
  ...change,
});

/** A line of `http.list_item` there: an entry of the list in the box `mail`. */
export const entry = (change: Fields = {}): Fields => ({
  id: 'entry',
  adapter: 'http',
  op: 'list_item',
  api: 'acme',
  parent: { path: '/boxes/mail', method: 'PATCH' },
  list_path: '/entries',
  item: 'ours',
  ...change,
});

/** A line of `http.action` that names no API. */
export const notice = (change: Fields = {}): Fields => ({
  id: 'notice',
  adapter: 'http',
  op: 'action',
  trigger: { revision: 'r1' },
  request: { url: 'https://shop.example/hook' },
  ...change,
});
