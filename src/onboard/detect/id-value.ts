import { isCredential } from '../../plan/secret-names.ts';

/** What examples and templates have where a person has to write their own. */
const placeholder =
  /^(?:.*[<>{}].*|\$\w+|\.{3}|x{3,}|todo|tbd|none|null|undefined|changeme|change[-_]me|replace[-_]?me.*|placeholder|example|sample|insert[-_].*|(?:your|my)[-_ ](?:\w+[-_ ])*(?:id|name|project|site|app|org|account|key|team|slug|ref|here)|0+(?:-0+)*)$/i;

/** Forms of providers' tokens, beside those that a plan refuses. */
const token =
  /^(?:eyJ[\w-]{10,}\.|(?:sk-|rk_|re_|pscale_|sbp_|sb_secret_|napi_|nfp_|rnd_|HRKU-|dp\.|dop_v1_|npm_|lin_api_|secret_|ntn_|phx_|xau_|FlyV1|fo1_)\S{12,}|(?:api|sdk|mob)-[\da-f]{8}-)/;

/** What stands in a file as the id of something, where it is a short text or a number that somebody has filled in and no credential. */
export function idOf(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (text === '' || text.length > 200 || /[\p{Cc}\s]/u.test(text)) return null;
  return placeholder.test(text) || isCredential(text) || token.test(text) ? null : text;
}
