/** A path that a framework makes of a file's place. */
export interface FileRoute {
  readonly path: string;
  /** `exports`: the exported names tell the methods. `action`: an exported action answers POST. `any`: the file answers all. */
  readonly methods: 'exports' | 'action' | 'any' | readonly string[];
  readonly servedBy?: string;
}

const extension = /\.[cm]?[jt]sx?$/;

/** The route of a file by its place, for frameworks whose files are routes; `null` for any other file. */
export function routeOfFile(file: string): FileRoute | null {
  if (!extension.test(file)) return null;
  const bare = file.replace(extension, '');
  for (const { pattern, route } of places) {
    const match = pattern.exec(bare);
    if (match) return route(match[1] ?? '', match[2]);
  }
  return null;
}

type Made = (path: string, more?: string) => FileRoute | null;

/** The order counts: a more special place comes first. */
const places: readonly { readonly pattern: RegExp; readonly route: Made }[] = [
  {
    pattern: /(?:^|\/)supabase\/functions\/([^/]+)\/(index)$/,
    route: (name) => (name.startsWith('_') ? null : { path: `/functions/v1/${name}`, methods: 'any', servedBy: 'supabase' }),
  },
  { pattern: /(?:^|\/)netlify\/(?:edge-)?functions\/([^/]+)(?:\/(?:index|\1))?$/, route: (name) => any(`/.netlify/functions/${name}`) },
  // Remix and React Router: dots are slashes.
  { pattern: /(?:^|\/)app\/routes\/([^/]+(?:\/[^/]+)*)$/, route: (path) => ({ path: dotted(path), methods: 'action' }) },
  // Next.js, app folder.
  { pattern: /(?:^|\/)app\/(?:(.*)\/)?(route)$/, route: (path) => ({ path: brackets(path), methods: 'exports' }) },
  // Next.js, pages folder.
  { pattern: /(?:^|\/)pages\/(api\/.+)$/, route: (path) => any(brackets(path)) },
  // SvelteKit.
  { pattern: /(?:^|\/)routes\/(?:(.*)\/)?(\+server)$/, route: (path) => ({ path: brackets(path), methods: 'exports' }) },
  // Nuxt and Nitro: `server/api/hook.post.ts`.
  { pattern: /(?:^|\/)server\/(api\/.+)$/, route: nitro },
  { pattern: /(?:^|\/)server\/routes\/(.+)$/, route: nitro },
  // SolidStart, TanStack Start and Astro.
  { pattern: /(?:^|\/)src\/(?:routes|pages)\/(.+)$/, route: (path) => ({ path: brackets(path), methods: 'exports' }) },
  // Functions of Cloudflare Pages.
  { pattern: /^((?:apps|packages)\/[^/]+\/)?functions\/(.+)$/, route: (_, path = '') => ({ path: brackets(path), methods: 'exports' }) },
  // Functions of Vercel at the root of an app.
  { pattern: /^(?:(?:apps|packages)\/[^/]+\/)?(api\/.+)$/, route: (path) => (/(?:^|\/)_/.test(path) ? null : any(brackets(path))) },
];

const any = (path: string): FileRoute => ({ path, methods: 'any' });

function nitro(path: string): FileRoute {
  const method = /\.(get|post|put|patch|delete|head|options)$/.exec(path)?.[1];
  const own = brackets(method === undefined ? path : path.slice(0, -method.length - 1));
  return { path: own, methods: method === undefined ? 'any' : [method.toUpperCase()] };
}

/** `(group)/[id]/[[...rest]]/index` is `/:id/:rest`. */
const brackets = (path: string): string =>
  joined(
    path
      .split('/')
      .filter((part) => !/^\(.*\)$/.test(part) && !part.startsWith('@') && part !== 'index' && part !== '')
      .map((part) =>
        part
          .replace(/\[{1,2}(?:\.{3})?([\w-]+)(?:=[\w-]+)?\]{1,2}/g, ':$1')
          .replace(/^\$(\w*)$/, (_, name: string) => `:${name || 'rest'}`),
      ),
  );

/** `_auth.api.hooks.$id/route` is `/api/hooks/:id`. */
const dotted = (path: string): string =>
  joined(
    path
      .replace(/\/(?:route|index)$/, '')
      .replace(/\[(\.[^\]]*)\]/g, '$1')
      .split(/[./]/)
      .filter((part) => part !== '' && !part.startsWith('_') && !/^\(.*\)$/.test(part))
      .map((part) => part.replace(/_$/, '').replace(/^\$(\w*)$/, (_, name: string) => `:${name || 'rest'}`)),
  );

const joined = (parts: readonly string[]): string => `/${parts.join('/')}`;
