import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type ApiOptions, openApi } from './api.ts';

const folder = join(import.meta.dirname, '../../docs/http');
const examples = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).map((name) => name.slice(0, -'.yaml'.length));

type Fields = { [field: string]: unknown };

interface Provider {
  readonly answer: NonNullable<ApiOptions['answer']>;
  /** What stands at the provider beside what people had there. */
  readonly left: () => unknown;
  readonly expected: unknown;
}

const credentials = {
  STATUSPAGE_API_KEY: 'key-of-statuspage',
  SEARCH_ADMIN_KEY: 'key-of-search-1',
  GATEWAY_USER: 'robot',
  GATEWAY_PASSWORD: 'password-of-gateway',
  HOOKS_TOKEN: 'token-of-hooks-1',
  SETTINGS_TOKEN: 'token-of-settings',
  WARM_KEY: 'key-that-the-app-knows',
  PLANNER_TOKEN: 'token-of-planner',
  STORAGE_KEY: 'key-of-storage-1',
};

/** The providers of the examples, as their documentation would describe them. */
const providers: { readonly [example: string]: () => Provider } = {
  '1-object-in-a-list': () => {
    const mine = new Map<string, Fields>();
    const first = { id: 'c0', name: 'checkout' };
    return {
      left: () => [...mine.values()].map(({ id: _, ...fields }) => fields),
      expected: [{ name: 'preview pr-12', description: 'Branch feature/x', showcase: false }],
      answer: ({ method, path, headers, body }) => {
        if (headers.get('authorization') !== `OAuth ${credentials.STATUSPAGE_API_KEY}`) return { status: 401 };
        const id = path.split('/').at(-1) ?? '';
        if (method === 'GET' && path.endsWith('after=2')) return { body: { data: [...mine.values()], paging: { next: null } } };
        if (method === 'GET') return { body: { data: [first], paging: { next: '2' } } };
        if (method === 'DELETE') return { status: mine.delete(id) ? 204 : 404 };
        const key = method === 'POST' ? 'c1' : id;
        mine.set(key, { ...mine.get(key), id: key, ...(body as Fields) });
        return { body: mine.get(key) };
      },
    };
  },
  '2-chosen-id': () => {
    const indexes = new Map<string, Fields>();
    return {
      left: () => [...indexes],
      expected: [['products-pr-12', { settings: { ranking: ['words', 'typo', 'price'] } }]],
      answer: ({ method, path, headers, body }) => {
        if (headers.get('x-api-key') !== credentials.SEARCH_ADMIN_KEY) return { status: 403 };
        const [, , , uid = '', part] = path.split('/');
        if (method === 'DELETE') return { status: indexes.delete(uid) ? 204 : 404 };
        if (method === 'PUT') indexes.set(uid, body as Fields);
        const index = indexes.get(uid);
        if (!index) return { status: 404, body: { message: 'no such index' } };
        if (part === 'settings') Object.assign(index, body);
        return { body: { uid, url: `https://search.example/${uid}`, ...index } };
      },
    };
  },
  '3-shared-list': () => {
    let route: Fields = { name: 'checkout', cors: { origins: ['https://shop.example.com'], maxAge: 60 } };
    return {
      left: () => (Object(route.cors).origins as string[]).slice(1),
      expected: ['https://pr-12.preview.example.com'],
      answer: ({ method, headers, body }) => {
        const basic = Buffer.from(`${credentials.GATEWAY_USER}:${credentials.GATEWAY_PASSWORD}`).toString('base64');
        if (headers.get('authorization') !== `Basic ${basic}`) return { status: 401 };
        if (method === 'PUT') route = body as Fields;
        expect(route).toMatchObject({ name: 'checkout', cors: { maxAge: 60 } });
        return { body: route };
      },
    };
  },
  '4-form-and-secret': () => {
    const endpoints = new Map<string, Fields>();
    const variables = new Map<string, string>();
    return {
      left: () => [[...endpoints.values()].map(({ url, events }) => [url, events]), [...variables]].filter((one) => one.length > 0),
      expected: [[['https://pr-12.preview.example.com/hooks', ['paid', 'refunded']]], [['HOOK_SECRET_12', 'whs_shown-only-once']]],
      answer: ({ method, host, path, text, body }) => {
        const id = path.split('/').at(-1) ?? '';
        if (host === 'settings.example') {
          if (method === 'DELETE') return { status: variables.delete(id) ? 204 : 404 };
          if (method === 'PUT') variables.set(id, String((body as Fields).value));
          return variables.has(id) ? { body: { key: id, value: '****' } } : { status: 404 };
        }
        if (method === 'GET') return { body: { endpoints: [...endpoints.values()] } };
        if (method === 'DELETE') return { status: endpoints.delete(id) ? 204 : 404 };
        const form = new URLSearchParams(text);
        const made = { id: 'e1', label: form.get('label'), url: form.get('url'), events: form.getAll('events') };
        endpoints.set('e1', made);
        return { body: { ...made, signing_secret: 'whs_shown-only-once' } };
      },
    };
  },
  '5-action': () => {
    let warmed: unknown[] = [];
    return {
      left: () => warmed.splice(0),
      expected: ['/internal/warm'],
      answer: ({ path, headers, body }) => {
        if (headers.get('x-warm-key') !== credentials.WARM_KEY) return { status: 403 };
        expect(body).toEqual({ paths: ['/', '/checkout'] });
        warmed = [...warmed, path];
        return { body: { count: 2 } };
      },
    };
  },
  '6-graphql': () => {
    const boards = new Map<string, Fields>();
    return {
      left: () => [...boards.values()].map(({ name, colour }) => [name, colour]),
      expected: [['pr-12', 'teal']],
      answer: ({ path, method, body }) => {
        expect([method, path]).toEqual(['POST', '/graphql']);
        const { query, variables } = body as { query: string; variables: { id?: string; input?: Fields } };
        const { id = 'b1', input = {} } = variables;
        if (query.startsWith('query')) return { body: { data: { boards: { nodes: [...boards.values()] } } } };
        if (query.includes('boardDelete')) return { body: { data: { boardDelete: boards.delete(id) } } };
        boards.set(id, { ...boards.get(id), id, ...input });
        return { body: { data: { [query.includes('boardCreate') ? 'boardCreate' : 'boardUpdate']: boards.get(id) } } };
      },
    };
  },
  '7-xml-list': () => {
    let document: string | null = null;
    return {
      left: () => [...(document ?? '').matchAll(/<(?:ID|AllowedOrigin|AllowedMethod)>([^<]*)</g)].map(([, text]) => text),
      expected: ['https://pr-12.preview.example.com', 'GET', 'PUT', 'pr-12'],
      answer: ({ method, text, headers }) => {
        if (headers.get('x-storage-key') !== credentials.STORAGE_KEY) return { status: 403 };
        const xml = { 'content-type': 'application/xml' };
        if (method === 'DELETE') document = null;
        if (method === 'PUT') document = text;
        if (method !== 'GET') return { status: 204 };
        if (document !== null) return { body: document, headers: xml };
        return { status: 404, body: '<?xml version="1.0"?><Error><Code>NoSuchCORSConfiguration</Code></Error>', headers: xml };
      },
    };
  },
};

