import { Failure, type Place } from '../../core/errors.ts';
import { isMap } from '../../core/json.ts';
import { checkCredentials } from '../../http/auth/check.ts';
import { withoutSecret } from '../../http/auth/variables.ts';
import type { AuthForm, ProviderBlock } from '../../http/types.ts';
import type { Registry } from '../../ops/registry.ts';
import type { Setup } from '../../ops/setup.ts';
import type { Problems } from '../../plan/problems.ts';
import { Composed, type Expr, FromRef, isLiteral, KeepRef, SecretRef } from '../../plan/types.ts';
import { checkSecret } from '../../secrets/index.ts';
import type { PreparedLine } from '../types.ts';

/** Secret references that cannot resolve, as far as it shows without a request: unknown sources, unset variables. */
export function checkSecrets(refs: readonly SecretRef[], registry: Registry, env: NodeJS.ProcessEnv, problems: Problems): void {
  for (const { reference, place } of refs) {
    const failure = checkSecret(registry, reference, env);
    if (failure) problems.take(new Failure(failure.code, { detail: failure.detail, fix: failure.fix, place }));
  }
}

/** Every secret that a line holds, its own credential included. */
export const secretsOf = ({ params, credential }: PreparedLine): readonly SecretRef[] => [
  ...secretRefs(params),
  ...(credential instanceof SecretRef ? [credential] : []),
];

/** A line, and what its provider says of the credential that it takes. */
interface Access {
  readonly prepared: PreparedLine;
  readonly setup: Setup | undefined;
}

/** Credentials of the blocks that the lines use: missing variables, live keys that are refused, a line's own that cannot be sent. */
export function checkLineCredentials(lines: readonly Access[], env: NodeJS.ProcessEnv, problems: Problems): void {
  const seen = new Set<string>();
  for (const { prepared, setup } of lines) {
    const { block, line, credential } = prepared;
    const { auth } = block;
    if (credential !== null && !isReplaceable(auth)) {
      problems.add('PLAN_INVALID', {
        detail: `${line.id} has a credential of its own, and ${block.api || 'its API'} ${auth === null ? 'sends none that it could replace' : 'does not send one single value that it could replace'}.`,
        fix: 'Remove `credential`, or use an API block whose `auth` sends one value.',
        place: line.placeOf(['credential']),
      });
      continue;
    }
    const needed: ProviderBlock = credential === null ? block : { ...block, auth: withoutSecret(auth) };
    const key = JSON.stringify([needed.api, needed.base_url, needed.auth, needed.session_token_env ?? null]);
    if (seen.has(key)) continue;
    seen.add(key);
    problems.take(...checkCredentials(needed, env).map((failure) => asked(failure, line.place, setup)));
  }
}

/** The first line that needs the credential, and where a person gets one. */
function asked({ code, detail, fix }: Failure, place: Place, setup: Setup | undefined): Failure {
  const how =
    setup === undefined || code !== 'CREDENTIAL_MISSING' ? '' : ` What it needs, and no more: ${setup.needs} It is made at ${setup.page}`;
  return new Failure(code, { detail, fix: `${fix}${how}`, place });
}

const isReplaceable = (auth: AuthForm | null): boolean =>
  auth !== null &&
  ('bearer_env' in auth ||
    'header' in auth ||
    'basic' in auth ||
    'command' in auth ||
    'oauth_client_credentials' in auth ||
    'digest' in auth ||
    ('headers' in auth && auth.headers.length === 1));

/** Every secret in a value. */
export function secretRefs(expr: Expr): readonly SecretRef[] {
  if (isLiteral(expr)) return none;
  if (expr instanceof SecretRef) return [expr];
  if (expr instanceof Composed) return expr.parts.filter((part) => part instanceof SecretRef);
  if (expr instanceof FromRef || expr instanceof KeepRef) return [];
  if (isList(expr)) return expr.flatMap(secretRefs);
  return isExprMap(expr) ? Object.values(expr).flatMap(secretRefs) : [];
}

const none: readonly never[] = [];
const isList = (value: Expr): value is readonly Expr[] => Array.isArray(value);
const isExprMap = (value: Expr): value is { readonly [name: string]: Expr } => isMap(value);
