import { cloudflare } from 'pilotfish-sandbox/cloudflare';
import { expect, it } from 'vitest';
import { storyClock, tellKept } from '../support/kept-story.ts';

const account_id = '023e105f4ecef8ad9ca31a8372d0c353';

it('variables of a project that shows no secret, and its empty build settings otherwise each time, are written once', async () => {
  const clock = storyClock();
  const simulation = cloudflare({ clock });
  const project = simulation.world.addPages(account_id, 'shop', {
    THEIRS: { type: 'secret_text', value: 'theirs-12345678' },
    API_URL: { type: 'plain_text', value: 'https://api.acme.example' },
  });
  const { env_vars: vars } = project.configs.preview;
  const names = ['SESSION_KEY', 'LOG_LEVEL'];
  const line = { adapter: 'cloudflare', op: 'pages_env', account_id, project_name: 'shop' };
  await tellKept({
    clock,
    simulation,
    env: { CLOUDFLARE_API_TOKEN: simulation.tokens.full, SESSION: 'hunter2-hunter2' },
    lines: [
      { id: 'secret', ...line, name: 'SESSION_KEY', value: { secret: 'env://SESSION' } },
      { id: 'plain', ...line, name: 'LOG_LEVEL', value: 'debug' },
    ],
    mine: () => names.flatMap((name) => vars[name] ?? []),
    others: () => Object.entries(vars).filter(([name]) => !names.includes(name)),
    stands: [
      { type: 'secret_text', value: 'hunter2-hunter2' },
      { type: 'plain_text', value: 'debug' },
    ],
    edits: [
      () => void Object.assign(vars, { LOG_LEVEL: { type: 'plain_text', value: 'warn' } }),
      () => void Object.assign(vars, { SESSION_KEY: { type: 'plain_text', value: 'hunter2-hunter2' } }),
    ],
  });
  const sent = simulation.writes().map(({ body }) => Object.keys(body ?? {}));
  expect(new Set(sent.flat())).toEqual(new Set(['deployment_configs']));
});