it('there are five and more', () => {
  expect(examples.length).toBeGreaterThanOrEqual(5);
  expect(Object.keys(providers).sort()).toEqual([...examples].sort());
});

it.each(examples)('docs/http/%s.yaml makes what it says, once, and takes it away', async (example) => {
  const provider = providers[example]?.();
  if (!provider) throw new Error(`no provider plays ${example}`);
  const text = await readFile(join(folder, `${example}.yaml`), 'utf8');
  const api = await openApi({ lines: text, env: credentials, answer: provider.answer });
  onTestFinished(() => api.close());
  const planned = await api.plan();
  expect(planned.errors).toEqual([]);
  for (const { verdict } of planned.doc?.lines ?? []) expect(['create', 'send']).toContain(verdict);
  const applied = await api.apply();
  expect([applied.errors, applied.doc?.ok]).toEqual([[], true]);
  expect(provider.left()).toEqual(provider.expected);
  const writes = () => api.seen.filter(({ method, text }) => method !== 'GET' && !text.includes('"query boards')).length;
  const before = writes();
  const again = await api.apply();
  expect(again.doc?.lines.map(({ verdict }) => verdict)).toEqual(applied.doc?.lines.map(() => 'none'));
  expect(writes()).toBe(before);
  const destroyed = await api.destroy();
  expect([destroyed.errors, destroyed.doc?.ok]).toEqual([[], true]);
  expect(provider.left()).toEqual([]);
  expect(JSON.stringify([applied.doc, again.doc, destroyed.doc])).not.toMatch(/shown-only-once|key-that-the-app/);
});
