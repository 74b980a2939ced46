import { refusalOf } from './kit/aws-v4-verifier.ts';
import {
  type Call,
  flawsOf,
  json,
  makeKit,
  Refusal,
  type Reply,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
  type Tokens,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

/** A branch as the service stores it. */
export interface AmplifyBranch {
  readonly branchName: string;
  description: string;
  stage: string;
  displayName: string;
  enableAutoBuild: boolean;
  environmentVariables: Record<string, string>;
  framework: string;
  ttl: string;
  readonly createTime: number;
  updateTime: number;
}

export interface AmplifyState {
  /** `null`: the caller may see nothing of this service. */
  apps: Record<string, { branches: AmplifyBranch[]; deleting: string[] }> | null;
  /** 50 at the service, for each app. */
  branchLimit: number;
  /** Whether a branch that was deleted keeps its name taken. */
  isSlow: boolean;
}

export interface AmplifyWorld {
  readonly state: AmplifyState;
  /** From now on the keys are those of a session, and only good together with its token. */
  signIn(session: string): void;
  /** The key ids that the tokens are the secret keys of. */
  readonly keyIds: Readonly<Record<keyof Tokens, string>>;
  addApp(appId: string): void;
  addBranch(appId: string, branchName: string, given?: Partial<AmplifyBranch>): AmplifyBranch;
  /** Live: changing one is a change from outside. */
  branches(appId: string): readonly AmplifyBranch[];
  removeBranch(appId: string, branchName: string): void;
}

/**
 * Branches of an app: https://docs.aws.amazon.com/amplify/latest/APIReference/API_CreateBranch.html (2017-07-25). Where the page is
 * silent, what its users report: aws-amplify/amplify-hosting 2604 and 2732 (400 to a duplicate and to a branch that is being deleted),
 * aws/aws-sdk-go-v2 2788 (an empty map of variables changes nothing; a name of one blank empties it). Read 2026-11-21.
 */
export function amplify(options: SimulationOptions = {}): Simulation<AmplifyWorld> {
  const kit = makeKit('aws-amplify', options);
  const keyIds = { full: 'AKIAIOSFODNN7EXAMPLE', readOnly: 'AKIAI44QH8DHBEXAMPLE', blind: 'AKIAJ7QK2WLN4EXAMPLE' };
  const { full, readOnly, blind } = kit.tokens;
  const secrets: Readonly<Record<string, string>> = { [keyIds.full]: full, [keyIds.readOnly]: readOnly, [keyIds.blind]: blind };
  const accountsOf = (more: { readonly session?: string }) =>
    Object.fromEntries(Object.entries(secrets).map(([id, secret]) => [id, { secret, ...more }]));
  let accounts = accountsOf({});
  const host = 'amplify.eu-central-1.amazonaws.com';
  /** Served at an address that has no region in it. */
  const isElsewhere = ({ headers }: Call<AmplifyState, unknown>): boolean => (headers.get('host') ?? host) !== host;
  const refusal = (call: Call<AmplifyState, unknown>): string | null =>
    refusalOf(
      {
        method: call.method,
        target: `${call.path}?${call.query.toString()}`,
        headers: { host, ...Object.fromEntries(call.headers) },
        body: Buffer.from(call.text),
      },
      { accounts, region: isElsewhere(call) ? null : 'eu-central-1', service: 'amplify', now: kit.clock.now() },
    );
  const state: AmplifyState = { apps: {}, branchLimit: 50, isSlow: false };
  const made = (branchName: string, given: Partial<AmplifyBranch>): AmplifyBranch => ({
    branchName,
    description: '',
    stage: 'NONE',
    displayName: branchName.toLowerCase().replace(/[^a-z0-9-]/g, '-'),
    enableAutoBuild: true,
    environmentVariables: {},
    framework: '',
    ttl: '5',
    createTime: Math.floor(kit.clock.now() / 1000),
    updateTime: Math.floor(kit.clock.now() / 1000),
    ...given,
  });

  return simulate<AmplifyState, AmplifyWorld>(kit, {
    name: 'aws-amplify',
    origin: `https://${host}`,
    state,
    blind: () => ({ ...state, apps: null }),
    world: (live) => ({
      state: live,
      signIn: (session) => {
        accounts = accountsOf({ session });
      },
      keyIds,
      addApp: (appId) => {
        live.apps = { ...live.apps, [appId]: { branches: [], deleting: [] } };
      },
      addBranch: (appId, branchName, given = {}) => {
        const branch = made(branchName, given);
        live.apps?.[appId]?.branches.push(branch);
        return branch;
      },
      branches: (appId) => live.apps?.[appId]?.branches ?? [],
      removeBranch: (appId, branchName) => {
        const app = live.apps?.[appId];
        if (app) app.branches = app.branches.filter((one) => one.branchName !== branchName);
      },
    }),
    tokens: kit.tokens,
    credential: ({ headers }) => headers.get('authorization'),
    tokenOf: (_, call) => (refusal(call) === null ? (secrets[keyIdIn(call)] ?? null) : null),
    refuseCredential: (call, why) =>
      why === 'wrong'
        ? failure(403, `${refusal(call) ?? 'UnrecognizedClient'}Exception`, 'The request cannot be authenticated.')
        : why === 'missing'
          ? failure(403, 'MissingAuthenticationTokenException', 'Missing Authentication Token')
          : denied(),
    routes: [
      route('GET', '/apps/{app}/branches', (call) => {
        const { branches } = appOf(call);
        const size = Number(call.query.get('maxResults') ?? 10);
        const start = Number(call.query.get('nextToken') ?? 0);
        if (!Number.isInteger(size) || size < 1 || size > 50) throw bad('maxResults must be between 1 and 50');
        const next = start + size < branches.length ? { nextToken: String(start + size) } : {};
        return json(200, { branches: branches.slice(start, start + size).map((one) => shown(call, one)), ...next });
      }),
      route('POST', '/apps/{app}/branches', (call) => {
        const app = appOf(call);
        const body = bodyOf(call, { ...writable, branchName: 'string' }, ['branchName']);
        const name = String(body.branchName);
        if (name.length < 1 || name.length > 255) throw bad('branchName must have a length between 1 and 255');
        if (app.deleting.includes(name)) throw bad('The branch is deleting for the app. Please wait a few minutes');
        if (app.branches.some(({ branchName }) => branchName === name))
          throw bad(`The branch ${name} already exists for the app ${call.params.app}`);
        if (app.branches.length >= call.state.branchLimit)
          throw new Refusal(failure(429, 'LimitExceededException', 'You have reached the maximum number of branches in this app.'));
        const branch = made(name, fieldsOf(body));
        app.branches.push(branch);
        return json(200, { branch: shown(call, branch) });
      }),
      route('GET', '/apps/{app}/branches/{branch}', (call) => json(200, { branch: shown(call, branchOf(call)) })),
      route('POST', '/apps/{app}/branches/{branch}', (call) => {
        const branch = branchOf(call);
        const fields = fieldsOf(bodyOf(call, writable, []));
        Object.assign(branch, fields, { updateTime: Math.floor(call.now / 1000) });
        return json(200, { branch: shown(call, branch) });
      }),
      route('DELETE', '/apps/{app}/branches/{branch}', (call) => {
        const app = appOf(call);
        const branch = branchOf(call);
        app.branches = app.branches.filter((one) => one !== branch);
        if (call.state.isSlow) app.deleting.push(branch.branchName);
        return json(200, { branch: shown(call, branch) });
      }),
    ],
  });
}

type AppCall = Call<AmplifyState, { readonly app: string; readonly branch?: string }>;

const keyIdIn = ({ headers }: { readonly headers: Headers }): string =>
  /Credential=([^/]+)\//.exec(headers.get('authorization') ?? '')?.[1] ?? '';

const failure = (status: number, name: string, message: string): Reply => json(status, { message }, { 'x-amzn-errortype': name });
const denied = (): Reply => failure(403, 'AccessDeniedException', 'User is not authorized to perform this action on this resource.');
const bad = (message: string): Refusal => new Refusal(failure(400, 'BadRequestException', message));
const absent = (message: string): Refusal => new Refusal(failure(404, 'NotFoundException', message));

function appOf({ state, params }: AppCall) {
  if (state.apps === null) throw new Refusal(denied());
  const app = state.apps[params.app];
  if (!app) throw absent(`App ${params.app} not found.`);
  return app;
}

function branchOf(call: AppCall): AmplifyBranch {
  const found = appOf(call).branches.find(({ branchName }) => branchName === call.params.branch);
  if (!found) throw absent(`Branch with name: ${call.params.branch ?? ''} not found`);
  return found;
}

const shown = ({ params }: AppCall, branch: AmplifyBranch) => ({
  ...branch,
  branchArn: `arn:aws:amplify:eu-central-1:111122223333:apps/${params.app}/branches/${encodeURIComponent(branch.branchName)}`,
  enableNotification: false,
  customDomains: [],
  activeJobId: '0000000000',
  totalNumberOfJobs: '0',
  enableBasicAuth: false,
  enablePullRequestPreview: false,
});

const writable: { readonly [name: string]: Shape } = {
  description: 'string',
  stage: { oneOf: ['PRODUCTION', 'BETA', 'DEVELOPMENT', 'EXPERIMENTAL', 'PULL_REQUEST'] },
  displayName: 'string',
  enableAutoBuild: 'boolean',
  environmentVariables: { values: 'string' },
  framework: 'string',
  ttl: 'string',
};

function bodyOf(call: AppCall, fields: { readonly [name: string]: Shape }, required: readonly string[]): Record<string, unknown> {
  const [flaw] = flawsOf(call.body, { fields, required });
  if (!isMap(call.body) || flaw) throw bad(`${flaw?.at ?? ''} is ${flaw?.problem ?? 'missing'}: expected ${flaw?.expected ?? 'a body'}`);
  return call.body;
}

function fieldsOf(body: Record<string, unknown>): Partial<AmplifyBranch> {
  const { branchName: _, environmentVariables: given, ...rest } = body;
  const variables = isMap(given) ? Object.entries(given).map(([name, value]) => [name, String(value)] as const) : [];
  if (variables.some(([name]) => name === '')) throw bad('Environment variables cannot have an empty key.');
  const long = variables.find(([name, value]) => name.length > 255 || value.length > 5500);
  if (long) throw bad('Environment variable keys are at most 255 characters long, values at most 5500.');
  const kept = variables.filter(([name]) => name.trim() !== '');
  return { ...rest, ...(variables.length > 0 && { environmentVariables: Object.fromEntries(kept) }) };
}
