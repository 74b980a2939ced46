import { render } from 'pilotfish-sandbox/render';
import { describeRecipe } from '../support/describe-recipe.ts';

const service_id = 'srv-ct2k9s5svqrc73d0o7ag';
const key = 'API_URL';
const value = 'https://api-pr-12.acme.example';

describeRecipe('render.env_var', {
  simulate: render,
  subject: ({ world }) => {
    const vars = world.addService(service_id, { PORT: '3000', API_URL_OLD: value });
    const theirs = world.addService('srv-ct2k9s5svqrc73d0o7bh', { API_URL: value });
    const remove = () =>
      vars.splice(
        vars.findIndex((one) => one.key === key),
        1,
      );
    return {
      credential: 'RENDER_API_KEY',
      env: { API_URL_VALUE: value },
      params: { service_id, key, value: { secret: 'env://API_URL_VALUE' } },
      mine: () => vars.filter((one) => one.key === key),
      // A write does not deploy.
      others: () => [vars.filter((one) => one.key !== key), theirs, world.state.deploys],
      stands: { value },
      edits: { value: { value: 'https://elsewhere.example' } },
      changes: { value: { value: 'https://next.acme.example' } },
      remove,
      foreign: () => vars.push({ key, value: 'https://theirs.example' }),
      requests: { create: { method: 'PUT' } },
    };
  },
  skip: { twoMatches: 'a name holds one value' },
});
