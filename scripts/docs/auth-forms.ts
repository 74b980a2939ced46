type Schema = { readonly [key: string]: unknown };

/** The credential forms of an API block for editors: a block has exactly one, with every member of it. */
export const authForms: Schema = {
  description: 'One credential form: names of variables, or a literal command, never a value.',
  anyOf: [
    form('Sends `Authorization: Bearer <value>`.', { bearer_env: variable('Variable that holds the token.') }),
    form('Sends the value in a header of its own.', header(), ['header', 'value_env']),
    form('Sends several credential headers together.', {
      headers: { type: 'array', minItems: 1, items: form('One header.', header(), ['header', 'value_env']) },
    }),
    form('Sends HTTP Basic.', {
      basic: form(
        'A user name and a password.',
        {
          user_env: variable('Variable that holds the user name.'),
          user: { description: 'The user name itself, where it is not secret.', type: 'string' },
          password_env: variable('Variable that holds the password.'),
          password: { description: 'Empty, where there is none.', const: '' },
        },
        [],
      ),
    }),
    form('Sends a token that a token endpoint gives for client credentials.', {
      oauth_client_credentials: form(
        'OAuth 2.0 client credentials.',
        {
          client_id_env: variable('Variable that holds the client id.'),
          client_secret_env: variable('Variable that holds the client secret.'),
          token_url: { description: 'The token endpoint, where it is not derived from the base URL.', type: 'string' },
          token_path: {
            description: 'The token endpoint as a path at the origin of the base URL. Default: /oauth/token.',
            type: 'string',
            pattern: '^/[^/]',
          },
          token_url_env: variable('Variable that overrides the token endpoint.'),
          audience: { description: 'The audience, where it is not derived from the base URL.', type: 'string' },
          audience_path: { description: 'The audience as a path behind the origin of the base URL.', type: 'string', pattern: '^/[^/]' },
          audience_env: variable('Variable that overrides the audience.'),
          resource: { description: 'The API by its resource indicator (RFC 8707); then no audience is derived.', type: 'string' },
          scope: { description: 'The scopes to ask for, separated by spaces.', type: 'string' },
        },
        ['client_id_env', 'client_secret_env'],
      ),
    }),
    form('Sends a token that a program prints, as bearer; asked for again every five minutes.', {
      command: {
        description: 'The program and its arguments, as they are: no shell reads them. Example: [gcloud, auth, print-access-token]',
        type: 'array',
        minItems: 1,
        items: { type: 'string' },
      },
    }),
    form('Signs every request (AWS Signature Version 4).', {
      aws_v4: form('The keys and the service.', {
        access_key_id_env: variable('Variable that holds the key id.'),
        secret_access_key_env: variable('Variable that holds the secret key.'),
        service: { description: 'The name of the service, such as s3.', type: 'string' },
      }),
    }),
    form('Answers the challenges of HTTP Digest (RFC 7616).', {
      digest: form('A user name and a password.', {
        user_env: variable('Variable that holds the user name or public key.'),
        password_env: variable('Variable that holds the password or private key.'),
      }),
    }),
    { description: 'Sends no credential.', type: 'null' },
  ],
};

function form(description: string, properties: Schema, required: readonly string[] = Object.keys(properties)): Schema {
  return { description, type: 'object', properties, required, additionalProperties: false };
}

function variable(description: string): Schema {
  return { description, type: 'string' };
}

function header(): Schema {
  return {
    header: { description: 'The name of the header.', type: 'string' },
    value_env: variable('Variable that holds the value.'),
    prefix: { description: 'Text before the value.', type: 'string' },
    user_env: variable('Variable that holds a user name, which goes before the value with a colon between them.'),
  };
}
