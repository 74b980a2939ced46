import type { Service } from './service.ts';

const oneAddress = 'Let sign-in return to one fixed address that redirects to the preview.';

/** Sign-in with accounts of other services, whose return addresses a person must set by hand. */
export const signIn: readonly Service[] = [
  {
    name: 'google_oauth',
    title: 'Google sign-in',
    why: 'Google has no API for the redirect URIs of an OAuth client.',
    ask: oneAddress,
    detect: {
      dependencies: ['passport-google-oauth20', '@react-oauth/google', 'omniauth-google-oauth2'],
      env: ['AUTH_GOOGLE_ID', 'GOOGLE_CLIENT_ID', 'GOOGLE_OAUTH_CLIENT_ID', 'NEXT_PUBLIC_GOOGLE_CLIENT_ID', 'VITE_GOOGLE_CLIENT_ID'],
    },
  },
  {
    name: 'github_oauth',
    title: 'GitHub sign-in',
    why: 'GitHub has no API for the callback URL of an OAuth app.',
    ask: 'Register a host that has all previews as subdomains, or let sign-in return to one fixed address that redirects to the preview.',
    detect: {
      dependencies: ['passport-github2', '@octokit/auth-oauth-app', 'omniauth-github'],
      env: ['AUTH_GITHUB_ID', 'GITHUB_CLIENT_ID', 'GITHUB_OAUTH_CLIENT_ID', 'GITHUB_ID'],
    },
  },
  {
    name: 'apple_sign_in',
    title: 'Sign in with Apple',
    why: 'Apple has no API for the return URLs of a Services ID.',
    ask: oneAddress,
    detect: { dependencies: ['passport-apple', 'apple-signin-auth'], env: ['AUTH_APPLE_ID', 'APPLE_CLIENT_ID'] },
  },
  {
    name: 'facebook_login',
    title: 'Facebook Login',
    detect: { dependencies: ['passport-facebook'], env: ['AUTH_FACEBOOK_ID', 'FACEBOOK_CLIENT_ID', 'FACEBOOK_APP_ID'] },
  },
  {
    name: 'discord_oauth',
    title: 'Discord sign-in',
    detect: { dependencies: ['passport-discord'], env: ['AUTH_DISCORD_ID', 'DISCORD_CLIENT_ID'] },
  },
  {
    name: 'entra_id',
    title: 'Microsoft Entra ID',
    detect: {
      dependencies: ['@azure/msal-browser', '@azure/msal-node', '@azure/msal-react', '@azure/msal-angular', 'msal'],
      env: ['AUTH_MICROSOFT_ENTRA_ID_ID', 'AZURE_AD_CLIENT_ID', 'AZURE_AD_TENANT_ID'],
    },
  },
  {
    name: 'cognito',
    title: 'Amazon Cognito',
    detect: {
      dependencies: ['amazon-cognito-identity-js', '@aws-sdk/client-cognito-identity-provider', 'aws-jwt-verify'],
      env: ['COGNITO_USER_POOL_ID', 'AUTH_COGNITO_ID', 'COGNITO_CLIENT_ID'],
    },
  },
  {
    name: 'descope',
    title: 'Descope',
    detect: {
      dependencies: ['@descope/node-sdk', '@descope/nextjs-sdk', '@descope/react-sdk'],
      env: ['DESCOPE_PROJECT_ID', 'DESCOPE_MANAGEMENT_KEY'],
    },
  },
  {
    name: 'ory',
    title: 'Ory',
    detect: { dependencies: ['@ory/client', '@ory/nextjs', '@ory/elements'], env: ['ORY_SDK_URL', 'ORY_PROJECT_ID'] },
  },
  {
    name: 'supertokens',
    title: 'SuperTokens',
    detect: { dependencies: ['supertokens-node', 'supertokens-auth-react', 'supertokens-web-js'], env: ['SUPERTOKENS_CONNECTION_URI'] },
  },
  {
    name: 'fusionauth',
    title: 'FusionAuth',
    detect: { dependencies: ['@fusionauth/typescript-client', '@fusionauth/react-sdk'], env: ['FUSIONAUTH_API_KEY'] },
  },
  {
    name: 'keycloak',
    title: 'Keycloak',
    detect: {
      dependencies: ['keycloak-js', 'keycloak-connect', '@keycloak/keycloak-admin-client'],
      env: ['KEYCLOAK_URL', 'AUTH_KEYCLOAK_ID', 'KEYCLOAK_REALM'],
    },
  },
  {
    name: 'logto',
    title: 'Logto',
    detect: { dependencies: ['@logto/next', '@logto/react', '@logto/node'], env: ['LOGTO_ENDPOINT', 'LOGTO_APP_ID'] },
  },
  {
    name: 'zitadel',
    title: 'ZITADEL',
    detect: { dependencies: ['@zitadel/client', '@zitadel/react'], env: ['ZITADEL_DOMAIN', 'AUTH_ZITADEL_ID'] },
  },
  {
    name: 'propelauth',
    title: 'PropelAuth',
    detect: {
      dependencies: ['@propelauth/nextjs', '@propelauth/react', '@propelauth/node'],
      env: ['PROPELAUTH_API_KEY'],
    },
  },
  {
    name: 'stack_auth',
    title: 'Stack Auth',
    detect: { dependencies: ['@stackframe/stack', '@stackframe/react'], env: ['NEXT_PUBLIC_STACK_PROJECT_ID'] },
  },
];
