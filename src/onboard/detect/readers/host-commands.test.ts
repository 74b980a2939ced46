import { expect, it } from 'vitest';
import { work } from '../../../../test/support/work.ts';
import { hostCommand } from './host-commands.ts';
import { startedIn } from './shell.ts';

const said = (text: string): readonly unknown[] =>
  startedIn(text).flatMap((started) => {
    const command = hostCommand(started);
    return command ? [[command.provider, command.ids]] : [];
  });

it('finds programs behind others, in quotes and over lines, with variables and the folder', () => {
  const text = [
    'set -e # flyctl deploy',
    'APP=shop',
    'cd apps/api && doppler run --project x -- npx --yes wrangler@4 deploy',
    'sudo env A=1 flyctl deploy \\',
    '  --app "$APP-web" -c fly.prod.toml',
    'ssh root@host "cd /srv && docker compose pull"',
    'echo "vercel deploy"',
    'cat <<EOF > x',
    'railway up',
    'EOF',
    'pnpm --filter @acme/web exec vercel deploy --prod',
  ].join('\n');
  const found = startedIn(text).map(({ program, line, folder, filter }) => [program, line, folder, filter]);
  expect(found).toContainEqual(['wrangler', 3, 'apps/api', null]);
  expect(found).toContainEqual(['flyctl', 4, 'apps/api', null]);
  expect(found).toContainEqual(['docker', 6, 'apps/api', null]);
  expect(found).toContainEqual(['vercel', 11, 'apps/api', '@acme/web']);
  expect(found.filter(([program]) => program === 'railway' || program === 'vercel')).toHaveLength(1);
});

it.each([
  [
    'flyctl deploy -a shop-pr-${ctx.pr.number} --org acme --region lhr',
    'fly',
    { name: 'shop-pr-${ctx.pr.number}', org_slug: 'acme', region: 'lhr' },
  ],
  ['fly apps create shop --org acme', 'fly', { application: 'shop', org_slug: 'acme' }],
  ['npx wrangler pages deploy dist --project-name=shop-web --branch main', 'cloudflare', { project_name: 'shop-web' }],
  ['vercel deploy --scope acme --token=$T', 'vercel', { 'provider.slug': 'acme' }],
  ['netlify deploy --site 1f2e3d4c-0000-4000-8000-aabbccddeeff --dir dist', 'netlify', { site_id: '1f2e3d4c-0000-4000-8000-aabbccddeeff' }],
  ['firebase hosting:channel:deploy pr -P acme-app', 'firebase_hosting', { project: 'acme-app' }],
  [
    'gcloud run deploy shop --project acme --region europe-west1 --source .',
    'cloud_run',
    { project: 'acme', location: 'europe-west1', service: 'shop' },
  ],
  ['heroku container:push web -a shop', 'heroku', { application: 'shop' }],
  ['railway up --service api', 'railway', { service_id: 'api' }],
  ['aws amplify start-job --app-id d2abc --branch-name x --job-type RELEASE', 'amplify', { app_id: 'd2abc' }],
  ['aws ecs update-service --cluster a --service b', 'aws_ecs', {}],
  ['az webapp deploy --resource-group rg --name shop', 'azure_app_service', { resource_group: 'rg', application: 'shop' }],
  [
    'az spring app deploy --name shop --resource-group rg --artifact-path api/target/api.jar',
    'azure_spring_apps',
    { resource_group: 'rg', application: 'shop' },
  ],
  ['kamal deploy -d staging', 'kamal', {}],
  ['git push https://heroku:$KEY@git.heroku.com/shop.git HEAD:main', 'heroku', {}],
  ['curl "https://api.render.com/deploy/srv-abc?key=$K"', 'render', {}],
  ['helm upgrade --install shop ./chart', 'kubernetes', {}],
])('%s', (text, provider, ids) => {
  expect(said(text)).toEqual([[provider, ids]]);
});

it('a token and a placeholder are no ids', () => {
  expect(said('flyctl deploy --org your-org -a $APP')).toEqual([['fly', {}]]);
  expect(said('vercel deploy --scope ${SCOPE}')).toEqual([['vercel', {}]]);
  expect(said('railway up --project rnd_0123456789abcdef')).toEqual([['railway', {}]]);
});

it('programs of hosts that deploy nothing, and other programs, say nothing', () => {
  expect(said('vercel dev; wrangler dev; netlify dev; firebase emulators:start; npm install -g vercel; yarn add wrangler')).toEqual([]);
  expect(said('aws s3 cp report.txt s3://logs/; docker push acme/shop; git push origin main')).toEqual([]);
  expect(said("echo 'flyctl deploy'; grep 'vercel deploy' notes")).toEqual([]);
});

it('a long text without an end costs little', async () => {
  for (const text of ['"'.repeat(20_001), '$('.repeat(30_000), 'a <<X\n'.repeat(8_000), `npx ${'npx '.repeat(15_000)}`])
    expect(await work(() => startedIn(text)), text.slice(0, 10)).toBeLessThan(10_000);
});
