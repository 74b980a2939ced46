import * as checks from './checks.ts';
import {
  bearerOf,
  type Call,
  empty,
  flawsOf,
  Ids,
  json,
  makeKit,
  type Reply,
  refuse,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

export interface Deploy {
  readonly id: string;
  environment: string;
  name: string | null;
  url: string | null;
  dateStarted: string | null;
  dateFinished: string;
}

/** A release as the provider stores it. */
export interface Release {
  readonly id: number;
  readonly version: string;
  projects: readonly string[];
  ref: string | null;
  url: string | null;
  dateReleased: string | null;
  readonly dateCreated: string;
  status: string;
  commitCount: number;
  deploys: Deploy[];
  /** What keeps it from being deleted. */
  heldBy: 'issues' | 'health data' | null;
}

export interface SentryState {
  /** By slug. */
  readonly organizations: Record<string, { readonly projects: string[]; releases: Release[] }>;
  /** Requests a window of `seconds` takes; `null`: any number. */
  limit: { readonly requests: number; readonly seconds: number } | null;
  readonly seen: { since: number; requests: number };
}

/** State, and what a person or the vendor's own tools do beside us. */
export interface SentryWorld {
  readonly state: SentryState;
  addOrganization(slug: string, projects: readonly string[]): void;
  /** Live, oldest first: changing one is a change from outside. */
  releases(organization: string): readonly Release[];
  addRelease(organization: string, release: Partial<Release> & Pick<Release, 'version'>): Release;
  removeRelease(organization: string, version: string): void;
}

const origin = 'https://us.sentry.io';
const emptyState = (): SentryState => ({ organizations: {}, limit: null, seen: { since: 0, requests: 0 } });

/**
 * Releases and deploys of an organization: https://docs.sentry.io/api/releases/. What the page leaves out: a deploy for a release
 * that does not exist answers 404 here, and a release that issues or health data refer to cannot be deleted (server source).
 */
export function sentry(options: SimulationOptions = {}): Simulation<SentryWorld> {
  const kit = makeKit('sentry', options);
  const ids = new Ids('sentry');
  const state = emptyState();
  const now = () => dateOf(new Date(kit.clock.now()));
  const newRelease = (given: Partial<Release> & Pick<Release, 'version'>): Release => ({
    id: 1_400_000_000 + ids.next(),
    projects: [],
    ref: null,
    url: null,
    dateReleased: null,
    dateCreated: now(),
    status: 'open',
    commitCount: 0,
    deploys: [],
    heldBy: null,
    ...given,
  });
  const releases = '/api/0/organizations/{organization}/releases/';
  const release = '/api/0/organizations/{organization}/releases/{version}/';

  return simulate<SentryState, SentryWorld>(kit, {
    name: 'sentry',
    origin,
    state,
    blind: emptyState,
    world: (live) => ({
      state: live,
      addOrganization: (slug, projects) => {
        live.organizations[slug] = { projects: [...projects], releases: [] };
      },
      releases: (organization) => live.organizations[organization]?.releases ?? [],
      addRelease: (organization, given) => {
        const found = live.organizations[organization];
        if (!found) throw new Error(`the world has no organization ${organization}`);
        const made = newRelease({ projects: found.projects.slice(0, 1), ...given });
        found.releases.push(made);
        return made;
      },
      removeRelease: (organization, version) => {
        const found = live.organizations[organization];
        if (found) found.releases = found.releases.filter((one) => one.version !== version);
      },
    }),
    tokens: kit.tokens,
    checks: checks.sentry,
    credential: bearerOf,
    refuseCredential: (_, why) => {
      if (why === 'read-only') return json(403, { detail: 'You do not have permission to perform this action.' });
      return json(401, { detail: why === 'wrong' ? 'Invalid token' : 'Authentication credentials were not provided.' });
    },
    routes: [
      route('GET', releases, (call) => {
        checkRate(call);
        return page(call, matching(call), (one) => shown(call, one));
      }),
      route('POST', releases, (call) => {
        checkRate(call);
        const organization = organizationOf(call);
        const body = bodyOf(call, releaseFields, ['version', 'projects']);
        const version = versionOf(body.version);
        const projects = projectsOf(call, body.projects);
        if (projects.length === 0) throw refuse(400, { projects: ['This list may not be empty.'] });
        const there = organization.releases.find((one) => one.version === version);
        if (there) {
          // Of an existing release the projects grow, and nothing else is taken from the body. 208 tells that it had all of them; where it
          // got one, the status is that of a new release (sentry/api/endpoints/organization_releases.py).
          const grown = [...new Set([...there.projects, ...projects])];
          const isNothingNew = grown.length === there.projects.length;
          there.projects = grown;
          return json(isNothingNew ? 208 : 201, shown(call, there));
        }
        const made = newRelease({ version, projects, ...settable(body), ...(typeof body.status === 'string' && { status: body.status }) });
        organization.releases.push(made);
        return json(201, shown(call, made));
      }),
      route('GET', release, (call) => {
        checkRate(call);
        return json(200, shown(call, releaseOf(call)));
      }),
      route('PUT', release, (call) => {
        checkRate(call);
        const found = releaseOf(call);
        Object.assign(found, settable(bodyOf(call, releaseFields, [])));
        return json(200, shown(call, found));
      }),
      route('DELETE', release, (call) => {
        checkRate(call);
        const found = releaseOf(call);
        if (found.heldBy) throw refuse(400, { detail: `This release is referenced by ${found.heldBy} and cannot be removed.` });
        const organization = organizationOf(call);
        organization.releases = organization.releases.filter((one) => one !== found);
        return empty(204);
      }),
      route('GET', `${release}deploys/`, (call) => {
        checkRate(call);
        // The last one of each environment alone (sentry/releases/endpoints/release_deploys.py).
        const last = new Map(releaseOf(call).deploys.map((one) => [one.environment, one]));
        return page(call, [...last.values()].reverse(), (one) => one);
      }),
      route('POST', `${release}deploys/`, (call) => {
        checkRate(call);
        const found = releaseOf(call);
        const body = bodyOf(call, deployFields, ['environment']);
        const { environment, name = null, url = null } = body;
        projectsOf(call, body.projects ?? []);
        const deploy: Deploy = {
          id: String(70_000_000 + ids.next()),
          environment: String(environment).trim(),
          name: name === null ? null : String(name).trim(),
          url: url === null ? null : String(url).trim(),
          dateStarted: dateIn(body, 'dateStarted') ?? null,
          dateFinished: dateIn(body, 'dateFinished') ?? now(),
        };
        found.deploys.push(deploy);
        return json(201, deploy);
      }),
    ],
  });
}

type ReleaseCall = Call<SentryState, { readonly organization: string; readonly version?: string }>;

const missing = () => refuse(404, { detail: 'The requested resource does not exist' });

/** Too many requests in one window: 429, with the window in the headers. */
function checkRate({ state, now }: ReleaseCall): void {
  const { limit, seen } = state;
  if (!limit) return;
  if (now - seen.since >= limit.seconds * 1000) Object.assign(seen, { since: now, requests: 0 });
  seen.requests += 1;
  if (seen.requests <= limit.requests) return;
  const reset = Math.ceil(seen.since / 1000) + limit.seconds;
  throw refuse(
    429,
    { detail: `You are attempting to use this endpoint too frequently. Limit is ${limit.requests} requests in ${limit.seconds} seconds` },
    {
      'retry-after': String(limit.seconds),
      'x-sentry-rate-limit-limit': String(limit.requests),
      'x-sentry-rate-limit-remaining': '0',
      'x-sentry-rate-limit-reset': String(reset),
    },
  );
}

function organizationOf({ params, state }: ReleaseCall) {
  const organization = state.organizations[params.organization];
  if (!organization) throw missing();
  return organization;
}

function releaseOf(call: ReleaseCall): Release {
  const release = organizationOf(call).releases.find(({ version }) => version === call.params.version);
  if (!release) throw missing();
  return release;
}

type Fields = { readonly [name: string]: Shape };
const releaseFields: Fields = {
  version: 'string',
  projects: { list: 'any' },
  ref: { nullable: 'string' },
  url: { nullable: 'string' },
  dateReleased: { nullable: 'string' },
  commits: { list: { fields: { id: 'string' }, required: ['id'], open: true } },
  status: 'string',
  owner: 'string',
};
const deployFields: Fields = {
  environment: 'string',
  name: { nullable: 'string' },
  url: { nullable: 'string' },
  dateStarted: { nullable: 'string' },
  dateFinished: { nullable: 'string' },
  projects: { list: 'string' },
};
const longest: Record<string, number> = { version: 200, ref: 200, environment: 64, name: 64 };

/** Every problem of a body at once, as lists of sentences by field. Fields that nobody knows are passed over. */
function bodyOf(call: ReleaseCall, fields: Fields, required: readonly string[]): Record<string, unknown> {
  if (!isMap(call.body)) throw refuse(400, { detail: 'JSON parse error' });
  const { body } = call;
  const problems: Record<string, string[]> = {};
  const add = (name: string, problem: string): void => {
    problems[name] = [...(problems[name] ?? []), problem];
  };
  for (const { at, problem, expected } of flawsOf(body, { fields, required, open: true })) {
    add(at.split('/')[1] ?? '', problem === 'missing' ? 'This field is required.' : `Not a valid ${expected}.`);
  }
  for (const [name, sent] of Object.entries(body)) {
    const most = longest[name];
    if (typeof sent !== 'string' || !(name in fields)) continue;
    const value = sent.trim();
    if (most !== undefined && value.length > most) add(name, `Ensure this field has no more than ${most} characters.`);
    if (value === '' && required.includes(name)) add(name, 'This field may not be blank.');
    // A deploy takes an empty address.
    const mayBeEmpty = fields === deployFields && value === '';
    if (name === 'url' && !mayBeEmpty && !/^https?:\/\/\S+$/.test(value)) add(name, 'Enter a valid URL.');
    if (name.startsWith('date') && Number.isNaN(Date.parse(value))) add(name, 'Datetime has wrong format.');
  }
  if (Object.keys(problems).length > 0) throw refuse(400, problems);
  return body;
}

function versionOf(value: unknown): string {
  const version = String(value).trim();
  if (['.', '..', 'latest'].includes(version) || /[\r\n\f\t]/.test(version))
    throw refuse(400, { version: ['Release name is not allowed.'] });
  return version;
}

function projectsOf(call: ReleaseCall, value: unknown): readonly string[] {
  const slugs = Array.isArray(value) ? value.map(String) : [];
  const { projects } = organizationOf(call);
  if (slugs.some((slug) => !projects.includes(slug))) throw refuse(400, { projects: ['Invalid project slugs'] });
  return slugs;
}

/** What a create and an update may set; left out, it stays as it is. */
function settable(body: Record<string, unknown>): Partial<Release> {
  const { ref, url, commits } = body;
  const dateReleased = dateIn(body, 'dateReleased');
  return {
    ...(ref !== undefined && { ref: ref === null ? null : String(ref) }),
    ...(url !== undefined && { url: url === null ? null : String(url) }),
    ...(dateReleased !== undefined && { dateReleased }),
    ...(Array.isArray(commits) && { commitCount: commits.length }),
  };
}

function dateIn(body: Record<string, unknown>, name: string): string | null | undefined {
  const value = body[name];
  return typeof value === 'string' ? dateOf(new Date(value)) : value === null ? null : undefined;
}

/** In UTC, with six digits of a second where there are any: a date rarely comes back as the text that was sent. */
const dateOf = (date: Date): string =>
  date
    .toISOString()
    .replace('.000Z', 'Z')
    .replace(/\.(\d{3})Z$/, '.$1000Z');

function matching(call: ReleaseCall): readonly Release[] {
  const { projects, releases } = organizationOf(call);
  const wanted = call.query.getAll('project').filter((one) => one !== '-1');
  const environments = call.query.getAll('environment');
  const text = (call.query.get('query') ?? '').toLowerCase();
  const slugs = wanted.map((one) => (/^\d+$/.test(one) ? (projects[Number(one) - firstProject] ?? one) : one));
  return releases
    .filter(({ version }) => version.toLowerCase().includes(text))
    .filter((one) => slugs.length === 0 || one.projects.some((slug) => slugs.includes(slug)))
    .filter(({ deploys }) => environments.length === 0 || deploys.some(({ environment }) => environments.includes(environment)))
    .reverse();
}

const firstProject = 4_500_000;

function shown(call: ReleaseCall, release: Release): unknown {
  const { deploys, heldBy: _, projects, version, ...rest } = release;
  const last = deploys.at(-1);
  const known = organizationOf(call).projects;
  const isHash = /^[0-9a-f]{40}$/.test(version);
  const short = isHash ? version.slice(0, 7) : version;
  return {
    ...rest,
    version,
    shortVersion: short,
    versionInfo: { package: null, version: { raw: version }, description: short, buildHash: isHash ? version : null },
    projects: projects.map((slug) => ({
      id: firstProject + known.indexOf(slug),
      slug,
      name: slug,
      platform: 'javascript',
      platforms: ['javascript'],
      hasHealthData: release.heldBy === 'health data',
      newGroups: 0,
    })),
    dateStarted: null,
    owner: null,
    lastCommit: null,
    lastDeploy: last ? { ...last, name: last.name ?? '' } : null,
    firstEvent: null,
    lastEvent: null,
    userAgent: null,
    newGroups: 0,
    data: {},
    authors: [],
    deployCount: deploys.length,
  };
}

/** Pages of at most 100 by cursor. The Link header names a next page also when there is none: `results` tells. */
function page<T>(call: ReleaseCall, items: readonly T[], show: (item: T) => unknown): Reply {
  const size = Number(call.query.get('per_page') ?? 100);
  if (!Number.isInteger(size) || size < 1) throw refuse(400, { detail: 'Invalid per_page parameter.' });
  if (size > 100) throw refuse(400, { detail: 'Invalid per_page value. Must be between 1 and 100.' });
  const cursor = /^0:(\d+):[01]$/.exec(call.query.get('cursor') ?? '0:0:0');
  if (!cursor) throw refuse(400, { detail: 'Invalid cursor parameter.' });
  const offset = Number(cursor[1]);
  const others = [...call.query].filter(([name]) => name !== 'cursor').map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const link = (rel: string, to: string, hasResults: boolean) =>
    `<${origin}${call.path}?${[...others, `cursor=${to}`].join('&')}>; rel="${rel}"; results="${hasResults}"; cursor="${to}"`;
  const links = [
    link('previous', `0:${Math.max(0, offset - size)}:1`, offset > 0),
    link('next', `0:${offset + size}:0`, offset + size < items.length),
  ];
  return json(200, items.slice(offset, offset + size).map(show), { link: links.join(', ') });
}
