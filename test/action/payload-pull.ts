import { account, numberOf, type Place, repositoryPart } from './payload-parts.ts';

/** A pull request at the moment of an event. */
export interface PullThen {
  readonly number: number;
  readonly state: 'open' | 'closed';
  readonly head: string;
  readonly branch: string;
  /** Of a fork; the base repository otherwise, `null` where it was deleted. */
  readonly headRepository?: string | null;
  readonly base: string;
  /** `refs/pull/<number>/merge`. */
  readonly merge: string;
  readonly author?: string;
  readonly isMerged?: boolean;
  readonly labels?: readonly string[];
  readonly isDraft?: boolean;
  readonly updatedAt: string;
}

/** As the payload of an event tells of it. */
export function pullPart(place: Place, pull: PullThen): object {
  const { number, state, author = 'ann', isMerged = false, headRepository = place.repository } = pull;
  const url = `${place.api}/repos/${place.repository}/pulls/${number}`;
  const issue = `${place.api}/repos/${place.repository}/issues/${number}`;
  const page = `${place.server}/${place.repository}/pull/${number}`;
  const side = (repository: string | null, ref: string, sha: string): object => {
    const owner = repository?.split('/')[0] ?? 'unknown';
    const isFork = repository !== place.repository;
    return {
      label: `${owner}:${ref}`,
      ref,
      sha,
      user: account(place, owner),
      repo: repository === null ? null : repositoryPart(place, repository, { isFork }),
    };
  };
  const closedAt = state === 'closed' ? pull.updatedAt : null;
  return {
    url,
    id: numberOf(page),
    node_id: `PR_${number}`,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: issue,
    number,
    state,
    locked: false,
    title: `Pull request ${number}`,
    user: account(place, author),
    body: null,
    created_at: '2026-11-21T08:00:00Z',
    updated_at: pull.updatedAt,
    closed_at: closedAt,
    merged_at: isMerged ? closedAt : null,
    merge_commit_sha: pull.merge,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    labels: (pull.labels ?? []).map((name, i) => ({ id: i + 1, name, color: 'ededed', default: false, description: null })),
    milestone: null,
    draft: pull.isDraft ?? false,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${place.api}/repos/${place.repository}/pulls/comments{/number}`,
    comments_url: `${issue}/comments`,
    statuses_url: `${place.api}/repos/${place.repository}/statuses/${pull.head}`,
    head: side(headRepository, pull.branch, pull.head),
    base: side(place.repository, 'main', pull.base),
    _links: Object.fromEntries(
      [
        ['self', url],
        ['html', page],
        ['issue', issue],
        ['comments', `${issue}/comments`],
        ['review_comments', `${url}/comments`],
        ['review_comment', `${place.api}/repos/${place.repository}/pulls/comments{/number}`],
        ['commits', `${url}/commits`],
        ['statuses', `${place.api}/repos/${place.repository}/statuses/${pull.head}`],
      ].map(([name, href]) => [name, { href }]),
    ),
    author_association: 'MEMBER',
    auto_merge: null,
    active_lock_reason: null,
    merged: isMerged,
    mergeable: null,
    rebaseable: null,
    mergeable_state: 'unknown',
    merged_by: isMerged ? account(place, 'ann') : null,
    comments: 0,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: 1,
    additions: 1,
    deletions: 0,
    changed_files: 1,
  };
}
