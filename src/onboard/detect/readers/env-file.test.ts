import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { work } from '../../../../test/support/work.ts';
import type { Reading } from '../facts.ts';
import { envFiles, readEnvFile } from './env-file.ts';

const namesIn = (text: string): readonly string[] => readEnvFile(text, { hosts: [], schemes: [] }).map(({ name }) => name);
const hostsIn = (text: string): readonly string[] =>
  readEnvFile(text, { hosts: ['.neon.tech', '.psdb.cloud'], schemes: [] }).flatMap(({ hosts }) => hosts);

describe('names in an .env file', () => {
  it.each([
    ['plain', 'A=1\nB=2', ['A', 'B']],
    ['exported', 'export A=1\n  export\tB=2', ['A', 'B']],
    ['without a value', 'A=\nB=""\nC', ['A', 'B']],
    ['with Windows line ends', 'A=1\r\nB="2"\r\nC=3\r\n', ['A', 'B', 'C']],
    ['with old Macintosh line ends', 'A=1\rB=2', ['A', 'B']],
    ['with spaces', ' A = 1\nB= 2', ['A', 'B']],
    ['with comments', '# A=1\nB=2 # C=3\n#D=4\nE="5" # F=6', ['B', 'E']],
    ['given twice', 'A=1\nA=2', ['A']],
    ['with quotes within a value', 'A=it\'s\nB=\'x\'\nC="say \\"D=1\\""\nE=1', ['A', 'B', 'C', 'E']],
    ['after a quote that nobody closes', 'A="x\nB="y"\nC=1', ['A', 'B', 'C']],
    ['that are no names', '1A=1\na=1\nA-B=1\n=1\nif [ "$X" = 1 ]', []],
  ])('are found %s', (_, text, names) => expect(namesIn(text)).toEqual(names));

  it('are never taken from a value that spans lines', () => {
    expect(namesIn('A="one\nINSIDE=1\ntwo"\nB=\'\nINSIDE=1\n\'\nC=`\nINSIDE=1`\nD=1')).toEqual(['A', 'B', 'C', 'D']);
  });

  it('are never taken from a private key without quotes', () => {
    expect(namesIn('A=-----BEGIN PRIVATE KEY-----\nABC=\nDEF=x\n-----END PRIVATE KEY-----\nB=1')).toEqual(['A', 'B']);
    expect(namesIn('A=-----BEGIN PRIVATE KEY-----\nABC=\nDEF=x')).toEqual(['A']);
  });

  it('are never made from the padding of a text in base 32 or 64', () => {
    expect(namesIn('MFRGGZDFMZTWQ2LK====\nMIIEvQIBADANBg=\n')).toEqual([]);
  });

  it('never hold text of a value, whatever its quotes, line ends and comments are', () => {
    const secret = 'S3CRET';
    const value = fc.stringMatching(/^[ -~]{0,12}$/).map((text) => text.replace(/["'`\\]/g, ''));
    const line = fc
      .tuple(
        fc.constantFrom('A', 'export B_1', ' C'),
        value,
        value,
        fc.constantFrom('', '"', "'", '`'),
        fc.constantFrom('', ' # note', ' '),
      )
      .map(([name, before, after, quote, end]) => `${name}=${quote}${before}${secret}${after}${quote}${end}`);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), (lines, end) => {
        expect(JSON.stringify(readEnvFile(lines.join(end), { hosts: ['.neon.tech'], schemes: [] }))).not.toContain(secret);
      }),
    );
  });

  it('are found in time that grows with the length of the file, not with its square', async () => {
    const texts = ['A="x\n', "A='", 'A=-----BEGIN \n', 'export '.repeat(20), '\r', 'A="\\"\n', ' \t'].map((text) =>
      text.repeat(Math.ceil(1_000_000 / text.length)),
    );
    for (const text of texts) {
      expect(await work(() => readEnvFile(text, { hosts: ['.neon.tech'], schemes: [] }))).toBeLessThan(10_000);
    }
  });
});

describe('the host of a database in a value', () => {
  it.each([
    ['postgres://u:p@ep-a.eu.neon.tech/db', ['.neon.tech']],
    ['"postgresql://u:p@ep-a.neon.tech:5432/db?sslmode=require"', ['.neon.tech']],
    ["'postgres://u:p%40@EP-A.Neon.Tech./db'", ['.neon.tech']],
    ['postgres://u:p/w@d@ep-a.neon.tech/db', ['.neon.tech']],
    ['jdbc:postgresql://ep-a.neon.tech/db', ['.neon.tech']],
    ['postgresql+asyncpg://u:p@ep-a.eu.aws.neon.tech/db', ['.neon.tech']],
    ['mongodb+srv://u:p@a.example.com:27017,b.neon.tech:27017/db', ['.neon.tech']],
    ['mysql://u:p@aws.connect.psdb.cloud/db', ['.psdb.cloud']],
    ['postgres://u:p@localhost/db', []],
    ['postgres://u:p@neon.tech.example.com/db', []],
    ['postgres://u:p@example.com/.neon.tech', []],
    ['postgres://u:p@example.com/db?host=ep-a.neon.tech', []],
    ['https://console.neon.tech/app', []],
    ['ep-a.neon.tech', []],
  ])('is recognised by its end: %s', (value, hosts) => expect(hostsIn(`A=${value}\n`)).toEqual(hosts));

  it('may be the whole value if the name of the variable says that it is a host', () => {
    expect(hostsIn('PGHOST=ep-a.neon.tech')).toEqual(['.neon.tech']);
    expect(hostsIn('DATABASE_HOST="aws.connect.psdb.cloud:3306"')).toEqual(['.psdb.cloud']);
  });

  it('is ignored if no provider asks for it', () => {
    expect(readEnvFile('A=postgres://u:p@ep-a.neon.tech/db', { hosts: [], schemes: [] })).toMatchObject([
      { name: 'A', line: 1, hosts: [], schemes: [] },
    ]);
  });
});

describe('the variables of a file', () => {
  const usesIn = (path: string, text: string) =>
    (envFiles.read({ path, text }, { hosts: [], schemes: [], modules: [], resources: [] }) as Reading).variables ?? [];

  it('say which of them hold the address of a database', () => {
    const text = 'A=mongodb+srv://u:p@x/db\nB="jdbc:mysql://x/db"\nC=https://x\nD=\nE=postgresql+asyncpg://x';
    expect(usesIn('.env.example', text).map(({ name, opens }) => `${name} ${opens?.engine ?? '-'}`)).toEqual([
      'A mongodb',
      'B mysql',
      'C -',
      'D -',
      'E postgres',
    ]);
  });

  it('of the skeleton of Laravel tell of no service', () => {
    const text = 'APP_KEY=\nBROADCAST_CONNECTION=log\nAWS_BUCKET=\nSTRIPE_KEY=';
    expect(
      usesIn('.env.example', text)
        .filter((one) => one.isSkeleton)
        .map(({ name }) => name),
    ).toEqual(['BROADCAST_CONNECTION', 'AWS_BUCKET']);
    expect(usesIn('.env.example', 'AWS_BUCKET=')[0]?.isSkeleton).toBeUndefined();
  });

  it.each(['.env', 'apps/web/.env.example', 'env.example', 'production.env', '.dev.vars'])('are those of %s', (path) => {
    expect(envFiles.takes(path)).toBe(true);
  });

  it.each(['src/env.ts', 'environment.yml', 'env', 'vite-env.d.ts'])('are not those of %s', (path) =>
    expect(envFiles.takes(path)).toBe(false),
  );
});
