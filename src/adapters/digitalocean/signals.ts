import type { ServiceSignals } from '../../ops/signals.ts';

/** `init` recognises DigitalOcean App Platform by these. */
export const signals: ServiceSignals = {
  uses: {
    variables: ['DIGITALOCEAN_APP_ID'],
    files: ['.do/app.yaml', '.do/app.yml', '.do/deploy.template.yaml', '.digitalocean/app.yaml'],
    actions: ['digitalocean/app_action', 'digitalocean/app_action/deploy'],
    resources: ['digitalocean_app'],
  },
  may: {
    packages: {
      npm: ['do-wrapper'],
      pypi: ['pydo', 'python-digitalocean'],
      rubygems: ['droplet_kit'],
      go: ['github.com/digitalocean/godo'],
    },
    variables: ['DIGITALOCEAN_ACCESS_TOKEN', 'DIGITALOCEAN_TOKEN', 'DO_API_TOKEN'],
    hosts: ['.ondigitalocean.app'],
    commands: ['doctl'],
    actions: ['digitalocean/action-doctl'],
  },
};
