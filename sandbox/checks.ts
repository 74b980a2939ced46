import { type Checks, json, type Kind, type Reply } from './kit/index.ts';

/**
 * What providers say of a credential itself: the read that `init --setup` sends where no line names anything, and kinds of credentials
 * that pass it or are refused by it, other than their work. Each as its vendor's description and pages say it (2026-11-25).
 */
type Call = Parameters<NonNullable<Checks['others']>[string]>[0];

const isKnown = (kind: Kind): boolean => kind !== 'missing' && kind !== 'wrong';
/** Every credential that the provider knows is answered alike. */
const known =
  (body: unknown) =>
  (kind: Kind): Reply | null =>
    isKnown(kind) ? json(200, body) : null;
const at = '2026-11-01T00:00:00.000Z';
/** Served where the test of the path holds, refused elsewhere. */
const only =
  (path: RegExp, refusal: Reply) =>
  (call: Call): Reply | null =>
    path.test(call.path) ? null : refusal;
const never =
  (path: RegExp, refusal: Reply) =>
  (call: Call): Reply | null =>
    path.test(call.path) ? refusal : null;

const posthogScope = (scope: string): Reply =>
  json(403, { type: 'authentication_error', code: 'permission_denied', detail: `API key missing required scope '${scope}'`, attr: null });
const cloudflareFailure = (status: number, code: number, message: string): Reply =>
  json(status, { success: false, errors: [{ code, message }], messages: [], result: null });
const vercelForbidden = json(403, { error: { code: 'forbidden', message: 'Not authorized' } });
const rate = { limit: 5000, remaining: 4999, reset: 1_790_000_000, used: 1 };
const sentryRoot = (scopes: readonly string[] | null): Reply =>
  json(200, { version: '0', auth: scopes && { scopes }, user: scopes && { id: '1', name: 'A', email: 'a@acme.example' } });

export const ably: Checks = {
  answers: {
    '/v1/me': known({
      token: { id: 'tok', name: 'pilotfish', capabilities: ['read:app', 'write:app'], expires_at: null, last_used_at: null },
      account: { id: 'VgQpOZ', name: 'Acme' },
    }),
  },
};

export const auth0: Checks = {
  answers: {
    '/api/v2/clients': (kind) =>
      kind === 'blind'
        ? json(403, {
            statusCode: 403,
            error: 'Forbidden',
            message: 'Insufficient scope, expected any of: read:clients',
            errorCode: 'insufficient_scope',
          })
        : isKnown(kind)
          ? json(200, [{ client_id: 'shopWebAbCdEfGhIjKlMnOpQrStUvWxY' }])
          : null,
  },
};

