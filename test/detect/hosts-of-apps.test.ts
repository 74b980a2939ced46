import { describe, expect, it } from 'vitest';
import type { Files } from './lay-files.ts';
import { surveyOf } from './survey-of.ts';

const json = (value: unknown): string => JSON.stringify(value);

const placesOf = async (files: Files): Promise<{ readonly [folder: string]: string | null }> =>
  Object.fromEntries((await surveyOf(files)).deployables.map(({ folder, host }) => [folder, host?.provider ?? null]));

const next = json({ name: 'harbour', private: true, dependencies: { next: '15.0.0' } });
const workflow = (steps: string, on = '{ push: { branches: [main] } }'): string =>
  `on: ${on}\njobs:\n  ship:\n    runs-on: ubuntu-latest\n    steps:\n${steps}`;

describe('a secret that asks a host to deploy', () => {
  it.each<readonly [string, string, string]>([
    ['a hook of Render', `      - run: curl -X POST "\${{ secrets.RENDER_DEPLOY_HOOK_URL }}"\n`, 'render'],
    [
      'the interface of Coolify, with the token in the step',
      `      - env: { COOLIFY_API_TOKEN: "\${{ secrets.COOLIFY_API_TOKEN }}" }\n        run: |\n          curl -H "Authorization: Bearer $COOLIFY_API_TOKEN" "$COOLIFY_URL/api/v1/deploy"\n`,
      'coolify',
    ],
    [
      'an action that calls an address',
      `      - uses: distributhor/workflow-webhook@v3\n        with: { webhook_url: "\${{ secrets.VERCEL_DEPLOY_HOOK }}" }\n`,
      'vercel',
    ],
  ])('%s', async (_, steps, host) => {
    expect(await placesOf({ 'package.json': next, '.github/workflows/ship.yml': workflow(steps) })).toEqual({ '': host });
  });
  it('is none where the step calls nothing, or belongs to a pull request', async () => {
    const steps = `      - run: echo "\${{ secrets.RENDER_DEPLOY_HOOK_URL }}" > hook.txt\n`;
    expect(await placesOf({ 'package.json': next, '.github/workflows/ship.yml': workflow(steps) })).toEqual({ '': null });
    const pull = workflow(`      - run: curl "\${{ secrets.RENDER_DEPLOY_HOOK_URL }}"\n`, 'pull_request');
    expect(await placesOf({ 'package.json': next, '.github/workflows/ship.yml': pull })).toEqual({ '': null });
  });
});

describe('a page about the repository', () => {
  it.each<readonly [string, string, string | null]>([
    ['links to its site', '# Harbour\n\nRuns at https://harbour-web.fly.dev.\n', 'fly'],
    ['links to the site of something else', '# Harbour\n\nMade like https://lighthouse.fly.dev.\n', null],
    ['links to sites of two hosts', '# Harbour\n\nhttps://harbour.vercel.app and https://harbour.netlify.app\n', null],
    [
      'shows how its last deployment went',
      '# Harbour\n\n![Netlify](https://api.netlify.com/api/v1/badges/0a-1b/deploy-status)\n',
      'netlify',
    ],
    [
      'has a button for others beside the link to its own site',
      '# Harbour\n\n[Deploy](https://vercel.com/new)\n\nhttps://harbour.onrender.com\n',
      'render',
    ],
  ])('%s', async (_, text, host) => {
    expect(await placesOf({ 'package.json': next, 'README.md': text })).toEqual({ '': host });
  });
});

