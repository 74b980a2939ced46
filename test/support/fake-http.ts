import { HttpFailure } from '../../src/http/failure.ts';
import type { Answer, Http, ProviderBlock, RequestSpec, SendOptions } from '../../src/http/types.ts';

export interface Sent {
  readonly request: RequestSpec;
  readonly options: SendOptions;
}

export interface Reply {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
}

export const block: ProviderBlock = { api: 'acme', base_url: 'https://api.acme.test', auth: { bearer_env: 'ACME_TOKEN' } };

/** One API in memory: `answer` plays the provider, `sent` keeps what was asked. Statuses become failures as the client makes them. */
export function fakeHttp(
  answer: (request: RequestSpec, sent: readonly Sent[]) => Reply,
): Http & { readonly sent: Sent[]; lines(): string[] } {
  const sent: Sent[] = [];
  return {
    block,
    sent,
    lines: () => sent.map(({ request }) => showSent(request)),
    async send(request, options) {
      sent.push({ request, options });
      const { status = 200, body = null, headers = {} } = answer(request, sent);
      if ((status >= 200 && status < 300) || options.accept?.includes(status)) return { status, headers, body } satisfies Answer;
      const code = codes[status] ?? 'PROVIDER_INVALID';
      const facts = { status, body, unanswered: false, repeatable: false, retryAfter: null, repeat: 'never' } as const;
      throw new HttpFailure(code, { detail: `acme answered ${status} to ${request.method} ${request.path}.` }, facts);
    },
  };
}

/** `GET /things?limit=2` */
export function showSent(request: RequestSpec): string {
  const query = Object.entries(request.query ?? {}).map(([name, value]) => `${name}=${String(value)}`);
  return `${request.method} ${request.path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

const codes: { readonly [status: number]: 'PROVIDER_AUTH' | 'PROVIDER_NOT_FOUND' | 'PROVIDER_CONFLICT' } = {
  401: 'PROVIDER_AUTH',
  403: 'PROVIDER_AUTH',
  404: 'PROVIDER_NOT_FOUND',
  410: 'PROVIDER_NOT_FOUND',
  409: 'PROVIDER_CONFLICT',
};
