import type { Detect } from '../../ops/detect.ts';

/** What tells of App Platform, and what a first plan has for it: an app for each preview. */
export const detect: Detect = {
  files: ['.do/app.yaml', '.do/app.yml', '.do/deploy.template.yaml', '.digitalocean/app.yaml'],
  dependencies: ['github.com/digitalocean/godo', 'pydo', 'droplet_kit'],
  env: ['DIGITALOCEAN_ACCESS_TOKEN', 'DIGITALOCEAN_APP_ID'],
  hosting: { rank: 5, url: { from: 'app.live_url' } },
  draft: [
    {
      id: 'app',
      op: 'app',
      comment: 'An app of its own for the preview; its variables go into the envs of its spec.',
      params: {
        name: '${repository}-${ctx.scope}',
        spec: {
          services: [{ name: 'web', github: { repo: 'your-owner/${repository}', branch: '${ctx.git.branch}' }, http_port: 8080 }],
        },
      },
      check: { name: 'at most 32 characters.' },
      todo: { spec: 'the spec of your app without its name, as in .do/app.yaml.' },
    },
  ],
};
