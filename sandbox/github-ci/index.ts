import { json, makeKit, type Simulation, type SimulationOptions, simulate } from '../kit/index.ts';
import { commentDoors } from './comments.ts';
import { door, failure, moved, page, placeOf, refusal, repositoryOf } from './doors.ts';
import { jobDoors } from './jobs.ts';
import { shownAccount, shownPull, shownWholePull } from './shown.ts';
import { type CiState, emptyRepository } from './state.ts';
import { statusDoors } from './statuses.ts';
import { type CiWorld, ciWorld } from './world.ts';

export type { CiWorld } from './world.ts';

/**
 * The code host as a job meets it (REST, version 2022-11-28): pull requests, comments, deployments, reviews, limits. Its own token is
 * `github-actions[bot]`'s, as a job's is; `world.tokenOf` gives those of people and other apps. What a token may not see is 404, like
 * what is not there.
 */
export function githubCi(options: SimulationOptions & { repository: string; origin?: string }): Simulation<CiWorld> {
  const { repository, origin = 'https://api.github.com' } = options;
  const kit = makeKit('github-ci', {
    ...options,
    tokens: {
      full: 'ghs_full0123456789abcdefABCDEF',
      readOnly: 'ghs_read0123456789abcdefABCDEF',
      blind: 'ghs_blind0123456789abcdefABCDE',
      ...options.tokens,
    },
  });
  const fresh = (): CiState => ({
    repositories: {},
    earlier: [],
    accounts: {},
    readsActions: false,
    writesStatuses: false,
    primary: { limit: 5000, left: 5000, resetAt: kit.clock.now() + 3_600_000 },
    secondary: null,
    lastId: 1_000,
  });
  const state: CiState = { ...fresh(), repositories: { [repository.toLowerCase()]: emptyRepository() } };

  return simulate<CiState, CiWorld>(kit, {
    name: 'github-ci',
    origin,
    state,
    blind: fresh,
    world: (live) => ciWorld(live, repository, kit.clock),
    tokens: kit.tokens,
    tokenOf: (credential, call) => (call.state.accounts[credential] ? kit.tokens.full : credential),
    credential: ({ headers }) => /^(?:bearer|token) (.+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null,
    refuseCredential: (_, why) =>
      why === 'read-only'
        ? failure(403, 'Resource not accessible by integration')
        : failure(401, why === 'wrong' ? 'Bad credentials' : 'Requires authentication'),
    routes: [
      ...statusDoors(origin),
      // The newest first, unless the query says otherwise.
      door('GET', '/repos/{owner}/{repo}/pulls', (call) => {
        const { query } = call;
        const [state, direction] = [query.get('state') ?? 'open', query.get('direction') ?? 'desc'];
        const of = repositoryOf(call).pulls.filter((pull) => state === 'all' || pull.state === state);
        return page(
          origin,
          call,
          (direction === 'asc' ? of : of.toReversed()).map((pull) => shownPull(placeOf(origin, call), pull)),
        );
      }),
      door('GET', '/repositories/{id}/pulls/{number}', (call) => {
        const { id, number } = call.params;
        const pull = call.state.repositories[repository.toLowerCase()]?.pulls.find((one) => String(one.number) === number);
        if (id !== '11' || !pull) throw refusal(404, 'Not Found');
        return json(200, shownWholePull({ origin, fullName: repository }, pull));
      }),
      door('GET', '/repos/{owner}/{repo}/pulls/{number}', (call) => {
        const { owner, repo, number } = call.params;
        if (call.state.earlier.includes(`${owner}/${repo}`.toLowerCase())) return moved(`${origin}/repositories/11/pulls/${number}`);
        const pull = repositoryOf(call).pulls.find(({ number }) => String(number) === call.params.number);
        if (!pull) throw refusal(404, 'Not Found');
        return json(200, shownWholePull(placeOf(origin, call), pull));
      }),
      door('GET', '/repos/{owner}/{repo}/pulls/{number}/files', (call) => {
        const pull = repositoryOf(call).pulls.find(({ number }) => String(number) === call.params.number);
        if (!pull) throw refusal(404, 'Not Found');
        // The host lists 3,000 files at most.
        const listed = pull.files.slice(0, 3_000);
        const { fullName } = placeOf(origin, call);
        const at = (path: string): string => `${origin}/repos/${fullName}/contents/${encodeURIComponent(path)}?ref=${pull.head}`;
        const counts = { additions: 1, deletions: 0, changes: 1 };
        const links = (path: string) => ({ blob_url: at(path), raw_url: at(path), contents_url: at(path) });
        const sha = '0'.repeat(40);
        return page(
          origin,
          call,
          listed.map((filename) => ({ sha, filename, status: 'modified', ...counts, ...links(filename), patch: '@@' })),
        );
      }),
      door('GET', '/repos/{owner}/{repo}/git/ref/heads/{branch}', (call) => {
        const { branch } = call.params;
        const sha = repositoryOf(call).heads[branch];
        if (sha === undefined) throw refusal(404, 'Not Found');
        const { fullName } = placeOf(origin, call);
        const url = `${origin}/repos/${fullName}/git`;
        const object = { type: 'commit', sha, url: `${url}/commits/${sha}` };
        return json(200, { ref: `refs/heads/${branch}`, node_id: `REF_${branch}`, url: `${url}/refs/heads/${branch}`, object });
      }),
      // The page promises the open and the merged ones; closed ones are listed too, so nobody may count on their absence.
      door('GET', '/repos/{owner}/{repo}/commits/{sha}/pulls', (call) => {
        const { pulls, isEmpty } = repositoryOf(call);
        if (isEmpty) throw refusal(409, 'Git Repository is empty.');
        const of = pulls.filter(({ commits }) => commits.includes(call.params.sha));
        return page(
          origin,
          call,
          of.map((pull) => shownPull(placeOf(origin, call), pull)),
        );
      }),
      // The newest first. A reference is taken short or whole.
      door('GET', '/repos/{owner}/{repo}/activity', (call) => {
        const { query } = call;
        const [ref, type] = [query.get('ref'), query.get('activity_type')];
        const of = repositoryOf(call).activities.filter(
          (one) => (ref === null || one.ref === ref || one.ref === `refs/heads/${ref}`) && (type === null || one.type === type),
        );
        return page(
          origin,
          call,
          of.reverse().map((one) => ({
            id: one.id,
            node_id: `PSH_${one.id}`,
            before: one.before,
            after: one.after,
            ref: one.ref,
            timestamp: one.at,
            activity_type: one.type,
            actor: shownAccount(origin, one.actor),
          })),
        );
      }),
      ...commentDoors(origin),
      ...jobDoors(origin),
    ],
  });
}
