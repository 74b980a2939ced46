/** An application from `init` to `destroy`, and what its preview must have in between. */
export interface Stack {
  /** Its files: `files/<name>.txt`, or those of the fixture. */
  readonly name: string;
  readonly fixture?: string;
  /** The lines that a person wants of those that init drafts as comments. */
  readonly wants?: readonly string[];
  /** What each variable must hold at the host, by `<provider> <variable>`. */
  readonly variables?: Readonly<Record<string, RegExp>>;
  /** Outputs of the run, which a job in CI hands to its build. */
  readonly outputs?: Readonly<Record<string, RegExp>>;
  /** An address of the preview that a service must know, by provider. */
  readonly addresses?: Readonly<Record<string, RegExp>>;
}

const neon = /^postgresql:\/\/.*neon\.tech/;
const secret = /^whsec_\w{20}/;

/** `npm test` walks four of them from the first to the last; `npm run whole` walks all. */
export const stacks: readonly Stack[] = [
  {
    name: 'next-vercel-neon',
    variables: { 'vercel DATABASE_URL': neon, 'vercel STRIPE_WEBHOOK_SECRET': secret },
    addresses: { stripe: /^https:\/\/.*\.vercel\.app\/api\/stripe\/webhook$/, clerk: /^https:\/\/.*\.vercel\.app\/sso-callback$/ },
  },
  {
    name: 'turbo-vercel-supabase',
    variables: {
      'vercel NEXT_PUBLIC_SUPABASE_URL': /^https:\/\/\w+\.supabase\.co$/,
      'vercel NEXT_PUBLIC_SUPABASE_ANON_KEY': /^sb_publishable_/,
      'vercel SUPABASE_SERVICE_ROLE_KEY': /^ey/,
    },
    addresses: { supabase: /^https:\/\/members-.*\/\*\*,https:\/\/office-.*\.vercel\.app\/\*\*$/ },
  },
  {
    name: 'sveltekit-netlify-turso',
    variables: { 'netlify TURSO_DATABASE_URL': /^libsql:\/\/sveltekit-netlify-turso-pr-1-acme\./ },
  },
  // Nobody knows whether the endpoint of Upstash is whole, so its line hands nothing on.
  { name: 'nuxt-pages-upstash', wants: ['cache'] },
  // Workers take no variable of one version.
  { name: 'workers-hono-neon', wants: ['database', 'cache'] },
  // The person knows that the database is at Neon, and no file says so.
  {
    name: 'remix-fly-postgres',
    wants: ['database-neon', 'database-url-neon'],
    variables: { 'fly DATABASE_URL': neon },
  },
  {
    name: 'astro-netlify-sanity',
    wants: ['address', 'preview', 'search', 'algolia-index', 'content-origin'],
    variables: { 'netlify ALGOLIA_INDEX': /^astro-netlify-sanity-pr-1$/ },
    addresses: { sanity: /^https:\/\/deploy-preview-1--.*\.netlify\.app$/ },
  },
  {
    name: 'expo-amplify-convex',
    variables: { 'aws-amplify EXPO_PUBLIC_CONVEX_URL': /^https:\/\/[\w.-]+\.convex\.cloud$/ },
  },
  {
    name: 'nestjs-render-atlas',
    variables: { 'render STRIPE_WEBHOOK_SECRET': secret },
    addresses: { stripe: /^https:\/\/tool-library-pr-1\.onrender\.com\/payments\/stripe-webhook$/ },
  },
  {
    name: 't3-railway-planetscale',
    variables: { 'railway DATABASE_URL': /^mysql:\/\// },
  },
  {
    name: 'django-render-neon',
    wants: ['release', 'release-deploy'],
    variables: { 'render DATABASE_URL': neon },
    addresses: { sentry: /^https:\/\/bus-passes-pr-1\.onrender\.com$/ },
  },
  {
    name: 'rails-heroku',
    fixture: 'rails-heroku',
    variables: { 'heroku STRIPE_WEBHOOK_SECRET': secret },
    addresses: { stripe: /^https:\/\/tickets-pr-1-\w+\.herokuapp\.com\/stripe\/webhook$/ },
  },
  {
    name: 'phoenix-fly',
    fixture: 'phoenix-fly',
    variables: { 'fly DATABASE_URL': neon, 'fly STRIPE_SIGNING_SECRET': secret },
    addresses: { stripe: /^https:\/\/phoenix-fly-pr-1\.fly\.dev\/hooks\/stripe$/ },
  },
  {
    name: 'laravel-digitalocean-auth0',
    wants: ['sign-in', 'sign-out'],
    addresses: { stripe: /\.ondigitalocean\.app\/stripe\/webhook$/, auth0: /\.ondigitalocean\.app\/callback$/ },
  },
  // A workflow builds and deploys the last two, so its job takes the values.
  { name: 'go-cloud-run-cockroach', wants: ['database', 'database-user', 'cache'] },
  {
    name: 'vue-azure-ci-supabase',
    wants: ['database', 'auth-redirect'],
    outputs: { 'database.api_url': /^https:\/\/\w+\.supabase\.co$/ },
    addresses: { supabase: /^https:\/\/acme-shop-1\.westeurope\.azurestaticapps\.net\/\*\*$/ },
  },
];
