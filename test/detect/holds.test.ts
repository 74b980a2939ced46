import { expect, it } from 'vitest';
import type { Detect } from '../../src/ops/detect.ts';
import { claimed, surveyOf } from './survey-of.ts';

const find = async (detect: Detect, files: { readonly [file: string]: string }) => claimed(await surveyOf(files, { host: detect }));

const host: Detect = { uses: { holds: [{ file: 'app.json', at: '/formation/web' }] } };

it('a file tells of a provider by a key that it holds, in any workspace', async () => {
  const held = '{ "formation": { "web": {} } }';
  expect(await find(host, { 'app.json': held, 'apps/api/package.json': '{}', 'apps/api/app.json': held })).toMatchObject([
    {
      name: 'host',
      evidence: [
        { file: 'app.json', what: 'key formation.web' },
        { file: 'apps/api/app.json', what: 'key formation.web' },
      ],
    },
  ]);
});

it('a file of that name without the key tells nothing, and neither does one that cannot be read', async () => {
  expect(await find(host, { 'app.json': '{ "expo": { "name": "shop" } }' })).toEqual([]);
  expect(await find(host, { 'app.json': '{ "formation": ' })).toEqual([]);
});

it('a key of another file of the same text tells nothing', async () => {
  expect(await find(host, { 'other.json': '{ "formation": { "web": {} } }' })).toEqual([]);
});

it('a value in another form than that of an id is no id', async () => {
  const team: Detect = {
    uses: { files: ['project.json'] },
    ids: [{ param: 'team', file: 'project.json', at: '/orgId', pattern: '^team_' }],
  };
  expect(await find(team, { 'project.json': '{ "orgId": "team_a1B2c3" }' })).toMatchObject([{ ids: { team: 'team_a1B2c3' } }]);
  expect(await find(team, { 'project.json': '{ "orgId": "k2Xq9fW" }' })).toMatchObject([{ ids: {} }]);
});
