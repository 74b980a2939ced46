import { objectsIn } from 'pilotfish-sandbox/serve/objects';
import { expect, it } from 'vitest';

it.each([
  ['a name', { name: 'main', id: 'br-1' }, 'main'],
  ['an id of another name', { cron: '0 6 * * *', scheduleId: 'shop-pr-12' }, 'shop-pr-12'],
  ['a first text', { weight: 3, appVersion: '1.4.0', stage: 'preview' }, '1.4.0'],
  ['an id in its envelope', { sys: { id: 'master' } }, 'master'],
  ['nothing that names it', { weight: 3 }, 'number 1'],
])('an entry of a list with %s is known by it', (_, entry, name) => {
  expect(objectsIn({ things: [entry] })).toMatchObject([{ path: ['things', 0], kind: 'things', name }]);
});

it('an entry of a map without a name is known by its key', () => {
  expect(objectsIn({ zones: { 'acme.example': { note: 'ours' } } })).toMatchObject([{ name: 'acme.example' }]);
});

it('one object that has others in it is shown with them', () => {
  const state = { bucket: { shownAt: 0, cors: [{ ID: 'pr-12' }] }, limit: 100 };
  expect(objectsIn(state)).toMatchObject([
    { path: ['bucket'], name: 'bucket', fields: { shownAt: 0 } },
    { path: ['bucket', 'cors', 0], kind: 'bucket bucket cors', name: 'pr-12' },
  ]);
});

it('tokens and remembered answers are no objects', () => {
  expect(objectsIn({ tokens: { 't-1': { tier: 'full' } }, answers: { 'sk-1 key': { asked: 'POST /', reply: {}, at: 0 } } })).toEqual([]);
});
