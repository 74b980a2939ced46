import { hashJson } from '../../core/canonical.ts';
import { shellQuote } from '../../core/how-to-set.ts';
import { isMap } from '../../core/json.ts';
import { addressVariables, credentialVariables } from '../../http/auth/variables.ts';
import type { ProviderBlock } from '../../http/types.ts';
import type { Op } from '../../ops/op.ts';
import { resolveBlock } from '../../ops/provider.ts';
import type { Registry } from '../../ops/registry.ts';
import { Composed, type Expr, FromRef, SecretRef, sourceOf } from '../../plan/types.ts';
import { schemeOf } from '../../secrets/reference.ts';
import type { Exported } from '../exports/exported.ts';
import { credentialSource } from '../line/record.ts';
import type { PreparedLine } from '../types.ts';
import { secretRefs } from './access.ts';
import { originsOf } from './hosts.ts';

/** One thing that a plan asks to be trusted with: a credential at a host, a secret in a param, an address of its own. */
export interface Claim {
  /** Equal for equal claims, whatever line makes them. */
  readonly key: string;
  readonly line: PreparedLine;
  /** As a person reads it, after the line's name. */
  readonly says: string;
}

interface World {
  readonly env: NodeJS.ProcessEnv;
  readonly registry: Registry;
}

/**
 * The claims of a line: hosts, forms and names of credentials, commands, references of secrets. Bodies and paths are no claims, so a pull
 * request may change them. A provider's own host with its own credential needs nobody's approval, so it is no claim.
 */
export async function claimsOf(line: PreparedLine, world: World): Promise<readonly Claim[]> {
  const claims = [...addressClaims(line), ...secretClaims(line, world)];
  return (await isProvidersOwn(line, world)) ? claims : [apiClaim(line, world), ...claims];
}

const blockOf = ({ block, sends }: PreparedLine): ProviderBlock => sends?.block ?? block;

/** The members of a block that say where a credential comes from and where it goes. */
const trustOf = ({ base_url, auth, region, session_token_env, refuse_credential }: ProviderBlock): object => ({
  base_url,
  auth,
  region: region ?? null,
  session_token_env: session_token_env ?? null,
  refuse_credential: refuse_credential ?? null,
});

function apiClaim(line: PreparedLine, { env, registry }: World): Claim {
  const block = blockOf(line);
  const source = credentialSource(line);
  const addresses = addressVariables(block).map((name) => [name, env[name] ?? null]);
  const hosts = originsOf({ ...line, block, elsewhere: [], secrets: [] }, env, registry).join(' and ') || 'no host of its own';
  const own = typeof source === 'string' ? credentialText(block) : 'from' in source ? `the output ${source.from}` : source.secret;
  return { key: keyOf('api', trustOf(block), addresses, source), line, says: `sends ${own} to ${hosts}` };
}

function credentialText(block: ProviderBlock): string {
  const { auth } = block;
  if (auth !== null && 'command' in auth) return `what the command \`${auth.command.map(shellQuote).join(' ')}\` prints`;
  return credentialVariables(block).join(' and ') || 'requests without a credential';
}

/** Whether the line's block follows from its provider's defaults and the variables that override them. */
async function isProvidersOwn(line: PreparedLine, { env, registry }: World): Promise<boolean> {
  const { adapter, recipe, credential } = line;
  const block = blockOf(line);
  if (credential !== null) return false;
  if (block.base_url === '' && block.auth === null) return true;
  const names = adapter === 'http' ? [block.api, recipe?.split('.', 1)[0] ?? ''] : [adapter];
  for (const name of names) {
    const known = adapter === 'http' ? await registry.family(name) : await registry.adapter(name);
    if (known === null || known.isByHand) continue;
    // An incomplete default, such as the address of a tenant, is no provider's own.
    const own = attempt(() =>
      resolveBlock({ name: known.name, defaults: known.provider, entry: undefined, env, isApi: adapter === 'http' }),
    );
    if (own !== null && keyOf(trustOf(own)) === keyOf(trustOf(block))) return true;
  }
  return false;
}

function attempt<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}

/** Addresses that the line names itself. An address from another line is claimed by the name of that output. */
function addressClaims(line: PreparedLine): readonly Claim[] {
  const { op, params, sends } = line;
  if (sends !== null)
    return sends.elsewhere.map((address) => {
      const origin = URL.parse(address)?.origin ?? address;
      return { key: keyOf('address', origin), line, says: `sends to ${origin}` };
    });
  if (op.kind !== 'action' || line.block.base_url !== '') return [];
  const sources = leavesOf(params).flatMap(({ leaf }) => (leaf instanceof FromRef || leaf instanceof Composed ? [sourceOf(leaf)] : []));
  return [
    {
      key: keyOf('address', line.opName, line.recipe, templateByHand(op), sources),
      line,
      says: `sends to an address that ${sources.join(' and ')} gives`,
    },
  ];
}

/** A secret is trusted at one host, in one param of one operation. Elsewhere the readers of that object would read the secret. */
function secretClaims(line: PreparedLine, { env, registry }: World): readonly Claim[] {
  const { adapter, op, opName, recipe, params, sends } = line;
  return leavesOf(params).flatMap(({ leaf, at }) => {
    if (!(leaf instanceof SecretRef)) return [];
    const { reference } = leaf;
    const servers = serversOf(reference, { env, registry });
    const to = originsOf({ block: blockOf(line), elsewhere: sends?.elsewhere ?? [], secrets: [] }, {}, registry);
    const key = keyOf('secret', reference, servers, [adapter, opName, recipe, templateByHand(op), at], to);
    return [{ key, line, says: `puts the secret ${reference} into ${at}` }];
  });
}

/** A secret is trusted under one name. Under another one a command would do something else with it. */
export function exportClaims({ name, value }: Exported, { env, registry }: World): readonly Pick<Claim, 'key' | 'says'>[] {
  return secretRefs(value).map(({ reference }) => ({
    key: keyOf('export', name, reference, serversOf(reference, { env, registry })),
    says: `puts the secret ${reference} into the environment of the command`,
  }));
}

const serversOf = (reference: string, { env, registry }: World): readonly (string | null)[] =>
  (registry.secretSource(schemeOf(reference))?.addressEnv ?? []).map((name) => env[name] ?? null);

/** A recipe that is written by hand says itself what becomes of a param: it could put a secret where people read it. */
const templateByHand = ({ template, isByHand }: Op): object | null => (isByHand ? (template ?? null) : null);

function leavesOf(expr: Expr, at = ''): readonly { readonly leaf: Expr; readonly at: string }[] {
  if (expr instanceof Composed)
    return [{ leaf: expr, at }, ...expr.parts.flatMap((part) => (part instanceof SecretRef ? [{ leaf: part, at }] : []))];
  if (Array.isArray(expr)) return expr.flatMap((item: Expr) => leavesOf(item, `${at}[]`));
  if (isMap(expr)) return Object.entries(expr).flatMap(([name, item]) => leavesOf(item as Expr, at === '' ? name : `${at}.${name}`));
  return [{ leaf: expr, at }];
}

const keyOf = (...parts: readonly unknown[]): string => hashJson(parts);
