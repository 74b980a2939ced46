import { resend } from '../simulate/resend.ts';
import { describeRecipe } from '../support/describe-recipe.ts';

const name = 'shop-pr-12';

describeRecipe('resend.api_key', {
  simulate: resend,
  subject: ({ world }) => {
    // More than one page, so that the key is looked for on the second as well.
    for (let n = 0; n < 101; n += 1) world.addKey(`shop-pr-${100 + n}`);
    const mine = () => world.state.keys.filter((key) => key.name === name);
    return {
      credential: 'RESEND_API_KEY',
      params: { name, permission: 'sending_access', domain_id: '4dd369bc-aa82-4ff3-97de-514ae3000ee0' },
      mine,
      others: () => world.state.keys.filter((key) => key.name !== name),
      stands: { permission: 'sending_access', domain_id: '4dd369bc-aa82-4ff3-97de-514ae3000ee0' },
      edits: {},
      fixed: {
        permission: { permission: 'full_access', domain_id: undefined },
        domain_id: { domain_id: 'b8617ad3-b712-41d9-81a0-f7c3d879314e' },
      },
      remove: () => world.removeKeys(name),
      foreign: () => world.addKey(name),
      secrets: () => mine().map(({ token }) => token),
    };
  },
});

const endpoint = 'https://pr-12.acme.example/api/webhooks/resend';

describeRecipe('resend.webhook', {
  simulate: resend,
  subject: ({ world }) => {
    for (let n = 0; n < 101; n += 1) world.addWebhook(`https://pr-${100 + n}.acme.example/api/webhooks/resend`, ['email.sent']);
    const mine = () => world.state.webhooks.filter((webhook) => webhook.endpoint === endpoint);
    return {
      credential: 'RESEND_API_KEY',
      params: { url: 'https://pr-12.acme.example', events: ['email.delivered', 'email.bounced'] },
      mine,
      others: () => world.state.webhooks.filter((webhook) => webhook.endpoint !== endpoint),
      stands: { events: ['email.delivered', 'email.bounced'], status: 'enabled' },
      edits: { events: { events: ['email.sent'] }, status: { status: 'disabled' } },
      changes: { events: { events: ['email.bounced'] } },
      remove: () => world.removeWebhooks(endpoint),
      foreign: () => world.addWebhook(endpoint, ['email.delivered']),
      secrets: () => mine().map(({ signing_secret }) => signing_secret),
    };
  },
});
