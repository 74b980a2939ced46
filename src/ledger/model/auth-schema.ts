import { z } from 'zod';
import { once } from '../../core/once.ts';

/** The form of a credential as the ledger keeps it: by names of variables, never by values. */
export const authSchema = once(() => {
  const base = z.url({ protocol: /^https?$/ });
  const header = z.looseObject({
    header: z.string(),
    value_env: z.string(),
    prefix: z.string().optional(),
    user_env: z.string().optional(),
  });
  return z.union([
    z.looseObject({ bearer_env: z.string() }),
    header,
    z.looseObject({ headers: z.array(header) }),
    z.looseObject({
      basic: z.looseObject({
        user_env: z.string().optional(),
        user: z.string().optional(),
        password_env: z.string().optional(),
        password: z.string().optional(),
      }),
    }),
    z.looseObject({
      oauth_client_credentials: z.looseObject({
        client_id_env: z.string(),
        client_secret_env: z.string(),
        token_url: base.optional(),
        token_path: z.string().startsWith('/').optional(),
        audience: z.string().optional(),
        audience_path: z.string().startsWith('/').optional(),
        audience_env: z.string().optional(),
        resource: z.string().optional(),
        scope: z.string().optional(),
        token_url_env: z.string().optional(),
      }),
    }),
    z.looseObject({ aws_v4: z.looseObject({ access_key_id_env: z.string(), secret_access_key_env: z.string(), service: z.string() }) }),
    z.looseObject({ command: z.array(z.string()).min(1) }),
    z.looseObject({ digest: z.looseObject({ user_env: z.string(), password_env: z.string() }) }),
  ]);
});
