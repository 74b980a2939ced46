import { isMap } from '../kit/json.ts';
import { invalid } from './refusals.ts';

export interface HookConfig {
  readonly url: string;
  readonly content_type: string;
  readonly insecure_ssl: string;
  /** Write-only: reads show asterisks. */
  readonly secret?: string;
}

/** A configuration as it is kept: every member is a text. */
export function configOf(value: unknown): HookConfig {
  const { url, content_type: type = 'form', insecure_ssl: ssl = '0', secret } = isMap(value) ? value : {};
  if (typeof url !== 'string' || !/^https?:\/\/[^/]+/.test(url) || !URL.canParse(url)) {
    throw invalid('url', 'custom', 'Config must contain URL for webhooks');
  }
  if (type !== 'json' && type !== 'form') throw invalid('content_type', 'invalid', 'Content type must be json or form');
  const checked = typeof ssl === 'boolean' ? Number(ssl) : ssl;
  if (!['0', '1'].includes(String(checked))) throw invalid('insecure_ssl', 'invalid', 'Insecure ssl must be 0 or 1');
  return { content_type: type, insecure_ssl: String(checked), url, ...(typeof secret === 'string' && secret !== '' && { secret }) };
}

export const masked = (config: HookConfig): HookConfig => ({ ...config, ...(config.secret !== undefined && { secret: '********' }) });
