/** Names of secrets with which a workflow asks a host to deploy. Their values are addresses and tokens that no file shows. */
const hooks: readonly (readonly [name: RegExp, provider: string])[] = [
  [/(?:^|_)RENDER_(?:\w*HOOK|\w*DEPLOY|API_KEY|SERVICE_ID)/, 'render'],
  [/(?:^|_)COOLIFY_/, 'coolify'],
  [/(?:^|_)DOKPLOY_/, 'dokploy'],
  [/(?:^|_)VERCEL_\w*HOOK/, 'vercel'],
  [/(?:^|_)NETLIFY_\w*HOOK/, 'netlify'],
  [/(?:^|_)(?:CLOUDFLARE|CF)_(?:PAGES_)?\w*HOOK/, 'cloudflare'],
  [/(?:^|_)CAPROVER_\w*HOOK/, 'caprover'],
  [/(?:^|_)FORGE_\w*(?:HOOK|DEPLOY|TRIGGER|URL)/, 'laravel_forge'],
  [/(?:^|_)(?:KINSTA|SEVALLA)_\w*HOOK/, 'sevalla'],
  [/(?:^|_)PORTAINER_\w*HOOK/, 'own_server'],
];

const names = /\b(?:secrets|vars|env)\.([A-Za-z]\w*)|\$\{?([A-Z][A-Z0-9_]*)/g;

/** The host that is asked for a deployment with the secrets of a text, such as the command of a step: `curl ${{ secrets.RENDER_DEPLOY_HOOK }}`. */
export function hostOfHook(text: string): string | null {
  for (const match of text.slice(0, 64 * 1024).matchAll(names)) {
    const name = (match[1] ?? match[2] ?? '').toUpperCase();
    const provider = hooks.find(([pattern]) => pattern.test(name))?.[1];
    if (provider !== undefined) return provider;
  }
  return null;
}

/** A step that calls an address. */
export const callsAddress = (run: string): boolean =>
  /(?:^|[\s;&|(`"])(?:curl|wget|http|https|httpie|Invoke-(?:WebRequest|RestMethod))\s/m.test(run);

/** An action that calls an address that it is given. */
export const isCaller = (action: string): boolean => /webhook|http-?request|curl|fetch-api/i.test(action);
