import { describe, expect, it } from 'vitest';
import { linesIn, namesOf, readAll } from '../../../../test/support/readings.ts';
import { answersIn, signalOfHost } from '../addresses.ts';
import type { Asked } from '../facts.ts';
import { addressReaders } from './addresses.ts';

const asked: Pick<Asked, 'hosts' | 'schemes'> = {
  hosts: [
    'smtp.sendgrid.net',
    '.ingest.sentry.io',
    '.neon.tech',
    '.supabase.co',
    '.r2.dev',
    'api.stripe.com',
    '.stripe.com',
    'sqs.*.amazonaws.com',
    'cognito-idp.*.amazonaws.com',
    '.upstash.io',
    '.ingest.*.sentry.io',
  ],
  schemes: ['gs', 'libsql', 'mongodb+srv', 'mongodb', 'postgresql'],
};
const found = async (path: string, text: string): Promise<readonly string[]> => {
  const readings = await readAll(addressReaders, path, text, asked);
  return [...namesOf(readings, 'host'), ...namesOf(readings, 'scheme')];
};

describe('addresses of services are facts', () => {
  it.each<[string, string, readonly string[]]>([
    ['src/mail.js', "createTransport({ host: 'smtp.sendgrid.net', port: 587 })", ['smtp.sendgrid.net']],
    ['src/files.js', "export const bucket = 'gs://forms-uploads'", ['gs']],
    ['src/db.ts', 'const url = `https://${ref}.supabase.co/rest`;', ['.supabase.co']],
    ['app/Db.swift', 'let url = "https://\\(ref).supabase.co/rest"', ['.supabase.co']],
    ['lib/db.ex', 'url = "https://#{ref}.supabase.co/rest"', ['.supabase.co']],
    ['app/queue.py', 'url = f"https://sqs.{region}.amazonaws.com/1/jobs"', ['sqs.*.amazonaws.com']],
    [
      'src/main/resources/application.yml',
      'issuer-uri: https://cognito-idp.eu-central-1.amazonaws.com/${POOL:none}',
      ['cognito-idp.*.amazonaws.com'],
    ],
    [
      'next.config.js',
      "hostname: '**.r2.dev', csp: 'connect-src https://*.ingest.sentry.io https://api.stripe.com'",
      ['.r2.dev', '.ingest.sentry.io', 'api.stripe.com'],
    ],
    ['lib/schemas/site.ex', 'example: "https://example.neon.tech and https://your-org.neon.tech"', []],
    ['config/mail.php', "'host' => env('MAIL_HOST', 'smtp.sendgrid.net')", []],
    ['config.toml', 'url = "libsql://shop.turso.io"', ['libsql']],
    ['src/Db.java', '"jdbc:postgresql://ep-cool-1.eu.neon.tech:5432/x"', ['.neon.tech', 'postgresql']],
    ['lib/a.ex', 'url: "https://o1.ingest.us.sentry.io/1"', ['.ingest.*.sentry.io']],
    ['app/db.py', '"mongodb+srv://user:pass@cluster.mongodb.net/x"', ['mongodb+srv']],
    ['scripts/run.sh', 'curl -s https://eu.upstash.io/x', ['.upstash.io']],
    ['docker-compose.yml', 'x: "mongodb://db/x"', ['mongodb (local)']],
    ['test/mail.test.ts', "'smtp.sendgrid.net'", ['smtp.sendgrid.net (develop)']],
    ['.github/workflows/a.yml', 'run: curl https://x.neon.tech', ['.neon.tech (ci)']],
  ])('in %s: %s', async (path, text, expected) => expect(await found(path, text)).toEqual(expected));

  it('with their lines', async () => {
    expect(linesIn(await readAll(addressReaders, 'a.ts', "// x\nconst a = 'gs://x';\nconst b = 'x.neon.tech';", asked))).toEqual([
      '.neon.tech:3',
      'gs:2',
    ]);
  });
});

