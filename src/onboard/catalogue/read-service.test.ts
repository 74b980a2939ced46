import { expect, it } from 'vitest';
import { readService } from './read-service.ts';

const good = `
name: acme
title: Acme
kind: logs
uses:
  packages: { npm: ["@acme/*", next-acme], pypi: [acme-py], go: [github.com/acme/acme-go], maven: ["dev.acme:acme-client"] }
  variables: [ACME_TOKEN]
  hosts: [.acme.test, smtp.acme.test, "queue.*.acme.test"]
  holds: [{ file: app.json, at: /acme }]
may: { variables: [ACME_*], images: [acme/server] }
`;

it('a file of the catalogue is data', () => {
  expect(readService(good, 'acme')).toMatchObject({ name: 'acme', kind: 'logs', may: { images: ['acme/server'] } });
});

it.each([
  ['title: Acme', 'titel: Acme', 'Did you mean "title"?'],
  ['kind: logs', 'kind: log', 'kind'],
  ['name: acme', 'name: other', 'is named other inside'],
  ['next-acme', 'Next-Acme', 'a package of npm'],
  ['"@acme/*"', '"*"', 'a package of npm'],
  ['acme-py', 'acme_py', 'a package of PyPI in its normal form'],
  ['acme-go', 'acme-go/v2', 'without its major version'],
  ['dev.acme:acme-client', 'acme-client', 'group:artifact'],
  ['ACME_TOKEN', 'NEXT_PUBLIC_ACME_TOKEN', 'without the prefix of a build'],
  ['ACME_TOKEN', 'acme_token', 'a variable'],
  ['ACME_*', 'APP_*', 'a beginning that only this service uses'],
  ['ACME_*', 'DATABASE_*', 'a beginning that only this service uses'],
  ['ACME_*', 'A*', 'a beginning that only this service uses'],
  ['smtp.acme.test', 'SMTP.acme.test', 'in lower case'],
  ['smtp.acme.test', 'https://smtp.acme.test', 'a host'],
  ['smtp.acme.test', 'test', 'a host'],
  ['acme/server', 'acme/server:1', 'without its tag'],
  ['at: /acme', 'at: acme', 'at'],
  ['app.json', '/app.json', 'from the root of a repository'],
  ['may: {', 'why: no reason\nmay: {', 'a sentence'],
])('with %j as %j it is refused', (from, to, words) => {
  expect(good).toContain(from);
  expect(() => readService(good.replace(from, to), 'acme')).toThrow(words);
});
