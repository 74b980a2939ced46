import { expect, it } from 'vitest';
import type { Gathered } from '../gather.ts';
import { templateOf } from './repository-kind.ts';

const fileOf = (...files: readonly string[]): string | null => {
  const gathered: Pick<Gathered, 'files' | 'manifests'> = { files, manifests: [] };
  return templateOf(gathered)?.file ?? null;
};

it.each([
  '{{cookiecutter.slug}}/manage.py',
  '{{ name }}/package.json',
  'src/__PROJECT_NAME__/App.kt',
  'cookiecutter.json',
  'copier.yml',
  'remix.init/index.js',
])('%s shows that the repository is copied to begin others', (file) => expect(fileOf('README.md', file)).toBe(file));

it.each([
  'app/[[...slug]]/page.tsx',
  'app/pages/[[server]]/explore.vue',
  'src/__tests__/a.test.ts',
  'pkg/__init__/x.py',
  'packages/cli/templates/{{name}}/package.json',
  'tools/generators/app/files/__name__/a.ts',
  'generators/{{name}}.ts',
])('%s is no name that is replaced', (file) => expect(fileOf('README.md', file)).toBeNull());