describe('nothing is told by', () => {
  it.each<[string, string]>([
    ['src/a.ts', '// see https://x.neon.tech\n/* https://x.neon.tech */\nconst a = 1;'],
    ['src/a.py', '"""\nhttps://x.neon.tech\n"""\n# https://x.neon.tech\nx = 1  # gs://x'],
    ['lib/a.ex', '@moduledoc """\nUse https://x.neon.tech\n"""'],
    ['index.html', '<!-- https://x.neon.tech --><a href="https://x.neon.tech/a">x</a>'],
    ['src/a.ts', 'client.neon.tech.run(); import.meta.env.stripe.com'],
    ['src/a.ts', "'https://docs.stripe.com/x', 'https://www.stripe.com'"],
    ['src/a.ts', "'me@mail.neon.tech'"],
    ['src/a.ts', "'https://neon.tech', 'https://x.neon.technology', 'https://x.neon.tech.evil.com'"],
    ['README.md', 'https://x.neon.tech'],
    ['docs/a.ts', "'https://x.neon.tech'"],
    ['package.json', '{"homepage":"https://x.neon.tech"}'],
    ['pom.xml', '<url>https://x.neon.tech</url>'],
  ])('%s: %s', async (path, text) => expect(await found(path, text)).toEqual([]));
});

describe('a signal with a star', () => {
  it.each<[string, string | null]>([
    ['sqs.eu-west-1.amazonaws.com', 'sqs.*.amazonaws.com'],
    ['sqs.amazonaws.com', null],
    ['a.sqs.eu-west-1.amazonaws.com', null],
    ['sqs.eu.west.amazonaws.com', null],
    ['o1.ingest.us.sentry.io', '.ingest.*.sentry.io'],
    ['ingest.us.sentry.io', null],
  ])('answers %s: %s', (host, signal) => expect(signalOfHost(host, asked)).toBe(signal));

  it('answers the host of an address', () => {
    expect(answersIn('https://sqs.eu-west-1.amazonaws.com/1/x', asked)).toEqual({ hosts: ['sqs.*.amazonaws.com'], schemes: [] });
  });
});

describe('a path decides between services of one host', () => {
  const ofPaths: Pick<Asked, 'hosts' | 'schemes'> = {
    hosts: [
      'www.a.com/tag.js',
      'www.a.com/tag/js',
      'www.a.com',
      'connect.a.net/*/events.js',
      '.chat.com/services/hooks',
      'code.com/api',
      'code.com/api/*/packages',
      'code.com/login/oauth',
      '*-ai.cloud.com',
    ],
    schemes: [],
  };
  it.each<[string, string, readonly string[]]>([
    ['index.html', '<script src="https://www.a.com/tag.js?id=1"></script>', ['www.a.com/tag.js']],
    ['src/a.js', "j.src='https://www.a.com/tag.js?id='+i", ['www.a.com/tag.js']],
    ['src/a.js', 'const a = `//www.a.com/tag/js?id=${id}`', ['www.a.com/tag/js']],
    ['src/a.js', "'https://www.a.com/tag/json'", ['www.a.com']],
    ['src/a.js', "'https://www.a.com'", ['www.a.com']],
    ['src/a.js', "'https://connect.a.net/en_US/events.js'", ['connect.a.net/*/events.js']],
    ['src/a.js', "'https://connect.a.net/en_US/sdk.js'", []],
    ['app/hook.rb', '"https://#{team}.chat.com/services/hooks/incoming?t=#{token}"', ['.chat.com/services/hooks']],
    [
      'src/a.go',
      '"https://code.com/api/v1/packages/x", "https://code.com:443/login/oauth/authorize"',
      ['code.com/api/*/packages', 'code.com/login/oauth'],
    ],
    ['src/a.php', '$a = "{\\"u\\":\\"https:\\/\\/code.com\\/login\\/oauth\\"}";', ['code.com/login/oauth']],
    ['a.py', 'url = f"https://{location}-ai.cloud.com/v1"', ['*-ai.cloud.com']],
    ['src/a.ts', "'https://code.com/someone/project'", []],
  ])('in %s: %s', async (path, text, expected) => {
    expect(namesOf(await readAll(addressReaders, path, text, ofPaths), 'host')).toEqual(expected);
  });

  it('in a value', () => {
    expect(answersIn('https://code.com/login/oauth/authorize?x=1', ofPaths).hosts).toEqual(['code.com/login/oauth']);
    expect(answersIn('https://code.com/a', ofPaths).hosts).toEqual([]);
  });
});
