import { expect, it } from 'vitest';
import { type Files, initIn } from './init-in.ts';

it.each<readonly [string, Files]>([
  [
    'double braces in its manifests',
    {
      'package.json': '{"name":"{{project_name}}","dependencies":{"react":"19","stripe":"17"}}',
      'pyproject.toml': '[project]\nname = "{{project_name}}"\ndependencies = ["django", "celery", "sentry-sdk"]\n',
      'render.yaml': 'services:\n  - type: web\n    name: {{project_name}}\n    runtime: python\n',
    },
  ],
  [
    'cookiecutter',
    {
      'cookiecutter.json': { project_slug: 'site' },
      '{{cookiecutter.project_slug}}/requirements.txt': 'django\nstripe\n',
      '{{cookiecutter.project_slug}}/Procfile': 'web: gunicorn config.wsgi\n',
    },
  ],
  [
    'copier',
    {
      'copier.yml': 'name:\n  type: str\n',
      'template/pyproject.toml.jinja': '[project]\nname = "{{ name }}"\n',
      'template/fly.toml.jinja': 'app = "{{ name }}"\n',
    },
  ],
  [
    'a template of GitHub Codespaces and template.json',
    {
      'template.json': { name: 'starter', variables: { name: '' } },
      'package.json': '{"name":"{{name}}","private":true,"dependencies":{"next":"15","@clerk/nextjs":"6"}}',
      'vercel.json': '{}',
    },
  ],
])('%s: init says that it is a template, and writes no live line', async (_, files) => {
  const said = await initIn(files);
  expect(said.told.template).toBeTruthy();
  expect(said.live).toEqual([]);
  expect(await said.text()).toMatch(/template/i);
});
