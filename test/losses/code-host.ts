import { account, numberOf, type Place } from '../action/payload-parts.ts';
import { pullPart } from '../action/payload-pull.ts';
import type { Said } from '../crash/simulate/exchange.ts';
import type { Pull, Repository } from './repository.ts';

/** Midnight of the day on which every history begins. */
export const epoch = Date.UTC(2026, 10, 21);
export const instant = (ms: number): string => new Date(epoch + Math.floor(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z');

export const placeOf = ({ shop }: Repository): Place => ({
  server: 'https://github.com',
  api: 'https://api.github.com',
  repository: shop.slug,
});

/** A pull request, in an answer and in the payload of an event. */
export const shownPull = (repository: Repository, pull: Pull): object => ({
  ...pullPart(placeOf(repository), { ...pull, updatedAt: instant(pull.updatedAt) }),
  draft: pull.isDraft,
  labels: pull.labels.map((name) => ({
    id: numberOf(name),
    node_id: `LA_${numberOf(name)}`,
    name,
    color: 'ededed',
    default: false,
    description: null,
  })),
  mergeable: !pull.isConflicted,
  mergeable_state: pull.isConflicted ? 'dirty' : 'clean',
});

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

const missing: Said = { status: 404, body: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' } };

type Door = (repository: Repository, given: readonly string[], asked: Asked, now: number) => Said;

/**
 * The code host's answers to a job, after its REST description (2022-11-28). `null` for a request that the host does not have, which no run
 * may send.
 */
export function answerOf(repository: Repository, asked: Asked, now: number): Said | null {
  const date = { date: new Date(epoch + now).toUTCString() };
  if (now < repository.limitedUntil) {
    const limit = {
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Math.ceil((epoch + repository.limitedUntil) / 1000)),
    };
    return { status: 403, body: { message: 'API rate limit exceeded for installation.' }, headers: { ...date, ...limit } };
  }
  const [, slug, rest = ''] = /^\/repos\/([^/]+\/[^/]+)(\/.*)$/.exec(asked.path) ?? [];
  if (slug !== repository.shop.slug) return null;
  for (const [method, path, door] of doors) {
    const found = asked.method === method ? path.exec(rest) : null;
    if (!found) continue;
    const said = door(repository, found.slice(1).map(decodeURIComponent), asked, now);
    return { ...said, headers: { ...said.headers, ...date } };
  }
  return null;
}

const doors: readonly (readonly [method: string, path: RegExp, door: Door])[] = [
  [
    'GET',
    /^\/pulls$/,
    (repository, _given, asked) => {
      const state = asked.query.get('state') ?? 'open';
      const base = asked.query.get('base');
      const found = [...repository.pulls.values()].filter((pull) => state === 'all' || pull.state === state);
      const by = asked.query.get('sort') === 'updated' ? (pull: Pull) => pull.updatedAt : (pull: Pull) => pull.number;
      const way = (asked.query.get('direction') ?? (asked.query.has('sort') ? 'asc' : 'desc')) === 'asc' ? 1 : -1;
      found.sort((a, b) => way * (by(a) - by(b)));
      return paged(
        asked,
        (base === null || base === 'main' ? found : []).map((pull) => shownPull(repository, pull)),
      );
    },
  ],
  [
    'GET',
    /^\/pulls\/(\d+)$/,
    (repository, [number]) => onPull(repository, number, (pull) => ({ status: 200, body: shownPull(repository, pull) })),
  ],
  [
    'GET',
    /^\/pulls\/(\d+)\/files$/,
    (repository, [number], asked) =>
      onPull(repository, number, () =>
        paged(asked, [{ sha: '3'.repeat(40), filename: 'release.plan.yaml', status: 'modified', additions: 1, deletions: 0, changes: 1 }]),
      ),
  ],
  [
    'GET',
    /^\/commits\/([0-9a-f]+)\/pulls$/,
    (repository, [sha = ''], asked) =>
      paged(
        asked,
        [...repository.pulls.values()].filter((pull) => repository.has(pull, sha)).map((pull) => shownPull(repository, pull)),
      ),
  ],
  [
    'GET',
    /^\/issues\/(\d+)\/comments$/,
    (repository, [number], asked) =>
      onPull(repository, number, (pull) => paged(asked, repository.comments.filter((one) => one.pull === pull.number).map(shownComment))),
  ],
  [
    'POST',
    /^\/issues\/(\d+)\/comments$/,
    (repository, [number], asked, now) =>
      onPull(repository, number, (pull) => {
        const comment = { id: repository.comments.length + 1, pull: pull.number, body: bodyOf(asked) };
        repository.comments.push(comment);
        pull.updatedAt = now;
        return { status: 201, body: shownComment(comment) };
      }),
  ],
  [
    'PATCH',
    /^\/issues\/comments\/(\d+)$/,
    (repository, [id], asked) => {
      const comment = repository.comments.find((one) => one.id === Number(id));
      if (!comment) return missing;
      comment.body = bodyOf(asked);
      return { status: 200, body: shownComment(comment) };
    },
  ],
  [
    'DELETE',
    /^\/issues\/comments\/(\d+)$/,
    (repository, [id]) => {
      const at = repository.comments.findIndex((one) => one.id === Number(id));
      if (at < 0) return missing;
      repository.comments.splice(at, 1);
      return { status: 204, body: null };
    },
  ],
  [
    'POST',
    /^\/statuses\/([0-9a-f]{40})$/,
    (repository, [commit = ''], { body }) => {
      const { state } = body as { readonly state: string };
      repository.statuses.push({ commit, state });
      return { status: 201, body: { id: repository.statuses.length, state } };
    },
  ],
  [
    'GET',
    /^\/git\/ref\/heads\/(.+)$/,
    (repository, [branch = '']) => {
      const pull = [...repository.pulls.values()].findLast((one) => one.branch === branch && one.headRepository === repository.shop.slug);
      const sha = branch === 'main' ? repository.main : pull?.head;
      return sha === undefined ? missing : { status: 200, body: { ref: `refs/heads/${branch}`, object: { type: 'commit', sha } } };
    },
  ],
  [
    'GET',
    /^\/contents\/release\.plan\.yaml$/,
    (repository, _given, asked) => {
      const ref = asked.query.get('ref') ?? 'main';
      const sha = ref === 'main' ? repository.main : ref;
      const text = repository.commits.has(sha) ? repository.planAt(sha) : null;
      const file = {
        type: 'file',
        encoding: 'base64',
        path: 'release.plan.yaml',
        sha: '3'.repeat(40),
        content: Buffer.from(text ?? '').toString('base64'),
      };
      return text === null ? missing : { status: 200, body: file };
    },
  ],
  ['GET', /^\/activity$/, (_repository, _given, asked) => paged(asked, [])],
];

function paged({ query, path }: Asked, all: readonly object[]): Said {
  const size = Math.min(100, Number(query.get('per_page') ?? 30));
  const page = Number(query.get('page') ?? 1);
  const next = new URLSearchParams(query);
  next.set('page', String(page + 1));
  const link = { link: `<https://api.github.com${path}?${next}>; rel="next"` };
  return { status: 200, body: all.slice((page - 1) * size, page * size), ...(page * size < all.length && { headers: link }) };
}

function onPull(repository: Repository, number: string | undefined, answer: (pull: Pull) => Said): Said {
  const pull = repository.pulls.get(Number(number));
  return pull ? answer(pull) : missing;
}

const bodyOf = ({ body }: Asked): string => (body as { readonly body: string }).body;

const shownComment = ({ id, body }: { readonly id: number; readonly body: string }): object => ({
  id,
  body,
  user: account({ server: 'https://github.com', api: 'https://api.github.com' }, 'github-actions[bot]'),
});
