import { expect, it } from 'vitest';
import type { InitDoc } from '../engine/init-document.ts';
import { plainStyles } from '../report/styles.ts';
import { initText } from './init-text.ts';

const many = (n: number): InitDoc => ({
  schema: 1,
  ok: true,
  command: 'init',
  plan: { path: '/repos/shop/release.plan.yaml', written: true, added: [] },
  gitignore: { path: '/repos/shop/.gitignore', changed: true },
  detected: {
    found: Array.from({ length: n }, (_, i) => ({
      name: `provider_${i}`,
      title: `Provider ${i}`,
      evidence: [`/repos/shop/package.json: package one-${i}`, `/repos/shop/.env: variable KEY_${i}`],
      lines: [{ id: `line-${i}`, state: 'line' as const }],
      deployables: [''],
    })),
    unsupported: [
      { name: 'x', title: 'Service', evidence: ['/repos/shop/.env: variable X'], why: 'No API.', ask: 'Do it by hand.', deployables: [''] },
    ],
    todo: Array.from({ length: n }, (_, i) => ({
      path: `changes[${i}].project`,
      hint: 'somewhere in the console of the provider.',
      file: '/repos/shop/release.plan.yaml',
      line: 10 + i,
    })),
    check: [],
    assumed: false,
    deployables: [],
    made_by_host: [
      { name: 'redis', title: 'Redis', host: 'heroku', what: 'a Redis for each review app', evidence: ['/repos/shop/app.json'] },
    ],
    engines: [{ name: 'postgres', title: 'PostgreSQL', evidence: ['/repos/shop/package.json: package pg'], deployables: [''], ways: [] }],
    wired: [],
    unwired: [],
    unread: [{ format: 'Bazel', file: '/repos/shop/BUILD' }],
    library: null,
    template: null,
  },
  credentials: Array.from({ length: n }, (_, i) => ({ variable: `KEY_${i}`, provider: `provider_${i}`, status: 'missing' as const })),
  unsealed: [],
  next: { command: null, why: 'Fill them in.' },
});
const told = (n: number): string => initText(many(n), '/repos/shop', plainStyles);
const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

it('shows every finding with its hint while the report is short', () => {
  const text = told(3);
  expect(text).toContain('Provider 2  package.json (one-2) and 1 more  line-2');
  expect(text).toContain('release.plan.yaml:12  changes[2].project  somewhere in the console of the provider.');
  expect(text).toContain('No API. Do it by hand.');
});

it.each([8, 20, 61, 500])('has at most 250 words for %i providers, and says how much it leaves out', (n) => {
  const text = told(n);
  expect(words(text)).toBeLessThanOrEqual(250);
  if (n > 20) expect(text).toMatch(/and \d+ more, which pilotfish init --json names/);
  expect(text).toContain('Fill them in.');
});
