import { describe, expect, it } from 'vitest';
import { listed, read, surveyOf } from '../../../test/support/surveys.ts';
import type { Route } from '../detect/facts.ts';
import { receiverOf } from './receiver.ts';

const route = (path: string, words: readonly string[], file = 'src/routes.ts', extra: Partial<Route> = {}): Route => ({
  path,
  methods: ['POST'],
  file,
  line: 1,
  words,
  ...extra,
});

describe('the receiver of webhooks', () => {
  it('is the deployable whose folder has the route', () => {
    const routes = [route('/api/stripe/webhook', ['api', 'stripe', 'webhook'], 'apps/api/app/api/stripe/webhook/route.ts')];
    expect(receiverOf(surveyOf({ apps: { 'apps/web': [], 'apps/api': [] }, routes }), ['stripe'])).toEqual({
      is: 'deployable',
      folder: 'apps/api',
      path: '/api/stripe/webhook',
      evidence: { file: 'apps/api/app/api/stripe/webhook/route.ts', what: 'route /api/stripe/webhook' },
    });
  });

  it('is the one that reaches the package with the route', () => {
    const routes = [route('/hooks/stripe', ['hooks', 'stripe'], 'packages/server/src/hooks.ts')];
    const survey = surveyOf({ apps: { 'apps/web': [], 'apps/api': ['packages/server'] }, packages: ['packages/server'], routes });
    expect(receiverOf(survey, ['stripe'])).toMatchObject({ is: 'deployable', folder: 'apps/api' });
  });

  it('is another service, where that answers at an address of its own', () => {
    const routes = [route('/stripe/events', ['stripe', 'events'], 'convex/http.ts', { servedBy: 'convex' })];
    expect(receiverOf(surveyOf({ routes }), ['stripe'])).toMatchObject({ is: 'service', service: 'convex', path: '/stripe/events' });
  });

  it('is the route that checks the signature, of several with such a path', () => {
    const routes = [route('/webhooks/stripe', ['stripe'], 'a.ts'), route('/pay/stripe-events', ['stripe', 'signature'], 'b.ts')];
    expect(receiverOf(surveyOf({ routes }), ['stripe'])).toMatchObject({ is: 'deployable', path: '/pay/stripe-events' });
  });

  it('is unclear, where several are equally likely', () => {
    const routes = [route('/webhooks/stripe', ['stripe'], 'a.ts'), route('/connect/stripe-webhook', ['stripe'], 'b.ts')];
    expect(receiverOf(surveyOf({ routes }), ['stripe'])).toMatchObject({
      is: 'unclear',
      why: expect.stringContaining('/connect/stripe-webhook'),
    });
  });

  it.each([
    ['beside an old one', 'app/stripe/webhook/route.ts', '/stripe/webhook', 'app/stripe/webhook-old/route.ts', '/stripe/webhook-old'],
    ['under a plainer path', 'pages/api/pay/events.ts', '/api/pay/events', 'pages/api/stripe/webhook.ts', '/api/stripe/webhook'],
    ['in another language', 'billing/views.py', '/hooks/stripe', 'legacy/views.py', '/legacy/stripe/webhook'],
  ])('is the route whose file reads the secret that the provider names, %s', (_, file, path, otherFile, otherPath) => {
    const routes = [route(otherPath, ['stripe', 'signature'], otherFile), route(path, ['stripe', 'signature'], file)];
    const variables = [
      read('STRIPE_WEBHOOK_SECRET', file),
      read('STRIPE_WEBHOOK_SECRET_OLD', otherFile),
      listed('STRIPE_WEBHOOK_SECRET', otherFile),
    ];
    expect(receiverOf(surveyOf({ routes, variables }), ['stripe'], ['STRIPE_WEBHOOK_SECRET'])).toMatchObject({ is: 'deployable', path });
  });

  it('is none that another service has, though its file imports the client', () => {
    const routes = [route('/webhooks/stripe', ['webhooks', 'stripe', 'clerk'])];
    expect(receiverOf(surveyOf({ routes, services: ['stripe', 'clerk'] }), ['clerk'])).toEqual({ is: 'none' });
    expect(receiverOf(surveyOf({ routes, services: ['stripe', 'clerk'] }), ['stripe'])).toMatchObject({ is: 'deployable' });
  });

  it.each([
    ['a checkout that only uses the client', route('/api/checkout', ['api', 'checkout', 'stripe'])],
    ['a page', route('/stripe/webhook', ['stripe'], 'a.ts', { methods: ['GET'] })],
    ['the route of another service', route('/webhooks/github', ['github', 'signature'])],
    ['a route of an example', route('/webhooks/stripe', ['stripe'], 'examples/shop/index.ts')],
  ])('is not %s', (_, one) => {
    expect(receiverOf(surveyOf({ packages: ['examples/shop'], routes: [one] }), ['stripe'])).toEqual({ is: 'none' });
  });
});
