import { expect, it } from 'vitest';
import { work } from '../../../../test/support/work.ts';
import type { Reading } from '../facts.ts';
import { prismaSchema } from './prisma.ts';

const asked = { hosts: [], schemes: ['mysql', 'postgres'], modules: [], resources: [] };
const read = (text: string) => prismaSchema.read({ path: 'prisma/schema.prisma', text }, asked) as Reading;
const told = (text: string) =>
  read(text).variables?.map(
    ({ name, line, opens }) => `${line} ${name}: ${opens?.engine} by ${opens?.by}${opens?.role ? `, ${opens.role}` : ''}`,
  );

it('the datasource of a Prisma schema names its variables, whatever they are called', () => {
  const schema = `// url = env("OLD")
generator client { provider = "prisma-client-js" binaryTargets = env("TARGETS") }
datasource db {
  provider  = "postgresql"
  url       = env("SHOP") // env("NOT_ME")
  /* url = env("NOR_ME") */
  directUrl = env("SHOP_DIRECT")
  shadowDatabaseUrl = env("SHOP_SHADOW")
}
model User { id Int @default(env("NO")) }`;
  expect(told(schema)).toEqual([
    '5 SHOP: postgres by prisma',
    '7 SHOP_DIRECT: postgres by prisma, direct',
    '8 SHOP_SHADOW: postgres by prisma, shadow',
  ]);
  expect(read(schema).facts).toMatchObject([{ kind: 'scheme', name: 'postgres', line: 5 }]);
});

it.each([
  ['datasource db {\n  provider = "mysql"\n  url = env("A_URL")\n}', ['3 A_URL: mysql by prisma']],
  ['datasource db {\n  provider = "mongodb"\n  url = env("A_URL")\n}', ['3 A_URL: mongodb by prisma']],
  ['datasource db {\n  provider = "sqlite"\n  url = "file:./dev.db"\n}', []],
  ['model User { id Int }', []],
  ['datasource db {\n  provider = env("WHICH")\n', []],
])('%s', (text, expected) => expect(told(text)).toEqual(expected));

it('a schema is read in time that grows with its length, not with its square', async () => {
  for (const piece of ['datasource a {', 'url = env("A', '/*', '"']) {
    expect(await work(() => told(piece.repeat(Math.ceil(300_000 / piece.length))))).toBeLessThan(4_000);
  }
});
