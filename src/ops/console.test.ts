import { describe, expect, it } from 'vitest';
import { type ConsoleFacts, type ConsolePage, consoleLink, consoleProblems } from './console.ts';

const branch: ConsolePage = {
  page: 'https://console.example.com/projects/{project_id}/branches/{id}?tab={tab}',
  key: '/projects/{project_id}/branches',
};
const facts: ConsoleFacts = { key: '/projects/shop/branches[name=pr-1]', objectId: 'br-1', outputs: { tab: 7 } };

describe('the address of an object in a console', () => {
  it('is filled in from the id, the outputs and the key', () => {
    expect(consoleLink(branch, facts)).toBe('https://console.example.com/projects/shop/branches/br-1?tab=7');
  });

  it('is decoded once and encoded once where the key is a path, and taken as it stands elsewhere', () => {
    const key = '/projects/a%20%C3%BC%25/branches[name=pr-1]';
    expect(consoleLink(branch, { ...facts, key })).toContain('/projects/a%20%C3%BC%25/branches/');
    const byField = { page: 'https://console.example.com/{name}', key: '/things[name={name}' };
    expect(consoleLink(byField, { ...facts, key: '/things[name=a%25,type=x]' })).toBe('https://console.example.com/a%2525');
  });

  it('keeps the slashes of a member that may hold them', () => {
    const hook = { page: 'https://code.example.com/{+repo}/hooks/{id}', key: '/repos/{+repo}/hooks' };
    expect(consoleLink(hook, { ...facts, key: '/repos/acme/shop/hooks[url=x]' })).toBe('https://code.example.com/acme/shop/hooks/br-1');
    for (const repo of ['..', 'acme/..', 'acme/.', 'acme//shop', 'acme/%2e%2e/x'])
      expect(consoleLink(hook, { ...facts, key: `/repos/${repo}/hooks` }), repo).toBeNull();
  });

  it.each([
    ['no such output', { outputs: {} }],
    ['an output that is no text', { outputs: { tab: { deep: 1 } } }],
    ['an empty id', { objectId: '' }],
    ['an id that leads up the path', { objectId: '..' }],
    ['an id of half a letter', { objectId: '\ud800' }],
    ['an id as long as a text', { objectId: 'x'.repeat(301) }],
    ['a key of another shape', { key: '/accounts/shop/branches' }],
    ['a key that only ends like it', { key: 'x/projects/shop/branches' }],
    ['a very long key', { key: `/projects/shop/branches[name=${'x'.repeat(5000)}` }],
  ])('is left out with %s', (_, change) => {
    expect(consoleLink(branch, { ...facts, ...change })).toBeNull();
  });

  it.each([
    '@evil.example',
    '/../../x',
    '\\evil',
    'a?b#c',
    '\u001b]8;;x\u0007',
    '\u202e',
    '"><script>',
    "a'b(c)!*",
    'x\ny',
    '%00',
    '{id}',
    '$&',
  ])('stays at its host and path, in plain letters, with the id %j', (objectId) => {
    const link = consoleLink(branch, { ...facts, objectId }) ?? '';
    expect(link).toMatch(/^[A-Za-z0-9:/?=&%._~-]+$/);
    const { origin, pathname, search, hash } = new URL(link);
    expect([origin, search, hash]).toEqual(['https://console.example.com', '?tab=7', '']);
    expect(decodeURIComponent(pathname)).toBe(`/projects/shop/branches/${objectId}`);
  });

  it('takes no member from the prototype of outputs', () => {
    expect(consoleLink({ page: 'https://console.example.com/{constructor}' }, facts)).toBeNull();
  });
});

describe('a page is refused', () => {
  it.each([
    ['http://console.example.com/{id}'],
    ['https://{id}.example.com/x'],
    ['https://console.example.com{id}/x'],
    ['https://{id}@console.example.com/x'],
    ['https://console.example.com'],
    ['https://console.example.com:8443/{id}'],
    ['https://console.example.com/a b'],
    ['https://console.example.com/{Id}'],
    ['https://console.example.com/{id'],
    ['https://console.example.com/{other}'],
  ])('%s', (page) => {
    expect(consoleProblems({ page }, ['url'])).not.toEqual([]);
  });

  it('unless it names the id, plain outputs and members of its key', () => {
    expect(consoleProblems({ page: 'https://console.example.com/{id}/{url}/{a}', key: '/x/{a}' }, ['url'])).toEqual([]);
    expect(consoleProblems({ page: 'https://console.example.com/{id}', key: '/x/{A}' }, [])).toEqual([
      'The key /x/{A} has a brace that names nothing.',
    ]);
  });
});
