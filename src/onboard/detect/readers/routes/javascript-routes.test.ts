import { describe, expect, it } from 'vitest';
import { work } from '../../../../../test/support/work.ts';
import { codeOf } from '../code/source-code.ts';
import { routesOfJavascript } from './javascript-routes.ts';

const routesIn = (path: string, text: string) => routesOfJavascript(codeOf({ path, text }, 'slashes'));
const told = (path: string, text: string) =>
  routesIn(path, text).map(({ methods, path: own, servedBy }) => `${methods.join(',') || '*'} ${own}${servedBy ? ` at ${servedBy}` : ''}`);

describe('routes by the place of a file', () => {
  it.each([
    ['app/api/stripe/webhook/route.ts', 'export async function POST() {}', ['POST /api/stripe/webhook']],
    [
      'apps/web/src/app/(site)/[org]/hooks/[...all]/route.ts',
      'const handler = auth\nexport { handler as GET, handler as POST }',
      ['GET,POST /:org/hooks/:all'],
    ],
    ['pages/api/webhooks/stripe.ts', 'export default handler', ['* /api/webhooks/stripe']],
    ['src/routes/api/stripe/+server.ts', 'export const POST = async () => {}', ['POST /api/stripe']],
    ['server/api/stripe/hook.post.ts', 'export default defineEventHandler(() => {})', ['POST /api/stripe/hook']],
    ['app/routes/webhooks.stripe.tsx', 'export const action = async () => {}', ['POST /webhooks/stripe']],
    ['app/routes/_public.api.hooks.$id/route.tsx', 'export async function action() {}', ['POST /api/hooks/:id']],
    ['src/pages/api/stripe.ts', 'export const POST = () => {}', ['* /api/stripe']],
    [
      'src/routes/api/hook.ts',
      "export const Route = createFileRoute('/api/hook')({ server: { handlers: { POST: run } } })",
      ['POST /api/hook'],
    ],
    ['supabase/functions/stripe-webhook/index.ts', 'Deno.serve(() => {})', ['* /functions/v1/stripe-webhook at supabase']],
    ['netlify/functions/stripe.ts', 'export default async () => {}', ['* /.netlify/functions/stripe']],
    ['functions/api/stripe.ts', 'export const onRequestPost = () => {}', ['POST /api/stripe']],
    ['api/stripe.ts', 'export default () => {}', ['* /api/stripe']],
    ['src/routes/about.tsx', 'export default () => null', []],
    ['app/components/route-list.tsx', 'export const POST = 1', []],
    ['supabase/functions/_shared/index.ts', '', []],
  ])('%s', (path, text, routes) => expect(told(path, text)).toEqual(routes));
});

describe('routes in code', () => {
  it.each([
    ["app.post('/hooks/stripe', stripe)", ['POST /hooks/stripe']],
    ["const router = new Hono()\nrouter.post('/a', a).get('/b', b)\nrouter.get('/c', c)", ['POST /a', 'GET /c']],
    ["fastify.route({ method: 'POST', url: '/hook', handler })", ['POST /hook']],
    ["@Controller('stripe')\nclass A {\n@Post('webhook')\nhook() {}\n@Get()\nlist() {} }", ['POST /stripe/webhook', 'GET /stripe']],
    [
      "import { httpRouter } from 'convex/server'\nconst http = httpRouter()\nhttp.route({ path: '/stripe/events', method: 'POST', handler })",
      ['POST /stripe/events at convex'],
    ],
    ["import { onRequest } from 'firebase-functions/v2/https'\nexport const hook = onRequest(() => {})", ['* /hook at firebase']],
    ["import axios from 'axios'\nhttpClient.post('/api/stripe')\naxios.post('/api/x')", []],
    ["// app.post('/old', x)", []],
  ])('%s', (text, routes) => expect(told('src/index.ts', text)).toEqual(routes));

  it('of tests are none of the app', () => expect(told('src/app.test.ts', "app.post('/hooks/stripe', x)")).toEqual([]));
});

describe('the words of a route', () => {
  it('are those of its path, its packages and of the signature that it checks', () => {
    const text = "import Stripe from 'stripe'\nexport async function POST(request) { stripe.webhooks.constructEvent(body, sig, secret) }";
    expect(routesIn('app/api/pay/hook/route.ts', text)[0]?.words).toEqual(['api', 'pay', 'hook', 'stripe', 'signature']);
  });

  it('are those of its own part, where a file has several', () => {
    const text =
      "import Stripe from 'stripe'\napp.post('/pay/hook', (c) => stripe.webhooks.constructEvent(a, b, c))\napp.post('/mail/hook', (c) => mail(c))";
    const [pay, mail] = routesIn('src/index.ts', text);
    expect(pay?.words).toContain('signature');
    expect(pay?.words).toContain('stripe');
    expect(mail?.words).not.toContain('signature');
    expect(mail?.words).not.toContain('stripe');
  });
});

it('routes are found in time that grows with the length of the file, not with its square', async () => {
  for (const piece of [
    "app.post('/",
    "method: 'POST', ",
    "url: '/a', ",
    '@Post(',
    '.route(',
    'export const a = functions.',
    'export const ',
    'export {',
    "app.post('/a', x)\n",
  ]) {
    const text = `import 'firebase-functions'\n${piece.repeat(Math.ceil(300_000 / piece.length))}`;
    expect(await work(() => routesIn('app/x/route.ts', text)), piece).toBeLessThan(6_000);
  }
});
