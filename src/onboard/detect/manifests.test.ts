import { describe, expect, it } from 'vitest';
import { isManifest, readManifest } from './manifests.ts';

const namesIn = async (name: string, text: string): Promise<readonly string[]> => (await readManifest(name, text)).names;

describe('the packages that a manifest lists', () => {
  it('are those of every list of a package.json', async () => {
    const text = JSON.stringify({
      name: 'shop',
      dependencies: { next: '15', '@neondatabase/serverless': '1' },
      devDependencies: { prisma: 'workspace:*' },
      optionalDependencies: { a: '1' },
      peerDependencies: { b: '1' },
      scripts: { c: 'd' },
    });
    expect(await namesIn('package.json', text)).toEqual(['next', '@neondatabase/serverless', 'prisma', 'a', 'b']);
  });

  it.each([
    ['lists of another shape', '{ "dependencies": ["a"], "devDependencies": "b", "peerDependencies": null }', undefined],
    ['names that are none', '{ "dependencies": { "a b": "1", "": "1", "../x": "1", "__proto__": "1" } }', undefined],
    ['a list in place of the whole', '[]', 'holds no JSON object'],
    ['nothing', '', 'is not valid JSON (line 1, column 1: a value is missing)'],
  ])('are none in a package.json with %s', async (_, text, why) => {
    const listed = await readManifest('package.json', text);
    expect(listed.names.filter((name) => name !== '__proto__')).toEqual([]);
    expect(listed.why).toBe(why);
  });

  it('are read from a broken package.json as far as possible, with the place of the mistake', async () => {
    const text = '{\n  "dependencies": {\n    "next": "15"\n    "stripe": "1"\n  }\n}';
    expect(await readManifest('package.json', text)).toEqual({
      names: ['next', 'stripe'],
      why: 'is not valid JSON (line 4, column 5: a comma is missing)',
    });
  });

  it('are those on both sides of a merge conflict', async () => {
    const text = '{ "dependencies": {\n<<<<<<< HEAD\n"next": "15",\n=======\n"next": "16",\n>>>>>>> other\n"stripe": "1" } }';
    const { names, why } = await readManifest('package.json', text);
    expect(names).toEqual(expect.arrayContaining(['next', 'stripe']));
    expect(why).toContain('line 2');
  });

  it.each(['[', '{"a":'])('are none in a package.json of %s a hundred thousand times, and the reason is given', async (piece) => {
    const listed = await readManifest('package.json', piece.repeat(100_000));
    expect(listed.names).toEqual([]);
    expect(listed.why).toMatch(/^is (nested too deeply|not valid JSON)/);
  });

  it('have the spelling of the registry for Python', async () => {
    const requirements =
      '# db\nPsycopg2_Binary==2.9\r\nstripe[async] >= 5 ; python_version > "3"\n-r base.txt\n-e git+https://x:y@h/p\nhttps://x:y@h/p\nboto3\n';
    expect(await namesIn('requirements.txt', requirements)).toEqual(['psycopg2-binary', 'stripe', 'boto3']);
  });

  it('are read out of every list of a pyproject.toml', async () => {
    const text = `
      [project]
      dependencies = ["django>=5", "psycopg[binary]"]
      [project.optional-dependencies]
      pay = ["stripe"]
      [dependency-groups]
      dev = ["pytest", { include-group = "lint" }]
      [tool.poetry.dependencies]
      python = "^3.13"
      Sentry_SDK = { version = "1" }
      [tool.poetry.group.dev.dependencies]
      ruff = "1"
      [tool.uv]
      dev-dependencies = ["mypy"]`;
    const names = ['django', 'psycopg', 'stripe', 'pytest', 'mypy', 'python', 'sentry-sdk', 'ruff'];
    expect(await namesIn('pyproject.toml', text)).toEqual(names);
  });

  it.each([
    ['Pipfile', '[packages]\nstripe = "*"\n[dev-packages]\npytest = "*"', ['stripe', 'pytest']],
    ['Gemfile', "source 'https://rubygems.org'\n# gem 'no'\ngem 'rails', '~> 8'\ngroup(:x) do\n  gem \"pg\"\nend", ['rails', 'pg']],
    [
      'composer.json',
      '{ "require": { "stripe/stripe-php": "1" }, "require-dev": { "phpunit/phpunit": "1" } }',
      ['stripe/stripe-php', 'phpunit/phpunit'],
    ],
    [
      'go.mod',
      'module example.com/shop\n\ngo 1.24\n\nrequire github.com/a/b v1.0.0\nrequire (\n\tgithub.com/stripe/stripe-go/v76 v76.1.0\n\tgithub.com/c/d v0.0.1 // indirect\n)',
      ['github.com/a/b', 'github.com/stripe/stripe-go/v76', 'github.com/stripe/stripe-go'],
    ],
  ])('are read out of a %s', async (name, text, names) => expect(await namesIn(name, text)).toEqual(names));

  it.each([
    ['pyproject.toml', '[project]\ndependencies = [', /^is not valid TOML \(line \d+, column \d+\)$/],
    ['composer.json', '{', /^is not valid JSON \(line 1, column 2: /],
  ])('are none in a broken %s, and its mistake is given', async (name, text, why) => {
    const listed = await readManifest(name, text);
    expect(listed.names).toEqual([]);
    expect(listed.why).toMatch(why);
  });

  it('never come with other text of a broken file', async () => {
    for (const name of ['package.json', 'composer.json', 'pyproject.toml', 'Pipfile']) {
      const { why } = await readManifest(name, '{ "token": "S3CRET" S3CRET = S3CRET');
      expect(why).not.toContain('S3CRET');
    }
  });
});

it('only manifests are taken for manifests', () => {
  const names = [
    'package.json',
    'requirements-dev.txt',
    'requirements.txt',
    'package-lock.json',
    'my-package.json',
    'requirements.md',
    'go.sum',
  ];
  expect(names.filter(isManifest)).toEqual(['package.json', 'requirements-dev.txt', 'requirements.txt']);
});
