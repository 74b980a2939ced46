import { mailgun } from 'pilotfish-sandbox/mailgun';
import { describeOp } from '../support/describe-recipe.ts';

const description = 'preview pr-12';
const url = 'https://pr-12.acme.example/hooks?a=1&b=é';

describeOp('http.resource', {
  simulate: mailgun,
  subject: ({ origin, world }) => {
    world.add({ description: 'preview pr-13', url: 'https://pr-13.acme.example/hooks', event_types: ['delivered'] });
    const mine = () => world.webhooks().filter((webhook) => webhook.description === description);
    return {
      apis: {
        mail: {
          base_url: origin,
          encoding: 'multipart',
          form_arrays: 'repeat',
          auth: { basic: { user: 'api', password_env: 'MAILGUN_API_KEY' } },
        },
      },
      line: { api: 'mail' },
      credential: 'MAILGUN_API_KEY',
      params: {
        find: { path: '/v1/webhooks', list_path: '/webhooks', match: { description } },
        read: { path: '/v1/webhooks/{id}' },
        create: { path: '/v1/webhooks', body: { description } },
        update: { path: '/v1/webhooks/{id}', method: 'PUT', body: { description } },
        delete: { path: '/v1/webhooks/{id}' },
        id_path: '/webhook_id',
        created_at: '/created_at',
        fields: { url, event_types: ['delivered', 'opened'] },
      },
      mine,
      others: () => world.webhooks().filter((webhook) => webhook.description !== description),
      stands: { description, url, event_types: ['delivered', 'opened'] },
      edits: { url: { url: 'https://elsewhere.example' }, event_types: { event_types: ['clicked'] } },
      changes: { url: { fields: { url: 'https://next.acme.example/hooks', event_types: ['delivered', 'opened'] } } },
      remove: () => world.remove(description),
      foreign: () => world.add({ description, url: 'https://theirs.example', event_types: ['delivered'] }),
    };
  },
});
