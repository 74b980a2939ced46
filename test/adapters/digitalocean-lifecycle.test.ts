import { digitalocean } from 'pilotfish-sandbox/digitalocean/index';
import { isRunning } from 'pilotfish-sandbox/digitalocean/state';
import { describeOp } from '../support/describe-recipe.ts';

const name = 'shop-pr-12';
const image = { registry_type: 'DOCR', repository: 'shop', tag: 'pr-12' };
const web = (session: string) => ({
  name: 'web',
  image,
  http_port: 8080,
  envs: [
    { key: 'LOG_LEVEL', value: 'debug', type: 'GENERAL' },
    { key: 'SESSION_KEY', type: 'SECRET', scope: 'RUN_TIME', value: { secret: session } },
  ],
  routes: [{ path: '/' }],
});
const specOf = (session: string) => ({
  region: 'fra',
  disable_edge_cache: false,
  services: [web(session)],
  workers: [{ name: 'queue', image }],
});

describeOp('digitalocean.app', {
  simulate: digitalocean,
  subject: ({ faults, world }) => {
    faults.readyAfter(3);
    world.addApp('shop-pr-13', { services: [{ name: 'web', image }] });
    world.addApp('shop-pr-1');
    const ours = () => world.state.apps.filter(({ spec }) => spec.name === name);
    return {
      credential: 'DIGITALOCEAN_ACCESS_TOKEN',
      env: { SESSION_KEY: 'session-key-0123456789', NEXT_SESSION_KEY: 'session-key-9876543210' },
      params: { name, spec: specOf('env://SESSION_KEY') },
      mine: ours,
      others: () => world.state.apps.filter(({ spec }) => spec.name !== name),
      stands: { spec: { region: 'fra', workers: [{ name: 'queue', image }] } },
      edits: { spec: { spec: { workers: [] } } },
      unseen: { 'services/web/envs/SESSION_KEY': 'it comes back encrypted' },
      changes: {
        spec: { spec: { ...specOf('env://SESSION_KEY'), workers: [{ name: 'queue', image: { ...image, tag: 'pr-12b' } }] } },
        'services/web/envs/SESSION_KEY': { spec: specOf('env://NEXT_SESSION_KEY') },
      },
      undeclared: { spec: { maintenance: { enabled: true } } },
      remove: () => world.removeApp(name),
      foreign: () => world.addApp(name),
      slow: {
        hangs: () => faults.readyAfter(Number.POSITIVE_INFINITY),
        goesOn: () => {
          faults.readyAfter(0);
          for (const one of ours()
            .flatMap(() => world.deployments(name))
            .filter(isRunning))
            one.pollsLeft = 0;
        },
        fails: () => Object.assign(world.state, { ends: 'ERROR' }),
      },
      fill: () => Object.assign(world.state, { appLimit: 2 }),
    };
  },
  skip: {
    twoMatches: 'the apps of an account have different names',
    'untidy partial-list': 'its description gives 200 as the size of a page, and a shorter page is its last',
    'untidy late-effect: an update': 'the answer to an update names the deployment that it began',
  },
});
