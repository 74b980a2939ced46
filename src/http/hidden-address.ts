import { Failure } from '../core/errors.ts';
import { saltFor } from '../core/fingerprint.ts';
import { isOrdinary } from '../core/ordinary.ts';
import type { Redactor } from '../core/redact.ts';
import { slowHashNow } from '../core/slow-hash.ts';
import type { ProviderBlock } from './types.ts';

/*
 * The address of a webhook may be the credential: anybody who knows its path may post. Where a variable gives such an address, a run knows
 * the API by its origin, the variable's name and a slow fingerprint: `https://hooks.example.com/~HOOK_URL~1f9c…`. Identities, records,
 * locks and keys hold that form. Each request reads the address itself from the variable.
 */

/** The known form of an address from a variable. An address whose path is the provider's own, or tells nothing, stays as it is. */
export function knownAddress(variable: string, address: string, stated: string | null | undefined): string {
  const url = URL.parse(address);
  if (url === null || isOpen(url.pathname, URL.parse(stated ?? '')?.pathname ?? '/')) return address;
  return `${url.origin}/~${variable}~${slowHashNow(address, saltFor('address', variable), tagBytes)}`;
}

/** The address of a block's requests. The redactor knows it before its first use. Throws where the variable holds another address now. */
export function addressOf(
  block: Pick<ProviderBlock, 'api' | 'base_url' | 'base_url_env'>,
  env: NodeJS.ProcessEnv,
  redactor: Redactor,
): string {
  const { base_url: known, base_url_env: variable } = block;
  if (!isHidden(known)) return known;
  const address = variable === undefined ? '' : (env[variable] ?? '').replace(/\/+$/, '');
  if (variable === undefined || address === '') {
    throw new Failure('PROVIDER_INVALID', {
      detail: `${variable ?? 'A variable'} is not set. It holds the address of ${block.api}, and the ledger keeps only the origin of that address, ${originOf(known)}.`,
      fix: `Set ${variable ?? 'it'} to that address.`,
    });
  }
  for (const secret of secretsIn(address)) redactor.addIfLong(secret);
  if (knownAddress(variable, address, null) === known) return address;
  throw new Failure('PROVIDER_INVALID', {
    detail: `${variable} now holds another address than when the object was made (${originOf(known)}).`,
    fix: `Set ${variable} to the earlier address.`,
  });
}

export const isHidden = (address: string): boolean => /^https?:\/\/[^/]+\/~[A-Za-z_][A-Za-z0-9_]*~[0-9a-f]+$/.test(address);

/** A path of words and versions belongs to an API or to a proxy before it: `/client/v4`, `/neon/api/v2`. */
const isOpen = (path: string, own: string): boolean =>
  path.replace(/\/+$/, '') === own.replace(/\/+$/, '') ||
  path.split('/').every((part) => /^(?:[a-z]{0,14}(?:_[a-z]{1,14})?|v?\d{1,2}(?:\.\d+)?)$/.test(part));

/** The path, and each of its parts that is no word. */
function secretsIn(address: string): readonly string[] {
  const { pathname } = new URL(address);
  return [pathname, ...pathname.split('/').filter((part) => !isOrdinary(part))].filter((text) => !isOrdinary(text));
}

const originOf = (address: string): string => URL.parse(address)?.origin ?? 'unknown';

/** Bytes that suffice to notice another address, and are too few to guess one. */
const tagBytes = 6;
