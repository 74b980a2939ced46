import {
  type Call,
  Ids,
  json,
  makeKit,
  type Reply,
  refuse,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';

export interface Note {
  readonly id: number;
  body: string;
  readonly author: string;
  readonly system: boolean;
  readonly created_at: string;
  updated_at: string;
}

export interface MergeRequest {
  readonly iid: number;
  state: 'opened' | 'closed' | 'locked' | 'merged';
  sha: string;
  readonly source_branch: string;
  /** `null` where the fork was deleted. */
  readonly source_project_id: number | null;
  updated_at: string;
  labels: readonly string[];
  draft: boolean;
  author: string;
  notes: Note[];
}

export interface GitlabState {
  mergeRequests: MergeRequest[];
  /** Earlier paths of the project, which lead to it. */
  earlier: string[];
}

/** What people do to merge requests of one project. */
export interface GitlabWorld {
  readonly state: GitlabState;
  /** Accounts behind the tokens. `job` reads alone, `person` is somebody of the team. */
  readonly accounts: { readonly bot: string; readonly person: string };
  readonly otherTokens: { readonly job: string; readonly person: string };
  open(
    iid: number,
    sha: string,
    o?: { readonly branch?: string; readonly sourceProject?: number | null; readonly by?: string },
  ): MergeRequest;
  push(iid: number, sha: string): void;
  label(iid: number, labels: readonly string[]): void;
  /** The project had another path. */
  hadPath(path: string): void;
  /** `locked` is the state while it is being merged. */
  set(iid: number, state: MergeRequest['state']): void;
  /** It is no longer shown to anybody. */
  hide(iid: number): void;
  /** Writes a note in the page, as a person of the team. */
  comment(iid: number, body: string): Note;
  notes(iid: number): readonly Note[];
}

const longestNote = 1_000_000;
const accounts = { bot: 'project_42_bot_4f1d9a', person: 'ann' };
const otherTokens = { job: 'glcbt-64_simulated-job-token', person: 'glpat-simulated-person-token' };

/**
 * Merge requests and their notes in one project, REST v4: https://docs.gitlab.com/api/merge_requests/ and
 * https://docs.gitlab.com/api/notes/. A project access token acts as a bot of its own; a job token reads merge requests and notes, and
 * nothing else (https://docs.gitlab.com/ci/jobs/ci_job_token/#job-token-access). What a token may not see is 404.
 */
export function gitlab(options: SimulationOptions & { readonly project?: number; readonly path?: string } = {}): Simulation<GitlabWorld> {
  const kit = makeKit('gitlab', options);
  const { project = 42, path = 'acme/shop' } = options;
  const ids = new Ids('gitlab');
  const now = (): string => new Date(kit.clock.now()).toISOString();
  const note = (author: string, body: string, system = false): Note => {
    const at = now();
    return { id: ids.next(), body, author, system, created_at: at, updated_at: at };
  };
  const mustBeHere = (id: string): void => {
    if (id !== String(project) && id.toLowerCase() !== path) throw refuse(404, { message: '404 Project Not Found' });
  };
  const find = (call: Call<GitlabState, { readonly id: string; readonly iid: string }>): MergeRequest => {
    mustBeHere(call.params.id);
    const found = call.state.mergeRequests.find(({ iid }) => String(iid) === call.params.iid);
    if (!found) throw refuse(404, { message: '404 Not found' });
    return found;
  };
  const shownNote = (mine: MergeRequest, { author, ...facts }: Note): object => ({
    ...facts,
    attachment: null,
    author: person(author),
    noteable_id: 900 + mine.iid,
    noteable_type: 'MergeRequest',
    project_id: project,
    noteable_iid: mine.iid,
    resolvable: false,
    confidential: false,
    internal: false,
    imported: false,
    imported_from: 'none',
  });
  const shown = (mine: MergeRequest): object => {
    const { notes, ...facts } = mine;
    return {
      ...facts,
      id: 900 + mine.iid,
      project_id: project,
      target_project_id: project,
      title: `Merge request ${mine.iid}`,
      description: '',
      target_branch: 'main',
      user_notes_count: notes.filter(({ system }) => !system).length,
      author: person(mine.author),
      merge_commit_sha: null,
      references: { short: `!${mine.iid}`, relative: `!${mine.iid}`, full: `${path}!${mine.iid}` },
      web_url: `https://gitlab.com/${path}/-/merge_requests/${mine.iid}`,
    };
  };
  const authorOf = (credential: string): string => (credential === otherTokens.person ? accounts.person : accounts.bot);
  const ownNote = (mine: MergeRequest, id: string, credential: string): Note => {
    const found = mine.notes.find((one) => String(one.id) === id);
    if (!found) throw refuse(404, { message: '404 Not found' });
    if (found.author !== authorOf(credential)) throw refuse(403, { message: '403 Forbidden' });
    return found;
  };
  const notesPath = '/api/v4/projects/{id}/merge_requests/{iid}/notes';

  return simulate<GitlabState, GitlabWorld>(kit, {
    name: 'gitlab',
    undescribed: 'the description that its vendor publishes is not among the contracts: the simulation follows its pages',
    origin: 'https://gitlab.com',
    basePath: '/api/v4',
    state: { mergeRequests: [], earlier: [] },
    blind: () => ({ mergeRequests: [], earlier: [] }),
    world: (state) => {
      const change = (iid: number, how: Partial<MergeRequest>): void => {
        const found = state.mergeRequests.find((one) => one.iid === iid);
        if (!found) throw new Error(`no merge request ${iid}`);
        Object.assign(found, how, { updated_at: now() });
      };
      const notesOf = (iid: number): Note[] => state.mergeRequests.find((one) => one.iid === iid)?.notes ?? [];
      return {
        state,
        accounts,
        otherTokens,
        open: (iid, sha, { branch = 'feature', sourceProject = project, by = accounts.person } = {}) => {
          const made: MergeRequest = {
            iid,
            state: 'opened',
            sha,
            source_branch: branch,
            source_project_id: sourceProject,
            updated_at: now(),
            labels: [],
            draft: false,
            author: by,
            notes: [note(accounts.person, 'assigned to @ann', true)],
          };
          state.mergeRequests.push(made);
          return made;
        },
        push: (iid, sha) => change(iid, { sha }),
        hadPath: (earlier) => void state.earlier.push(earlier),
        label: (iid, labels) => change(iid, { labels }),
        set: (iid, next) => change(iid, { state: next }),
        hide: (iid) => {
          state.mergeRequests = state.mergeRequests.filter((one) => one.iid !== iid);
        },
        comment: (iid, body) => {
          const made = note(accounts.person, body);
          notesOf(iid).push(made);
          return made;
        },
        notes: (iid) => notesOf(iid).filter(({ system }) => !system),
      };
    },
    tokens: kit.tokens,
    secretHeaders: ['private-token', 'job-token'],
    credential: ({ headers }) =>
      headers.get('private-token') ?? headers.get('job-token') ?? /^bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null,
    tokenOf: (given, { headers, path: asked, method }) => {
      if (given === otherTokens.person) return kit.tokens.full;
      if (given !== otherTokens.job) return given;
      const mayRead = method === 'GET' && /\/merge_requests(\/\d+(\/notes(\/\d+)?)?)?$/.test(asked);
      return headers.has('job-token') && mayRead ? kit.tokens.readOnly : null;
    },
    refuseCredential: (_, why): Reply => {
      if (why !== 'read-only') return json(401, { message: '401 Unauthorized' });
      const error_description = 'The request requires higher privileges than provided by the access token.';
      return json(403, { error: 'insufficient_scope', error_description, scope: 'api' });
    },
    routes: [
      route('GET', '/api/v4/user', ({ credential }) =>
        json(200, { ...person(authorOf(credential)), bot: credential !== otherTokens.person }),
      ),
      route('GET', '/api/v4/projects/{id}/merge_requests', (call) => {
        mustBeHere(call.params.id);
        const { query } = call;
        const state = query.get('state') ?? 'all';
        const of = call.state.mergeRequests.filter((one) => state === 'all' || one.state === state);
        const { part, headers } = paged(query.get('sort') === 'asc' ? of : of.toReversed(), query);
        return { ...json(200, part.map(shown)), headers: { ...headers, ...linked(call.path, query, headers) } };
      }),
      route('GET', '/api/v4/projects/{id}/merge_requests/{iid}', (call) => {
        const { id, iid } = call.params;
        if (!call.state.earlier.includes(id)) return json(200, shown(find(call)));
        // https://docs.gitlab.com/api/rest/#redirects
        const location = `https://gitlab.com/api/v4/projects/${project}/merge_requests/${iid}`;
        const reply = json(301, { message: 'Moved Permanently' });
        return { ...reply, headers: { ...reply.headers, location } };
      }),
      route('GET', notesPath, (call) => {
        const mine = find(call);
        const sorted = call.query.get('sort') === 'asc' ? mine.notes : mine.notes.toReversed();
        const { part, headers } = paged(sorted, call.query);
        const { status, body } = json(
          200,
          part.map((one) => shownNote(mine, one)),
        );
        return { status, body, headers };
      }),
      route('POST', notesPath, (call) => {
        const mine = find(call);
        const made = note(authorOf(call.credential), bodyOf(call.body));
        mine.notes.push(made);
        return json(201, shownNote(mine, made));
      }),
      route('PUT', '/api/v4/projects/{id}/merge_requests/{iid}/notes/{note}', (call) => {
        const mine = find(call);
        const found = ownNote(mine, call.params.note, call.credential);
        return json(200, shownNote(mine, Object.assign(found, { body: bodyOf(call.body), updated_at: now() })));
      }),
      route('DELETE', '/api/v4/projects/{id}/merge_requests/{iid}/notes/{note}', (call) => {
        const mine = find(call);
        const found = ownNote(mine, call.params.note, call.credential);
        mine.notes = mine.notes.filter((one) => one !== found);
        return { status: 204 };
      }),
    ],
  });
}

const person = (username: string): object => ({ id: username.length, username, name: username, state: 'active', locked: false });

function bodyOf(given: unknown): string {
  const body = typeof given === 'object' && given !== null && 'body' in given ? given.body : undefined;
  if (typeof body !== 'string') throw refuse(400, { error: 'body is missing' });
  if (body.trim() === '') throw refuse(400, { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' });
  if ([...body].length > longestNote) throw refuse(400, { message: { note: ['is too long (maximum is 1000000 characters)'] } });
  return body;
}

/** The next page of a list, as a header names it: https://docs.gitlab.com/api/rest/#pagination-link-header. */
function linked(path: string, asked: URLSearchParams, { 'x-next-page': next = '' }: Record<string, string>): Record<string, string> {
  if (next === '') return {};
  const query = new URLSearchParams(asked);
  query.set('page', next);
  return { link: `<https://gitlab.com${path}?${query}>; rel="next"` };
}

/** Twenty a page unless told, a hundred at most: https://docs.gitlab.com/api/rest/#offset-based-pagination. */
function paged<T>(all: readonly T[], query: URLSearchParams): { readonly part: readonly T[]; readonly headers: Record<string, string> } {
  const page = Math.max(1, Number(query.get('page') ?? 1));
  const size = Math.min(100, Math.max(1, Number(query.get('per_page') ?? 20)));
  const pages = Math.max(1, Math.ceil(all.length / size));
  const headers = {
    'x-page': String(page),
    'x-per-page': String(size),
    'x-next-page': page < pages ? String(page + 1) : '',
    'x-prev-page': page > 1 ? String(page - 1) : '',
    'x-total': String(all.length),
    'x-total-pages': String(pages),
  };
  return { part: all.slice((page - 1) * size, page * size), headers };
}
