import type { Shape } from '../kit/index.ts';

const group: Shape = { open: true, fields: {} };
const optionalGroup: Shape = { nullable: group };
const texts: Shape = { list: 'string' };
const optionalText: Shape = { nullable: 'string' };

/** What a client update may hold: the description closes it, so any other property is refused. Groups are taken as they come. */
export const clientShape: Shape = {
  fields: {
    name: 'string',
    description: 'string',
    client_secret: 'string',
    logo_uri: 'string',
    callbacks: texts,
    allowed_origins: texts,
    web_origins: texts,
    allowed_logout_urls: texts,
    grant_types: texts,
    client_aliases: texts,
    allowed_clients: texts,
    oidc_logout: group,
    oidc_backchannel_logout: group,
    session_transfer: optionalGroup,
    jwt_configuration: group,
    encryption_key: optionalGroup,
    sso: 'boolean',
    sso_disabled: 'boolean',
    cross_origin_authentication: 'boolean',
    cross_origin_loc: optionalText,
    custom_login_page_on: 'boolean',
    custom_login_page: 'string',
    custom_login_page_preview: 'string',
    form_template: 'string',
    token_endpoint_auth_method: { nullable: { oneOf: ['none', 'client_secret_post', 'client_secret_basic'] } },
    is_token_endpoint_ip_header_trusted: 'boolean',
    app_type: 'string',
    is_first_party: 'boolean',
    oidc_conformant: 'boolean',
    token_quota: optionalGroup,
    addons: group,
    client_metadata: group,
    mobile: group,
    initiate_login_uri: 'string',
    native_social_login: optionalGroup,
    fedcm_login: optionalGroup,
    refresh_token: optionalGroup,
    default_organization: optionalGroup,
    organization_usage: optionalText,
    organization_require_behavior: optionalText,
    organization_discovery_methods: { nullable: texts },
    client_authentication_methods: optionalGroup,
    require_pushed_authorization_requests: 'boolean',
    require_proof_of_possession: 'boolean',
    signed_request_object: group,
    token_vault_privileged_access: group,
    compliance_level: optionalText,
    skip_non_verifiable_callback_uri_confirmation_prompt: { nullable: 'boolean' },
    token_exchange: optionalGroup,
    par_request_expiry: { nullable: 'integer' },
    express_configuration: optionalGroup,
    my_organization_configuration: optionalGroup,
    async_approval_notification_channels: { nullable: { list: 'any' } },
    third_party_security_mode: { oneOf: ['strict', 'permissive'] },
    redirection_policy: { oneOf: ['allow_always', 'open_redirect_protection'] },
  },
};

/** Lists of addresses. Each entry needs a scheme (custom ones are allowed for callbacks) and may hold wildcards. */
export const addressLists = ['callbacks', 'allowed_logout_urls', 'web_origins', 'allowed_origins'] as const;

export const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text);