describe('a page that says where the app runs', () => {
  it.each<readonly [string, string | null]>([
    ['The site is hosted on [PythonAnywhere](https://www.pythonanywhere.com).', 'pythonanywhere'],
    ['Harbour is proudly hosted on Laravel Cloud with MySQL.', 'laravel_cloud'],
    ['Every push to `main` is deployed to **Fly.io**.', 'fly'],
    ['You can have it deployed to Heroku in a minute.', null],
    ['If it is hosted on Render, set the port.', null],
    ['The old site was hosted on Heroku.', null],
    ['The site is hosted on Vercel. The interface is deployed to Fly.io.', null],
  ])('%s', async (text, host) => {
    expect(await placesOf({ 'package.json': next, 'README.md': `# Words\n\n${text}\n` })).toEqual({ '': host });
  });
  it('speaks of every app that answers requests, and of the parts of a deployment', async () => {
    const page = '# Work\n\n## Production deployment\n\nIt differs from what runs locally.\n\n- Kubernetes (GKE) for orchestration\n';
    const apps = {
      'apps/web/package.json': next,
      'apps/shop/package.json': next,
      'package.json': json({ private: true, workspaces: ['apps/*'] }),
    };
    expect(await placesOf({ ...apps, 'CONTRIBUTING.md': page })).toEqual({ 'apps/web': 'kubernetes', 'apps/shop': 'kubernetes' });
  });
  it('names whose machine it is that a workflow reaches by ssh', async () => {
    const steps = '      - uses: appleboy/ssh-action@v1\n        with: { host: x, script: ./deploy.sh }\n';
    const files = { 'requirements.txt': 'django\ngunicorn\n', 'manage.py': '', '.github/workflows/ship.yml': workflow(steps) };
    expect(await placesOf(files)).toEqual({ '': 'own_server' });
    expect(await placesOf({ ...files, 'README.md': '# Words\n\nThe site is hosted on PythonAnywhere.\n' })).toEqual({
      '': 'pythonanywhere',
    });
  });
});

describe('a netlify.toml with rules for addresses alone', () => {
  const rules = '[[redirects]]\nfrom = "/*"\nto = "/index.html"\nstatus = 200\n';
  const blob = json({ name: 'harbour', private: true, dependencies: { next: '15.0.0', '@vercel/blob': '1' } });
  it('is a sign of Netlify, unless something tells of another host', async () => {
    expect(await placesOf({ 'package.json': next, 'netlify.toml': rules })).toEqual({ '': 'netlify' });
    expect(await placesOf({ 'package.json': blob, 'netlify.toml': rules })).toEqual({ '': 'vercel' });
    expect(await placesOf({ 'package.json': blob, 'netlify.toml': `${rules}[build]\ncommand = "next build"\n` })).toEqual({
      '': 'netlify',
    });
  });
});

describe('a project of Firebase', () => {
  const firebase = json({ hosting: { public: 'out' }, functions: { source: 'functions' } });
  const app = { 'package.json': next, 'functions/package.json': json({ main: 'i.js', private: true }), 'functions/i.js': '' };
  it('has no site where each deployment names other parts', async () => {
    const steps = '      - run: npx firebase deploy --only functions\n';
    expect(await placesOf({ ...app, 'firebase.json': firebase, '.github/workflows/ship.yml': workflow(steps) })).toEqual({
      '': null,
      functions: 'firebase_functions',
    });
  });
  it('has one where a deployment names it, or nothing deploys', async () => {
    const steps = '      - run: npx firebase deploy --only functions\n      - run: npx firebase deploy --only hosting\n';
    for (const more of [{ '.github/workflows/ship.yml': workflow(steps) }, {}])
      expect(await placesOf({ ...app, 'firebase.json': firebase, ...more })).toMatchObject({ '': 'firebase_hosting' });
  });
});

describe('the folder that a deployment takes', () => {
  const server = {
    'server/package.json': json({ name: 'server', private: true, dependencies: { express: '4' }, scripts: { start: 'node .' } }),
  };
  it.each(['./server', 'server/dist', 'server/app.zip'])('is that of the package of an action of Azure: %s', async (path) => {
    const steps = `      - uses: azure/webapps-deploy@v3\n        with: { app-name: harbour, package: ${path} }\n`;
    const files = { ...server, 'client/package.json': next, '.github/workflows/ship.yml': workflow(steps) };
    expect(await placesOf(files)).toMatchObject({ server: 'azure_app_service', client: null });
  });
  it('is the app beside a folder of charts, whatever the folder is called', async () => {
    const chart = 'apiVersion: v2\nname: harbour\n';
    for (const folder of ['helm_deploy/harbour', 'k8s-charts/harbour'])
      expect(await placesOf({ 'package.json': next, [`${folder}/Chart.yaml`]: chart })).toEqual({ '': 'kubernetes' });
  });
});

describe('components of Pulumi that somebody made', () => {
  it('run the app, by the words in their names', async () => {
    const program = 'import pulumi\nimport acme_pulumi.fargate\n\nacme_pulumi.fargate.AutoscalingFargateCluster(name="web")\n';
    const files = { 'package.json': next, 'pulumi/__main__.py': program, 'pulumi/Pulumi.yaml': 'name: harbour\nruntime: python\n' };
    expect(await placesOf(files)).toEqual({ '': 'aws_ecs' });
  });
});

