import { expect, it } from 'vitest';
import type { DraftVariable } from '../ops/detect.ts';
import { nameVariables } from './variable-names.ts';

const pooled: DraftVariable = { names: ['DATABASE_URL', 'POSTGRES_URL'], value: { from: 'database.pooled' } };
const direct: DraftVariable = { names: ['DIRECT_URL', 'DATABASE_URL_UNPOOLED'], value: { from: 'database.direct' }, optional: true };
const named = (...names: string[]) => names.map((name) => ({ name, hosts: [] as string[] }));

const keys = (configured: readonly string[], seen: readonly { readonly name: string; readonly hosts: readonly string[] }[]) =>
  nameVariables([pooled, direct], ['.neon.tech'], { configured, named: seen }).map(({ key, isGuess }) => (isGuess ? `${key}?` : key));

it.each([
  ['nothing names it: the usual name, marked as a guess', [], [], ['DATABASE_URL?']],
  ['a file names a usual one', [], named('POSTGRES_URL'), ['POSTGRES_URL']],
  ['the ORM reads another one than a file names', ['POSTGRES_URL'], named('DATABASE_URL'), ['POSTGRES_URL']],
  ['the ORM reads both', ['DATABASE_URL', 'DIRECT_URL'], [], ['DATABASE_URL', 'DIRECT_URL']],
  ['the optional one is named', [], named('DATABASE_URL', 'DATABASE_URL_UNPOOLED'), ['DATABASE_URL', 'DATABASE_URL_UNPOOLED']],
  ['a name of the team is known by its address', [], [{ name: 'SHOP_DB', hosts: ['.neon.tech'] }], ['SHOP_DB']],
  ['an address of another provider says nothing', [], [{ name: 'SHOP_DB', hosts: ['.psdb.cloud'] }], ['DATABASE_URL?']],
  ['a name of the team that the ORM reads', ['SHOP_DB'], [], ['SHOP_DB']],
  ['the ORM reads the direct one alone', ['DIRECT_URL'], [], ['DATABASE_URL?', 'DIRECT_URL']],
  ['what the ORM reads goes before a usual name', ['SHOP_DB'], named('DATABASE_URL'), ['SHOP_DB']],
])('%s', (_, configured, seen, expected) => {
  expect(keys(configured, seen)).toEqual(expected);
});
