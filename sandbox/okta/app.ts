import { flawsOf, type Shape } from '../kit/index.ts';
import { isMap } from '../kit/json.ts';
import { invalid } from './refusals.ts';

/** An OIDC application as it is read. */
export interface OktaApp {
  readonly id: string;
  lastUpdated: string;
  settings: {
    oauthClient: { redirect_uris?: readonly string[]; post_logout_redirect_uris?: readonly string[]; [member: string]: unknown };
    [member: string]: unknown;
  };
  [member: string]: unknown;
}

export const origin = 'https://acme.okta.com';

/** Members of an application that a write ignores. */
export const readOnly = [
  ...['id', 'orn', 'name', 'status', 'created', 'lastUpdated', 'features', 'expressConfiguration', 'universalLogout'],
  ...['_links', '_embedded'],
];

export const newApp = (id: string, oauthClient: Readonly<Record<string, unknown>>, time: string, secret: string): OktaApp => ({
  id,
  orn: `orn:okta:idp:00o1n8sbwArJ7OQRw406:apps:oidc_client:${id}`,
  name: 'oidc_client',
  label: 'Shop',
  status: 'ACTIVE',
  created: time,
  lastUpdated: time,
  features: [],
  signOnMode: 'OPENID_CONNECT',
  accessibility: { selfService: false, errorRedirectUrl: 'https://acme.example/sorry' },
  visibility: { autoSubmitToolbar: false, hide: { iOS: true, web: false } },
  profile: { team: 'web' },
  credentials: {
    userNameTemplate: { template: '${source.login}', type: 'BUILT_IN' },
    signing: { kid: 'ZcLGYsl4D2Xka' },
    oauthClient: { client_id: id, client_secret: secret, token_endpoint_auth_method: 'client_secret_basic', autoKeyRotation: true },
  },
  settings: {
    notes: { admin: 'ask the web team' },
    oauthClient: {
      application_type: 'web',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      issuer_mode: 'DYNAMIC',
      wildcard_redirect: 'DISABLED',
      ...oauthClient,
    },
  },
  _links: { self: { href: `${origin}/api/v1/apps/${id}` } },
});

const appShape: Shape = {
  fields: {
    label: 'string',
    name: { oneOf: ['oidc_client'] },
    signOnMode: { oneOf: ['OPENID_CONNECT'] },
    credentials: { fields: {}, open: true },
    settings: {
      fields: {
        oauthClient: {
          fields: { grant_types: { list: 'string' }, redirect_uris: { list: 'string' }, post_logout_redirect_uris: { list: 'string' } },
          required: ['grant_types'],
          open: true,
        },
      },
      required: ['oauthClient'],
      open: true,
    },
  },
  required: ['label', 'signOnMode', 'credentials', 'settings'],
  open: true,
};

/** What a PUT writes. An application that signs people in needs a place to return to. */
export function appIn(body: unknown): Readonly<Record<string, unknown>> {
  const [flaw] = flawsOf(body, appShape);
  if (flaw || !isMap(body)) throw invalid(flaw?.at.slice(1) ?? 'body', `${flaw?.at ?? 'the body'} is ${flaw?.problem ?? 'no object'}`);
  const client = isMap(body.settings) && isMap(body.settings.oauthClient) ? body.settings.oauthClient : {};
  const textsOf = (name: string): readonly unknown[] => (Array.isArray(client[name]) ? client[name] : []);
  const needsNone = textsOf('grant_types').some((grant) => grant === 'password' || grant === 'client_credentials');
  if (textsOf('redirect_uris').length === 0 && !needsNone) {
    throw invalid('settings.oauthClient.redirect_uris', "'redirect_uris' must have at least one value");
  }
  for (const uri of [...textsOf('redirect_uris'), ...textsOf('post_logout_redirect_uris')]) {
    if (!URL.canParse(String(uri))) throw invalid('settings.oauthClient', `${String(uri)} is not a valid URI`);
  }
  // The sign-in URIs are a list in its order, those of sign-out a set.
  const after = textsOf('post_logout_redirect_uris').map(String);
  const kept = {
    ...client,
    ...(client.post_logout_redirect_uris !== undefined && { post_logout_redirect_uris: [...new Set(after)].sort() }),
  };
  const writable = Object.fromEntries(Object.entries(body).filter(([name]) => !readOnly.includes(name)));
  return { ...writable, settings: { ...(isMap(body.settings) && body.settings), oauthClient: kept } };
}
