import {
  type Call,
  flawsOf,
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

/** A report as it came, without the key of its project. */
export type Build = Readonly<Record<string, unknown>>;

export interface BugsnagState {
  readonly builds: Build[];
  /** What a key meets whose project takes no reports. */
  readonly isClosed: boolean;
}

export interface BugsnagWorld {
  readonly state: BugsnagState;
  readonly builds: readonly Build[];
}

/**
 * Build reports: https://docs.bugsnag.com/api/build/. The key of the project stands in the body, no header carries one. The status of
 * an unknown key is not documented: 401 here. There is no key that may only read.
 */
export function bugsnag(options: SimulationOptions = {}): Simulation<BugsnagWorld> {
  // A project key is 32 hexadecimal digits.
  const tokens = { full: `${'0f1e2d3c4b5a6978'.repeat(2)}`, readOnly: 'a'.repeat(32), blind: 'b'.repeat(32), ...options.tokens };
  const kit = makeKit('bugsnag', { ...options, tokens });
  const state: BugsnagState = { builds: [], isClosed: false };
  return simulate<BugsnagState, BugsnagWorld>(kit, {
    name: 'bugsnag',
    origin: 'https://build.bugsnag.com',
    state,
    blind: () => ({ builds: [], isClosed: true }),
    world: (live) => ({ state: live, builds: live.builds }),
    tokens: kit.tokens,
    credential: ({ body }) => (isMap(body) && typeof body.apiKey === 'string' ? body.apiKey : null),
    refuseCredential: (_, why) => (why === 'missing' ? failure(400, 'apiKey is required') : failure(401, 'apiKey is not known')),
    routes: [
      route('POST', '/', (call) => {
        if (call.state.isClosed) throw refuse(401, { status: 'error', errors: ['apiKey is not known'] });
        const { apiKey, ...build } = bodyOf(call);
        call.state.builds.push({ releaseStage: 'production', ...build });
        return json(200, { status: 'ok', warnings: [] });
      }),
    ],
  });
}

const failure = (status: number, error: string): Reply => json(status, { status: 'error', errors: [error] });

const hosts = ['github', 'github-enterprise', 'bitbucket', 'bitbucket-server', 'gitlab', 'gitlab-onpremise'];
const shape: Shape = {
  fields: {
    apiKey: 'string',
    appVersion: 'string',
    appVersionCode: 'string',
    appBundleVersion: 'string',
    releaseStage: 'string',
    builderName: 'string',
    buildTool: 'string',
    autoAssignRelease: 'boolean',
    metadata: { values: 'string' },
    sourceControl: {
      fields: { provider: { oneOf: hosts }, repository: 'string', revision: 'string' },
      required: ['provider', 'repository', 'revision'],
    },
  },
  required: ['apiKey', 'appVersion'],
};

function bodyOf({ body, contentType }: Pick<Call<BugsnagState>, 'body' | 'contentType'>): Record<string, unknown> {
  if (contentType !== 'application/json' || !isMap(body)) throw refuse(400, { status: 'error', errors: ['the payload is not JSON'] });
  const errors = flawsOf(body, shape).map((flaw) => `${flaw.at} is ${flaw.problem === 'type' ? `not ${flaw.expected}` : flaw.problem}`);
  if (errors.length > 0) throw refuse(400, { status: 'error', errors });
  if (!/^[0-9a-f]{32}$/i.test(String(body.apiKey))) throw refuse(400, { status: 'error', errors: ['apiKey is not valid'] });
  return body;
}