describe('files that a job uploads to a bucket', () => {
  it('are those of the app that has nothing else', async () => {
    const files = {
      'web/package.json': json({
        name: 'web',
        private: true,
        dependencies: { vue: '3' },
        devDependencies: { vite: '6' },
        scripts: { build: 'vite build' },
      }),
      'web/index.html': '',
      'api/requirements.txt': 'fastapi\nuvicorn\n',
      'api/main.py': '',
      '.github/workflows/ship.yml': workflow('      - run: aws s3 sync ./dist "s3://${{ secrets.BUCKET }}"\n'),
    };
    expect(await placesOf(files)).toEqual({ api: null, web: 'aws_s3_website' });
  });
});

describe('the tasks of Envoy', () => {
  it.each([
    ["@servers(['web' => 'forge@192.0.2.1'])\n", 'laravel_forge'],
    ["@servers(['web' => 'deploy@192.0.2.1'])\n", 'own_server'],
  ])('%s', async (text, host) => {
    const composer = json({ require: { 'laravel/framework': '^12' } });
    expect(await placesOf({ 'composer.json': composer, artisan: '', 'Envoy.blade.php': text })).toEqual({ '': host });
  });
});

describe('a database that a workflow makes for each pull request', () => {
  const steps = (more: string): string => workflow(`      - uses: neondatabase/create-branch-action@v5\n${more}`, 'pull_request');
  const makesIn = async (text: string): Promise<boolean> => {
    const neon = { neon: { uses: { packages: { npm: ['@neondatabase/serverless'] } } } };
    const files = {
      'package.json': json({ private: true, dependencies: { next: '15', '@neondatabase/serverless': '1' } }),
      '.github/workflows/pull.yml': text,
    };
    return (await surveyOf(files, neon)).claims.some(({ madeByHost }) => madeByHost !== null);
  };
  it('is of the preview, unless the workflow only tests with it', async () => {
    expect(await makesIn(steps('      - run: npm run db:migrate\n'))).toBe(true);
    expect(await makesIn(steps('      - run: npm run lint && npm test\n'))).toBe(false);
    expect(await makesIn(steps('      - run: npm test\n      - run: npx vercel deploy\n'))).toBe(true);
  });
});

describe('manifests of Cloud Foundry', () => {
  it('in a folder of manifests name the app by the name of the file', async () => {
    const spring = (name: string): string =>
      `plugins { id 'org.springframework.boot' }\ndependencies { implementation 'org.springframework.boot:spring-boot-starter-web' } // ${name}\n`;
    const manifest = (name: string): string => `applications:\n- name: ${name}\n  memory: 1024M\n`;
    const files = {
      'settings.gradle': "include 'site', 'renderer'\n",
      'site/build.gradle': spring('site'),
      'renderer/build.gradle': spring('renderer'),
      'concourse/manifests/site-production.yml': manifest('acme'),
      'concourse/manifests/renderer-production.yml': manifest('acme-renderer'),
    };
    expect(await placesOf(files)).toEqual({ site: 'cloud_foundry', renderer: 'cloud_foundry' });
  });
});

describe('a script that one host alone starts', () => {
  const app = (scripts: { readonly [name: string]: string }): Files => ({
    'package.json': json({ private: true, dependencies: { next: '15' }, scripts }),
  });
  const reset = workflow('      - uses: appleboy/ssh-action@v1\n        with: { host: x, script: yarn db:init }\n');
  it('tells of the host', async () => {
    expect(await placesOf(app({ 'vercel-build': 'prisma migrate deploy && next build' }))).toEqual({ '': 'vercel' });
    expect(await placesOf(app({ 'heroku-postbuild': 'next build' }))).toEqual({ '': null });
  });
  it('says more than a workflow that works on a database by ssh', async () => {
    const files = { ...app({ 'vercel-build': 'next build' }), '.github/workflows/init-preview-db.yml': reset };
    expect(await placesOf(files)).toEqual({ '': 'vercel' });
    expect(await placesOf({ ...app({ build: 'next build' }), '.github/workflows/deploy-db.yml': reset })).toEqual({ '': 'own_server' });
  });
});
