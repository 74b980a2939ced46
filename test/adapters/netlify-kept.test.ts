import { netlify } from 'pilotfish-sandbox/netlify/index';
import { it } from 'vitest';
import { storyClock, tellKept } from '../support/kept-story.ts';

const account_id = 'acme';
const site_id = '3970e0fe-8564-4903-9a55-c5f8de49fb8b';
const secret = 'postgres://pr-12:hunter22@db.acme.example';
const line = { adapter: 'netlify', op: 'env', account_id, site_id, context: 'branch', context_parameter: 'feat/x' };

it('a scope in either of its spellings, scopes that nobody sent, and a masked secret are written once', async () => {
  for (const scope of ['post-processing', 'post_processing']) {
    const clock = storyClock();
    const simulation = netlify({ clock });
    const { world } = simulation;
    const site = world.addSite(account_id, site_id);
    // Somebody's value of another context, in a variable whose scopes nobody names.
    world.setValue(site_id, 'API_URL', 'https://api.acme.example', { context: 'production' });
    const values = () => site.variables.flatMap(({ key, values: all, ...of }) => all.map((one) => ({ key, ...of, ...one })));
    const isMine = ({ context_parameter: branch }: { readonly context_parameter?: string }) => branch === 'feat/x';
    await tellKept({
      clock,
      simulation,
      env: { NETLIFY_AUTH_TOKEN: simulation.tokens.full, PREVIEW_DATABASE: secret },
      lines: [
        { id: 'shared', ...line, key: 'API_URL', value: 'https://api-pr-12.acme.example' },
        { id: 'scoped', ...line, key: 'LOG_LEVEL', value: 'debug', scopes: ['runtime', scope, 'functions'] },
        { id: 'secret', ...line, key: 'DATABASE_URL', value: { secret: 'env://PREVIEW_DATABASE' }, secret: true },
      ],
      mine: () =>
        values()
          .filter(isMine)
          .toSorted((a, b) => a.key.localeCompare(b.key)),
      others: () => values().flatMap(({ updated_at: _, ...one }) => (isMine(one) ? [] : [one])),
      stands: [
        { key: 'API_URL', scopes: ['builds', 'functions', 'post_processing', 'runtime'] },
        { key: 'DATABASE_URL', value: secret, is_secret: true, scopes: ['builds', 'functions', 'runtime'] },
        { key: 'LOG_LEVEL', scopes: ['functions', 'post_processing', 'runtime'] },
      ],
      edits: [() => void Object.assign(world.variable(site_id, 'LOG_LEVEL') ?? {}, { scopes: ['builds'] })],
    });
  }
});