const verified = { success: true, errors: [], messages: [], result: { id: 'ed17574386854bf78a67040be0a770b0', status: 'active' } };
export const cloudflare: Checks = {
  answers: {
    '/client/v4/user/tokens/verify': (kind) =>
      kind === 'ofAccount' ? cloudflareFailure(401, 1000, 'Invalid API Token') : known(verified)(kind),
  },
  // A token that an account owns does everything but this.
  others: { ofAccount: () => null, otherZone: never(/\/(?:zones|accounts)\//, cloudflareFailure(403, 10000, 'Authentication error')) },
};

export const cockroachdb: Checks = { answers: { '/api/v1/clusters': known({ clusters: [], pagination: {} }) } };
export const configcat: Checks = { answers: { '/v1/me': known({ email: 'a@acme.example', fullName: null }) } };

export const convex: Checks = {
  answers: { '/v1/token_details': known({ type: 'teamToken', id: 1, teamId: 7, name: 'pilotfish', createTime: 1_790_000_000_000 }) },
};

export const flagsmith: Checks = {
  answers: { '/api/v1/organisations/': known({ count: 1, next: null, previous: null, results: [{ id: 1, name: 'Acme' }] }) },
};

/** Also nobody at all is told the limits of the address. */
export const github: Checks = {
  answers: {
    '/rate_limit': (kind) => (kind === 'wrong' ? null : json(200, { resources: { core: rate, search: rate }, rate })),
  },
  others: {
    noHooks: never(
      /\/hooks/,
      json(403, {
        message: 'Resource not accessible by personal access token',
        documentation_url: 'https://docs.github.com/rest',
        status: '403',
      }),
    ),
  },
};

export const growthbook: Checks = {
  answers: { '/api/v1/projects': known({ projects: [], limit: 1, offset: 0, count: 0, total: 0, hasMore: false, nextOffset: null }) },
};

const herokuForbidden = json(403, { id: 'forbidden', message: 'You do not have access to the resource with this authorization scope.' });
export const heroku: Checks = {
  answers: { '/apps': (kind) => (kind === 'identity' ? herokuForbidden : known([])(kind)) },
  others: { identity: () => herokuForbidden, read: never(/\/config-vars/, herokuForbidden) },
};

export const honeycomb: Checks = {
  answers: {
    '/1/auth': (kind) =>
      known({
        id: 'hcxik01',
        type: kind === 'ingest' ? 'ingest' : 'configuration',
        api_key_access: { markers: kind !== 'ingest', events: true },
        environment: { name: 'Preview', slug: 'preview' },
        team: { name: 'Acme', slug: 'acme' },
      })(kind),
  },
  others: { ingest: () => json(401, { error: 'unauthorized' }) },
};

export const launchdarkly: Checks = {
  answers: {
    '/api/v2/caller-identity': (kind) =>
      known(kind === 'sdk' ? { environmentName: 'Test', tokenKind: 'sdk' } : { tokenKind: 'auth', tokenName: 'ci' })(kind),
  },
  others: { sdk: () => json(401, { code: 'unauthorized', message: 'Invalid access token' }) },
};

export const mongodbAtlas: Checks = {
  answers: {
    '/api/atlas/v2': (kind) => {
      const reply = known({ appName: 'MongoDB Atlas', build: '1', throttling: false, links: [] })(kind);
      return reply && { ...reply, contentType: 'application/vnd.atlas.2023-01-01+json' };
    },
  },
};
export const netlify: Checks = { answers: { '/api/v1/sites': known([]) } };

const neonProject = {
  id: 'quiet-river-12345678',
  name: 'shop',
  platform_id: 'aws',
  region_id: 'aws-eu-central-1',
  owner_id: 'org-acme-1',
  created_at: at,
  updated_at: at,
};
export const neon: Checks = {
  answers: {
    '/api/v2/projects': (kind, { query }) => {
      if (kind === 'ofProject') return json(403, { code: '', message: 'this API key is for one project', request_id: 'r' });
      if (kind === 'ofPerson' && !query.has('org_id'))
        return json(400, { code: '', message: 'org_id is required, you can find it on your organization settings page', request_id: 'r' });
      return known({ projects: [neonProject], pagination: { cursor: neonProject.id } })(kind);
    },
  },
  others: { ofProject: () => null, ofPerson: () => null },
};

export const okta: Checks = {
  answers: { '/api/v1/users/{id}': known({ id: '00ub0oNGTSWTBKOLGLNR', status: 'ACTIVE' }) },
  others: {
    helpDesk: never(
      /\/(?:apps|trustedOrigins)/,
      json(403, { errorCode: 'E0000006', errorSummary: 'You do not have permission to perform the requested action' }),
    ),
  },
};

const planetscaleForbidden = json(403, { code: 'forbidden', message: 'You are not authorized to perform this action.' });
export const planetscale: Checks = {
  answers: {
    '/v1/organizations': known({
      type: 'list',
      current_page: 1,
      per_page: 1,
      next_page: null,
      next_page_url: null,
      prev_page: null,
      prev_page_url: null,
      data: [],
    }),
  },
  others: { noAccess: () => planetscaleForbidden },
};

export const posthog: Checks = {
  answers: {
    '/api/users/@me/': (kind) =>
      kind === 'flagsOnly'
        ? posthogScope('user:read')
        : known({ uuid: '0190a4e0-5e7c-7a6e-9a4b-2f1d3c5b7a90', distinct_id: 'a', email: 'a@acme.example' })(kind),
  },
  others: { flagsOnly: () => null, noFlags: never(/feature_flags/, posthogScope('feature_flag:read')) },
};

export const render: Checks = {
  others: {
    variablesOnly: never(/\/services$/, json(403, { message: 'forbidden' })),
    noVariables: never(/env-vars/, json(403, { message: 'forbidden' })),
  },
};

export const resend: Checks = {
  others: {
    sending: () => json(401, { statusCode: 401, name: 'restricted_api_key', message: 'This API key is restricted to only send emails' }),
  },
};

export const sanity: Checks = { answers: { '/v2021-06-07/users/{id}': known({ id: 'pA', name: 'ci', email: 'a@acme.example' }) } };

/** Without a credential it answers, too: that nobody came. */
export const sentry: Checks = {
  answers: {
    '/api/0/': (kind) =>
      kind === 'wrong'
        ? null
        : sentryRoot(
            kind === 'missing'
              ? null
              : kind === 'ofOrganization'
                ? ['org:ci']
                : kind === 'readOnly'
                  ? ['project:read']
                  : ['org:read', 'project:releases'],
          ),
  },
  others: { ofOrganization: () => null },
};

export const statsig: Checks = {
  answers: {
    '/console/v1/gates': known({
      message: 'Gates listed successfully.',
      data: [],
      pagination: { itemsPerPage: 1, pageNumber: 1, totalItems: 0, nextPage: null, previousPage: null, all: '/console/v1/gates' },
    }),
  },
};

export const stripe: Checks = {
  others: {
    noEndpoints: never(
      /webhook_endpoints/,
      json(403, {
        error: {
          type: 'invalid_request_error',
          message: "The provided key does not have the required permissions for this endpoint: 'rak_webhook_read'.",
        },
      }),
    ),
  },
};

export const stytch: Checks = { answers: { '/pwa/v3/projects': known({ request_id: 'r', status_code: 200, projects: [] }) } };

const supabaseForbidden = json(403, { message: 'Your account does not have the necessary privileges to access this endpoint.' });
export const supabase: Checks = {
  answers: { '/v1/projects': (kind) => (kind === 'branchesOnly' ? supabaseForbidden : known([])(kind)) },
  others: { branchesOnly: () => null, projectsOnly: only(/^\/v1\/projects$/, supabaseForbidden) },
};

export const svix: Checks = { answers: { '/api/v1/app': known({ data: [], iterator: null, prevIterator: null, done: true }) } };

export const turso: Checks = {
  answers: { '/v1/auth/validate': known({ exp: 1_800_000_000 }) },
  others: { otherOrganization: never(/\/organizations\//, json(403, { error: 'forbidden' })) },
};

export const unleash: Checks = {
  answers: {
    '/api/admin/projects': (kind) =>
      kind === 'client' ? json(403, { name: 'NoAccessError', message: 'Access denied' }) : known({ version: 1, projects: [] })(kind),
  },
  others: { client: () => json(403, { name: 'NoAccessError', message: 'Access denied' }) },
};

export const vercel: Checks = {
  answers: {
    '/v9/projects': (kind) =>
      kind === 'ofProject' ? vercelForbidden : known({ projects: [], pagination: { count: 0, next: null, prev: null } })(kind),
  },
  others: { ofProject: () => null, otherProject: never(/\/projects\//, vercelForbidden) },
};
