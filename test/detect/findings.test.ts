import { describe, expect, it } from 'vitest';
import type { Detect } from '../../src/ops/detect.ts';
import type { Files } from './lay-files.ts';
import { claimed, type Detects, surveyOf } from './survey-of.ts';

const find = async (detects: Detects, files: Files) => claimed(await surveyOf(files, detects));

const vercel: Detect = {
  uses: {
    files: ['vercel.json', '.vercel/project.json', '.vercel/repo.json'],
    packages: { npm: ['vercel'] },
    variables: ['VERCEL_TOKEN'],
  },
  ids: [
    { param: 'project', file: '.vercel/project.json', at: '/projectId' },
    { param: 'project', file: '.vercel/repo.json', at: '/projects/0/id' },
  ],
};
const neon: Detect = {
  uses: { packages: { npm: ['@neondatabase/serverless'] }, variables: ['NEON_API_KEY'], hosts: ['.neon.tech'] },
};

describe('what tells of a provider', () => {
  it('is a program that a script of a manifest starts', async () => {
    const doppler: Detect = { uses: { commands: ['doppler'] } };
    const scripts = { build: 'next build', start: 'NODE_ENV=production doppler run -- next start' };
    expect(await find({ doppler }, { 'apps/web/package.json': JSON.stringify({ scripts }) })).toMatchObject([
      { name: 'doppler', evidence: [{ file: 'apps/web/package.json', what: 'command doppler' }] },
    ]);
    expect(await find({ doppler }, { 'package.json': JSON.stringify({ scripts: { start: 'next start --name doppler' } }) })).toEqual([]);
  });

  it('is a file, a package, a variable or the host of a database, each enough alone', async () => {
    expect(await find({ vercel, neon }, { 'vercel.json': '{}' })).toMatchObject([
      { name: 'vercel', evidence: [{ file: 'vercel.json', what: '' }] },
    ]);
    expect(await find({ vercel, neon }, { 'package.json': '{ "dependencies": { "@neondatabase/serverless": "1" } }' })).toMatchObject([
      { name: 'neon', evidence: [{ file: 'package.json', what: 'package @neondatabase/serverless' }] },
    ]);
    expect(await find({ vercel, neon }, { '.env.example': 'NEON_API_KEY=' })).toMatchObject([
      { name: 'neon', evidence: [{ file: '.env.example', what: 'variable NEON_API_KEY' }] },
    ]);
    expect(await find({ vercel, neon }, { '.env': 'DB=postgres://u:p@a.neon.tech/db' })).toMatchObject([
      { name: 'neon', evidence: [{ file: '.env', what: 'host *.neon.tech' }] },
    ]);
  });

  it('is listed by file, each once, with its path from the root', async () => {
    const findings = await find(
      { vercel, neon },
      {
        'apps/web/package.json': '{ "dependencies": { "vercel": "1" }, "devDependencies": { "vercel": "1" } }',
        'apps/web/vercel.json': '{}',
        'apps/web/.env': 'VERCEL_TOKEN=1\nVERCEL_TOKEN=2',
        '.env': 'VERCEL_TOKEN=1',
      },
    );
    expect(findings).toEqual([
      {
        name: 'vercel',
        evidence: [
          { file: '.env', what: 'variable VERCEL_TOKEN' },
          { file: 'apps/web/.env', what: 'variable VERCEL_TOKEN' },
          { file: 'apps/web/package.json', what: 'package vercel' },
          { file: 'apps/web/vercel.json', what: '' },
        ],
        ids: {},
        unclear: {},
      },
    ]);
  });

  it('may tell of several', async () => {
    const findings = await find(
      { b: { uses: { files: ['x.json'] } }, a: { uses: { files: ['x.json'] } }, c: { uses: { variables: ['X'] } } },
      { 'x.json': '' },
    );
    expect(findings.map(({ name }) => name)).toEqual(['b', 'a']);
  });

  it('is nothing in an empty folder, and nobody is found who asks for nothing', async () => {
    expect(await find({ vercel, nobody: {} }, {})).toEqual([]);
  });

  it('is found where a workspace within has a manifest of its own', async () => {
    const supabase: Detect = { uses: { files: ['supabase/config.toml'] } };
    const findings = await find({ supabase }, { 'supabase/config.toml': '', 'supabase/package.json': '{}' });
    expect(findings.map(({ name }) => name)).toEqual(['supabase']);
  });

  it('is no package beside another provider that the package reaches as well', async () => {
    const files: Detect = {
      uses: { packages: { npm: ['s3'] }, hosts: ['.s3.test'] },
      unless: { variables: ['OTHER_*'], hosts: ['.other.test'] },
    };
    const manifest = { 'package.json': '{ "dependencies": { "s3": "1" } }' };
    expect(await find({ files }, manifest)).toMatchObject([{ evidence: [{ what: 'package s3' }] }]);
    expect(await find({ files }, { ...manifest, '.env.example': 'OTHER_BUCKET=' })).toEqual([]);
    expect(await find({ files }, { ...manifest, '.env': 'URL=https://a.other.test' })).toEqual([]);
    // Its own address still tells of it, and only that is evidence.
    expect(await find({ files }, { ...manifest, '.env': 'OTHER_KEY=\nURL=https://a.s3.test' })).toMatchObject([
      { evidence: [{ file: '.env', what: 'host *.s3.test' }] },
    ]);
  });

  it('is no variable of a file that offers many accounts for a choice, unless something else tells of the service', async () => {
    const names = Array.from({ length: 16 }, (_, i) => `S${i}`);
    const accounts = Object.fromEntries(
      names.map((name): [string, Detect] => [name, { uses: { variables: [`${name}_*`], packages: { npm: [name.toLowerCase()] } } }]),
    );
    const offered = (count: number): string =>
      names
        .slice(0, count)
        .map((name) => `${name}_CLIENT_ID=\n${name}_ENABLED=`)
        .join('\n');
    expect(await find(accounts, { '.env.example': offered(15) })).toHaveLength(15);
    const menu = { '.env.example': offered(16), 'package.json': '{ "dependencies": { "s3": "1" } }' };
    expect((await find(accounts, menu)).map(({ name }) => name)).toEqual(['S3']);
  });

  it('is no name that every object has', async () => {
    expect(
      await find({ vercel }, { constructor: '', '.env': 'CONSTRUCTOR=1', 'package.json': '{ "dependencies": { "__proto__": "1" } }' }),
    ).toEqual([]);
  });
});

