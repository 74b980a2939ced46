import { json, refuse, Unreadable } from '../kit/index.ts';
import { isMap } from '../kit/json.ts';
import type { Route } from '../kit/router.ts';
import { door, refusal, repositoryOf } from './doors.ts';
import { shownAccount } from './shown.ts';
import { type CiState, type CommitStatus, nextId, timeOf } from './state.ts';

const states = ['error', 'failure', 'pending', 'success'];
/** One commit and context take so many. */
const mostStatuses = 1_000;

/** https://docs.github.com/en/rest/commits/statuses: nothing changes or removes a status, and the newest of a context stands. */
export const statusDoors = (origin: string): readonly Route<CiState>[] => [
  door('POST', '/repos/{owner}/{repo}/statuses/{sha}', (call) => {
    const repository = repositoryOf(call);
    if (!call.state.writesStatuses && call.by.type === 'Bot') throw refusal(403, 'Resource not accessible by integration');
    const { sha } = call.params;
    const { body } = call;
    if (body instanceof Unreadable || !isMap(body)) throw refusal(400, 'Problems parsing JSON');
    const { state, context = 'default', description = null, target_url = null } = body;
    const invalid = (message: string): Error =>
      refuse(422, { message: 'Validation Failed', errors: [{ resource: 'Status', code: 'custom', message }], documentation_url: origin });
    if (!/^[0-9a-f]{40}$/.test(sha)) throw refuse(422, { message: `No commit found for SHA: ${sha}`, documentation_url: origin });
    if (typeof state !== 'string' || !states.includes(state)) throw invalid('state is not included in the list');
    if (typeof context !== 'string' || (description !== null && (typeof description !== 'string' || description.length > 140)))
      throw invalid('description is too long (maximum is 140 characters)');
    if (target_url !== null && !/^https?:\/\//.test(String(target_url))) throw invalid('target_url must use http(s) scheme');
    const same = repository.statuses.filter((one) => one.sha === sha && one.context.toLowerCase() === context.toLowerCase());
    if (same.length >= mostStatuses) throw invalid(`This SHA and context has reached the maximum number of statuses.`);
    const status: CommitStatus = {
      id: nextId(call.state),
      sha,
      state: state as CommitStatus['state'],
      context,
      description,
      target_url: target_url === null ? null : String(target_url),
      creator: call.by,
      at: timeOf(call.now),
    };
    repository.statuses.push(status);
    const url = `${origin}/repos/${call.params.owner}/${call.params.repo}/statuses/${sha}`;
    const { id, creator, at } = status;
    return json(
      201,
      {
        url,
        avatar_url: null,
        id,
        node_id: `SC_${id}`,
        state,
        description,
        target_url,
        context,
        created_at: at,
        updated_at: at,
        creator: shownAccount(origin, creator),
      },
      { location: url },
    );
  }),
];
