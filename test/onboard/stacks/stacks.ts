/** An application from `init` to `destroy`, and what its preview must have in between. */
export interface Stack {
  /** Its files: `files/<name>.txt`, or those of the fixture. */
  readonly name: string;
  readonly fixture?: string;
  /** The lines that a person wants of those that init drafts as comments. */
  readonly wants?: readonly string[];
  /** What each variable must hold at the host, by `<provider> <variable>`. */
  readonly variables?: Readonly<Record<string, RegExp>>;
  /** What knows the preview's address, by `<provider>`. */
  readonly addresses?: Readonly<Record<string, RegExp>>;
}

export const stacks: readonly Stack[] = [
  {
    name: 'next-vercel-neon',
    variables: { 'vercel DATABASE_URL': /^postgresql:\/\/.*neon\.tech/, 'vercel STRIPE_WEBHOOK_SECRET': /^whsec_/ },
    addresses: { stripe: /^https:\/\/.*\.vercel\.app\/api\/stripe\/webhook$/, clerk: /^https:\/\/.*\.vercel\.app\/sso-callback$/ },
  },
  {
    name: 'turbo-vercel-supabase',
    variables: { 'vercel NEXT_PUBLIC_SUPABASE_URL': /^https:\/\/\w+\.supabase\.co$/ },
    addresses: { supabase: /^https:\/\/.*\.vercel\.app/ },
  },
  {
    name: 'django-render-neon',
    wants: ['release', 'release-deploy'],
    variables: { 'render DATABASE_URL': /^postgresql:\/\/.*neon\.tech/ },
    addresses: { sentry: /onrender\.com/ },
  },
  {
    name: 'phoenix-fly',
    fixture: 'phoenix-fly',
    variables: { 'fly DATABASE_URL': /^postgresql:\/\/.*neon\.tech/, 'fly STRIPE_SIGNING_SECRET': /^whsec_/ },
    addresses: { stripe: /\.fly\.dev\/hooks\/stripe$/ },
  },
];