describe('ids that files hold', () => {
  const project = (value: unknown) => JSON.stringify({ projectId: value });

  it.each([
    ['JSON with comments', '.vercel/project.json', '{ // linked\n "projectId": "prj_1", }', '/projectId'],
    ['TOML', 'wrangler.toml', 'name = "prj_1"\n[vars]\nname = "no"', '/name'],
    ['YAML', 'app.yaml', 'services:\n  - name: prj_1\n', '/services/0/name'],
    ['JSON without an ending', '.firebaserc', '{ "projects": { "default": "prj_1" } }', '/projects/default'],
  ])('are read from %s', async (_, file, text, at) => {
    const [finding] = await find({ a: { uses: { files: [file] }, ids: [{ param: 'project', file, at }] } }, { [file]: text });
    expect(finding).toMatchObject({ ids: { project: 'prj_1' }, unclear: {} });
  });

  it('are those of the root before those of workspaces', async () => {
    const shop: Detect = { uses: { files: ['shop.json'] }, ids: [{ param: 'project', file: 'shop.json', at: '/projectId' }] };
    const files = { 'shop.json': project('prj_1'), 'apps/web/package.json': '{}', 'apps/web/shop.json': project('prj_2') };
    expect(await find({ shop }, files)).toMatchObject([{ ids: { project: 'prj_1' }, unclear: {} }]);
  });

  it('are unclear where two apps are linked with a project each', async () => {
    const files = {
      '.vercel/project.json': project('prj_1'),
      'apps/web/package.json': '{}',
      'apps/web/.vercel/project.json': project('prj_2'),
    };
    expect(await find({ vercel }, files)).toMatchObject([{ ids: {}, unclear: { project: ['prj_1', 'prj_2'] } }]);
  });

  it('are those of a workspace where the root has none', async () => {
    const [finding] = await find(
      { vercel },
      {
        '.vercel/project.json': project('<your project>'),
        'apps/web/package.json': '{}',
        'apps/web/.vercel/project.json': project('prj_2'),
      },
    );
    expect(finding).toMatchObject({ ids: { project: 'prj_2' }, unclear: {} });
  });

  it('are unclear where workspaces disagree, and taken where they agree', async () => {
    const files = (a: string, b: string) => ({
      'apps/a/package.json': '{}',
      'apps/a/.vercel/project.json': project(a),
      'apps/b/package.json': '{}',
      'apps/b/.vercel/project.json': project(b),
    });
    const [disagreeing] = await find({ vercel }, files('prj_1', 'prj_2'));
    expect(disagreeing).toMatchObject({
      ids: {},
      unclear: {
        project: ['prj_1', 'prj_2'],
      },
    });
    const [agreeing] = await find({ vercel }, files('prj_1', 'prj_1'));
    expect(agreeing).toMatchObject({ ids: { project: 'prj_1' }, unclear: {} });
  });

  it('are unclear where a list has several', async () => {
    const repo = (...ids: readonly string[]) => ({ '.vercel/repo.json': JSON.stringify({ projects: ids.map((id) => ({ id })) }) });
    const [several] = await find({ vercel }, repo('prj_1', 'prj_2'));
    expect(several?.unclear.project).toEqual(['prj_1', 'prj_2']);
    const [one] = await find({ vercel }, repo('prj_1'));
    expect(one?.ids).toMatchObject({ project: 'prj_1' });
  });

  it.each([
    ['a placeholder', project('your-project-id')],
    ['a credential', project('sk_live_abcdef123456')],
    ['of another kind', project({ id: 'prj_1' })],
    ['missing', '{}'],
    ['in a broken file', '{ "projectId": "prj_1"'],
    ['in an empty file', ''],
  ])('are none where the value is %s', async (_, text) => {
    expect(await find({ vercel }, { '.vercel/project.json': text })).toMatchObject([{ name: 'vercel', ids: {}, unclear: {} }]);
  });

  it('are none in a YAML file whose aliases mean billions of values', async () => {
    const bomb = ['a0: &a0 [x, x]', ...Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`), 'id: *a40'].join(
      '\n',
    );
    const [finding] = await find(
      { a: { uses: { files: ['app.yaml'] }, ids: [{ param: 'id', file: 'app.yaml', at: '/id' }] } },
      { 'app.yaml': bomb },
    );
    expect(finding).toMatchObject({ name: 'a', ids: {} });
  });
});
