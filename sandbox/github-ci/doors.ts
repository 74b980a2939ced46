import { type Call, json, type Reply, type RouteOptions, refuse, route } from '../kit/index.ts';
import type { ParamsOf, Route } from '../kit/router.ts';
import type { Place } from './shown.ts';
import { type Account, bot, type CiState, type Repository, timeOf } from './state.ts';

export const docs = 'https://docs.github.com/rest';

/** A call with who makes it and where. */
export type CiCall<P> = Call<CiState, P> & { readonly by: Account };

/**
 * A door behind what every request meets: a user agent is asked for, and the limits of
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api hold. A request over the primary limit is 403 with
 * `x-ratelimit-remaining: 0`; over a secondary one, 403 or 429, with `retry-after` or with words alone.
 */
export function door<P extends string>(
  method: string,
  pattern: P,
  serve: (call: CiCall<ParamsOf<P>>) => Reply,
  options: RouteOptions = {},
): Route<CiState> {
  return route<CiState, P>(
    method,
    pattern,
    (call) => {
      if (!call.headers.get('user-agent')) throw refusal(403, 'Request forbidden by administrative rules.');
      const { state, now } = call;
      const { primary, secondary } = state;
      if (secondary !== null && now < secondary.until) {
        const seconds = Math.ceil((secondary.until - now) / 1000);
        const reply = failure(
          secondary.status,
          'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
        );
        const told: Reply['headers'] = secondary.how === 'retry-after' ? { 'retry-after': String(seconds) } : {};
        return { ...reply, headers: { ...rateHeaders(state), ...told } };
      }
      if (now >= primary.resetAt) Object.assign(primary, { left: primary.limit, resetAt: now + 3_600_000 });
      if (primary.left === 0) {
        return { ...failure(403, `API rate limit exceeded for installation ID 1. (${timeOf(now)})`), headers: rateHeaders(state) };
      }
      primary.left -= 1;
      const reply = serve({ ...call, by: state.accounts[call.credential] ?? bot });
      return { ...reply, headers: { ...rateHeaders(state), ...reply.headers } };
    },
    options,
  );
}

const rateHeaders = ({ primary }: CiState): NonNullable<Reply['headers']> => ({
  'x-ratelimit-limit': String(primary.limit),
  'x-ratelimit-remaining': String(primary.left),
  'x-ratelimit-used': String(primary.limit - primary.left),
  'x-ratelimit-reset': String(Math.ceil(primary.resetAt / 1000)),
  'x-ratelimit-resource': 'core',
});

export const failure = (status: number, message: string): Reply =>
  json(status, { message, documentation_url: docs, status: String(status) });

export const refusal = (status: number, message: string): Error => refuse(status, failure(status, message).body);

/** The answer under an earlier name: https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects. */
export const moved = (location: string): Reply => {
  const reply = json(301, { message: 'Moved Permanently', url: location, documentation_url: docs });
  return { ...reply, headers: { ...reply.headers, location } };
};

/** What a token of an app, such as a job's, is answered where it lacks the permission. */
export const notForApps = (): Error => refusal(403, 'Resource not accessible by integration');

interface Where {
  readonly params: { readonly owner: string; readonly repo: string };
  readonly state: CiState;
}

/** What a token may not see is 404, like what is not there. */
export function repositoryOf({ params, state }: Where): Repository {
  const found = state.repositories[`${params.owner}/${params.repo}`.toLowerCase()];
  if (!found) throw refusal(404, 'Not Found');
  return found;
}

export const placeOf = (origin: string, { params }: Pick<Where, 'params'>): Place => ({
  origin,
  fullName: `${params.owner}/${params.repo}`,
});

/** Pages of 30, at most 100; the next one is told by the Link header. */
export function page<P>(origin: string, call: Call<CiState, P>, all: readonly unknown[]): Reply {
  const asked = (name: string, otherwise: number): number => {
    const value = Number(call.query.get(name) ?? otherwise);
    return Number.isInteger(value) && value > 0 ? value : otherwise;
  };
  const size = Math.min(asked('per_page', 30), 100);
  const number = asked('page', 1);
  const last = Math.max(1, Math.ceil(all.length / size));
  const link = (to: number, rel: string): string => {
    const query = new URLSearchParams(call.query);
    query.set('page', String(to));
    return `<${origin}${call.path}?${query}>; rel="${rel}"`;
  };
  const links = [
    ...(number > 1 ? [link(number - 1, 'prev')] : []),
    ...(number < last ? [link(number + 1, 'next'), link(last, 'last')] : []),
    ...(number > 1 ? [link(1, 'first')] : []),
  ];
  return json(200, all.slice((number - 1) * size, number * size), links.length > 0 ? { link: links.join(', ') } : {});
}
