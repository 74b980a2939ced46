import { expect, it } from 'vitest';
import { readExpectation } from './expectation.ts';
import { judge } from './judge.ts';
import { reportOf, textOf } from './report.ts';
import type { Told } from './told.ts';

const service = (name: string, lines: Told['found'][number]['lines'] = []): Told['found'][number] => ({
  name,
  evidence: [`package.json: package ${name}`],
  deployables: [''],
  lines,
});

const told: Told = {
  found: [
    service('neon', [{ id: 'database', state: 'line' }]),
    service('vercel'),
    service('stripe', [{ id: 'payments', state: 'comment' }]),
  ],
  unsupported: [service('plausible')],
  engines: [],
  deployables: [{ folder: '', name: 'shop', kind: 'web', host: 'vercel', evidence: ['vercel.json'] }],
  made_by_host: [],
  unread: [],
  assumed: false,
  wired: [{ variable: 'DATABASE_URL', deployable: '', from: 'database.pooled_uri', where: 'host' }],
};

const shop =
  'services: [neon, stripe, plausible]\nhosts: { "": vercel }\nwired:\n  - { variable: DATABASE_URL, deployable: "", service: neon }\n';

it('an expectation that is met has no fault', () => {
  const { scores, faults } = judge(readExpectation(`${shop}live: [neon]\ncomments: [payments]\n`, 'shop.yaml'), told);
  expect(faults).toEqual([]);
  expect(scores).toMatchObject({
    recall: { right: 3, of: 3 },
    precision: { right: 3, of: 3 },
    hosts: { right: 1, of: 1 },
    wiring: { right: 1, of: 1 },
  });
});

it.each([
  ['a service that nobody claims', 'services: [neon, stripe, plausible, sentry]\n', 'missed service sentry'],
  ['a service that nobody expects', 'services: [neon, stripe]\n', 'wrong service plausible'],
  ['another host', 'hosts: { "": fly }\n', 'wrong host the root is on fly, and init says vercel'],
  ['a host where none is known', 'hosts: { "": null }\n', 'wrong host the root is on no known host, and init says vercel'],
  ['a folder that nobody deploys', 'hosts: {}\n', 'wrong host the root is not deployed, and init says vercel'],
  [
    'a variable from another service',
    'wired: [{ variable: DATABASE_URL, deployable: "", service: turso }]\n',
    'wrong wired DATABASE_URL of the root from neon',
  ],
  [
    'a variable that gets no value',
    'wired: [{ variable: URL, deployable: "", service: neon }]\n',
    'missed wired URL of the root from neon',
  ],
  ['a live line where none may be', 'live: []\n', 'wrong live database of neon'],
  ['a comment that should be a line', 'live: [payments]\n', 'missed live payments'],
  ['a service that the host makes', 'made_by_host: [redis]\n', 'missed made_by_host redis'],
  ['a library', 'library: true\n', 'missed library library'],
])('%s is a fault', (_, text, fault) => {
  const { faults } = judge(readExpectation(text, 'shop.yaml'), told);
  expect(faults.map(({ kind, about, what }) => `${kind} ${about} ${what}`)).toContain(fault);
});

it('what is left open counts on neither side', () => {
  const text =
    'may: [neon, plausible]\nservices: [stripe]\nhosts: { "": any }\nwired: [{ variable: DATABASE_URL, deployable: "", service: neon, optional: true }]\n';
  const { scores, faults } = judge(readExpectation(text, 'shop.yaml'), told);
  expect(faults.map(({ what }) => what)).toEqual(['vercel']);
  expect(scores).toMatchObject({ hosts: { of: 0 }, wiring: { of: 0 }, recall: { right: 1, of: 1 } });
});

it.each([
  ['a member that nobody knows', 'services: []\nservice: [neon]\n', 'x.yaml: the file: Unrecognized key: "service"'],
  [
    'a name in another form',
    'services:\n  - neon\n  - Next Auth\n',
    'x.yaml:3: services[1]: must be a name as init says it: lower case, digits and _',
  ],
  [
    'a folder with a slash at its end',
    'hosts:\n  "apps/web/": vercel\n',
    "must be a path from the root without a slash at its end; the root itself is ''",
  ],
  ['a name in two lists', 'services: [neon]\nmay:\n  - neon\n', 'x.yaml:3: may[0]: neon stands in services already'],
  [
    'a variable that is wired and is not',
    'wired:\n  - { variable: A, deployable: "", service: neon }\nunwired:\n  - A\n',
    'x.yaml:4: unwired[0]: A stands in wired already',
  ],
  ['a text that is no YAML', 'services: [neon\n', 'x.yaml:2: is not YAML'],
])('an expectation with %s is refused with its place', (_, text, words) => {
  expect(() => readExpectation(text, 'x.yaml')).toThrow(words);
});

it('the report holds only where every sum reaches its bound', () => {
  const good = { name: 'shop', runnable: { right: 1, of: 1 }, ...judge(readExpectation(shop, 'shop.yaml'), told) };
  expect(reportOf([good]).holds).toBe(true);
  const bad = { ...good, runnable: { right: 0, of: 1 } };
  expect(reportOf([good, bad])).toMatchObject({ holds: false, total: { runnable: { share: 0.5 } } });
  expect(textOf(reportOf([good, bad]))).toContain('runnable 0.500 of 2 repositories, NOT HELD: 1');
});
