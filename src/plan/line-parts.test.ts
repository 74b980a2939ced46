import { expect, it } from 'vitest';
import { planFromText } from './from-text.ts';
import type { Plan } from './types.ts';

const context = { environment: 'preview', scope: 'pr-1', git: { sha: null, branch: 'b' }, pr: { number: null } };

const plain = `version: 1
changes:
  - id: db
    adapter: neon
    op: branch
    name: pr-\${ctx.scope}
    port: 007
    token: { public: "abc" }
`;
/** What only the full parser reads. */
const other = plain.replace('name: pr', 'name: >-\n      pr');

const said = ({ lines: [line] }: Plan) => ({
  place: line?.placeOf(['port']),
  nearest: line?.placeOf(['token', 'deep']),
  missing: line?.placeOf(['nothing']),
  text: line?.textOf(['port']),
  isPublic: [line?.isPublic(['token']), line?.isPublic(['port'])],
});

it.each([plain, other])('a plan says of its lines what it said before it let go of their parts', (text) => {
  const { plan, problems } = planFromText(text, { path: '/p.yaml', display: 'p.yaml', context });
  expect(problems).toEqual([]);
  const before = said(plan);
  expect(before.text).toBe('007');
  expect(before.isPublic).toEqual([true, false]);
  plan.letGoOfParts();
  expect(said(plan)).toEqual(before);
  plan.letGoOfParts();
  expect(said(plan)).toEqual(before);
});
