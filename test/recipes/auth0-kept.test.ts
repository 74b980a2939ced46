import { auth0 } from 'pilotfish-sandbox/auth0/index';
import { expect, it } from 'vitest';
import { storyClock, tellKept } from '../support/kept-story.ts';

const client_id = 'shopWebAbCdEfGhIjKlMnOpQrStUvWxY';

it('addresses for sign-out that differ in the case of host or path are told apart, and each is added once', async () => {
  const clock = storyClock();
  const simulation = auth0({ clock });
  const { origin, basePath, tokens, world } = simulation;
  // The first two are one address with the first of ours where Auth0 compares: that is at sign-out alone.
  const theirs = ['https://PR-12.acme.example/out', 'https://pr-12.acme.example/out?from=shop', 'https://pr-12.acme.example/OUT'];
  const ours = ['https://pr-12.acme.example/out', 'https://PR-12.acme.example/Out'];
  const client = world.addClient(client_id, { allowed_logout_urls: theirs });
  const entries = (): readonly unknown[] => (Array.isArray(client.allowed_logout_urls) ? client.allowed_logout_urls : []);
  await tellKept({
    clock,
    simulation,
    env: { AUTH0_API_URL: origin + basePath, AUTH0_CLIENT_ID: world.machineClients.full, AUTH0_CLIENT_SECRET: tokens.full },
    lines: ours.map((url, i) => ({ id: `sign-out-${i}`, recipe: 'auth0.logout_url', client_id, url })),
    mine: () => entries().filter((entry) => ours.includes(String(entry))),
    others: () => entries().filter((entry) => !ours.includes(String(entry))),
    edits: [() => void Object.assign(client, { allowed_logout_urls: [...theirs, ours[0]] })],
  });
  expect(client.allowed_logout_urls).toEqual(theirs);
});
