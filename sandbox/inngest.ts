import { json, makeKit, type Reply, route, type Simulation, type SimulationOptions, simulate, text } from './kit/index.ts';

export interface Registration {
  /** What stands for the deployment's functions. */
  readonly checksum: string;
  readonly modified: boolean;
}

export interface InngestState {
  /** The functions as the app has them now. */
  checksum: string;
  readonly registrations: Registration[];
  /** Whether the app takes a sync without a signature (`enableUnauthedSync`). */
  takesUnsigned: boolean;
  /** Whether the API that the app registers with answers. */
  reachesApi: boolean;
}

export interface InngestWorld {
  readonly state: InngestState;
  /** Another build: its functions are others. */
  deploy(checksum: string): void;
}

export const bypassHeader = 'x-vercel-protection-bypass';

/**
 * The serve endpoint of an app on a protected preview (SDK 4.24.0): https://www.inngest.com/docs/learn/serving-inngest-functions. The
 * host's own page answers whoever does not bring the bypass; behind it stands the app, which needs no credential of the caller.
 */
export function inngest(options: SimulationOptions = {}): Simulation<InngestWorld> {
  const kit = makeKit('inngest', options);
  const state: InngestState = { checksum: 'first', registrations: [], takesUnsigned: true, reachesApi: true };
  const serve = '/api/inngest';
  return simulate<InngestState, InngestWorld>(kit, {
    name: 'inngest',
    origin: 'https://shop-pr-12.acme.example',
    state,
    blind: () => ({ ...state, registrations: [] }),
    world: (live) => ({
      state: live,
      deploy: (checksum) => {
        live.checksum = checksum;
      },
    }),
    tokens: kit.tokens,
    secretHeaders: [bypassHeader],
    credential: ({ headers }) => headers.get(bypassHeader),
    refuseCredential: () => text(401, '<!doctype html><title>Authentication Required</title>', 'text/html'),
    routes: [
      route('PUT', serve, ({ body, headers, state: live }) => {
        if (headers.has('x-inngest-sync-kind') || body !== null) return failure(400, 'an in-band sync needs a body and a signature');
        if (!live.takesUnsigned) return failure(401, 'Unauthorized');
        if (!live.reachesApi) return json(500, { message: 'Failed to register', modified: false });
        const modified = live.registrations.at(-1)?.checksum !== live.checksum;
        live.registrations.push({ checksum: live.checksum, modified });
        return json(200, { message: 'Successfully registered', modified });
      }),
      // In the cloud only a signed look is answered.
      route('GET', serve, () => failure(401, 'Unauthorized')),
    ],
  });
}

const failure = (status: number, message: string): Reply => json(status, { message });
