import { type Call, json, makeKit, type Reply, refuse, route, type Simulation, type SimulationOptions, simulate } from './kit/index.ts';

export interface VaultVersion {
  readonly version: number;
  readonly created: number;
  data: Record<string, unknown> | null;
  /** When it is or was deleted, `null` for never. It may lie ahead. */
  deleted: number | null;
  destroyed: boolean;
}

/** Path → versions, oldest first. */
export type VaultMount = Record<string, VaultVersion[]>;

export interface VaultState {
  /** Namespace (empty: the root) → mount → secrets. */
  readonly namespaces: Record<string, Record<string, VaultMount>>;
  isSealed: boolean;
  /** What a token meets whose policies permit nothing. */
  readonly isClosed: boolean;
}

/** State, and what an operator does at the command line. */
export interface VaultWorld {
  readonly state: VaultState;
  /** Enables an engine. A mount may hold slashes. */
  mount(path: string, namespace?: string): void;
  /** Writes the next version; a time of deletion is what `delete_version_after` gives. */
  put(mount: string, path: string, data: Record<string, unknown>, more?: { readonly namespace?: string; readonly deleted?: number }): void;
  /** Deletes the latest version softly. */
  remove(mount: string, path: string): void;
  /** Takes a version's data away for good. */
  destroy(mount: string, path: string, version: number): void;
  seal(isSealed: boolean): void;
}

/**
 * KV engines (version 2) of a HashiCorp Vault: https://developer.hashicorp.com/vault/api-docs/secret/kv/kv-v2 (read a secret version), with the
 * statuses of `pathDataRead` in hashicorp/vault-plugin-secrets-kv: a deleted version is a 404 that has its metadata.
 */
export function vault(options: SimulationOptions = {}): Simulation<VaultWorld> {
  const kit = makeKit('vault', options);
  const state: VaultState = { namespaces: { '': { secret: {} } }, isSealed: false, isClosed: false };

  return simulate<VaultState, VaultWorld>(kit, {
    name: 'vault',
    origin: 'https://vault.acme.example',
    state,
    blind: () => ({ namespaces: {}, isSealed: state.isSealed, isClosed: true }),
    world: (live) => {
      const versionsOf = (mount: string, path: string, namespace = ''): VaultVersion[] => {
        const engine = live.namespaces[namespace]?.[mount];
        if (!engine) throw new Error(`the world has no engine ${mount}`);
        const versions = engine[path] ?? [];
        engine[path] = versions;
        return versions;
      };
      return {
        state: live,
        mount: (path, namespace = '') => {
          live.namespaces[namespace] = { ...live.namespaces[namespace], [path]: {} };
        },
        put: (mount, path, data, { namespace, deleted } = {}) => {
          const versions = versionsOf(mount, path, namespace);
          const created = kit.clock.now();
          versions.push({ version: versions.length + 1, created, data, deleted: deleted ?? null, destroyed: false });
        },
        remove: (mount, path) => {
          const latest = versionsOf(mount, path).at(-1);
          if (latest) latest.deleted = kit.clock.now();
        },
        destroy: (mount, path, version) => {
          const found = versionsOf(mount, path)[version - 1];
          if (found) Object.assign(found, { data: null, destroyed: true });
        },
        seal: (isSealed) => {
          live.isSealed = isSealed;
        },
      };
    },
    tokens: kit.tokens,
    credential: ({ headers }) => headers.get('x-vault-token'),
    // A wrong token and one without a policy get the same words; a sealed server does not get as far as to look at it.
    refuseCredential: (call) => (call.state.isSealed ? sealed : denied).reply,
    secretHeaders: ['x-vault-token'],
    routes: [route('GET', '/v1/{+path}', read)],
  });
}

const denied = refuse(403, { errors: ['permission denied'] });
const sealed = refuse(503, { errors: ['Vault is sealed'] });

type ReadCall = Call<VaultState, { readonly path: string }>;

function read(call: ReadCall): Reply {
  const { state, params, query, headers } = call;
  if (state.isSealed) throw sealed;
  if (state.isClosed) throw denied;
  const mounts = state.namespaces[headers.get('x-vault-namespace') ?? ''] ?? {};
  const name = Object.keys(mounts)
    .toSorted((a, b) => b.length - a.length)
    .find((one) => params.path.startsWith(`${one}/`));
  const engine = name === undefined ? undefined : mounts[name];
  if (name === undefined || !engine) throw refuse(404, { errors: [`no handler for route "${params.path}". route entry not found.`] });
  const rest = params.path.slice(name.length + 1);
  if (!rest.startsWith('data/')) throw refuse(404, { errors: [], warnings: ['Invalid path for a versioned K/V secrets engine.'] });
  const versions = engine[rest.slice('data/'.length)] ?? [];
  const wanted = Number(query.get('version') ?? 0);
  const found = wanted === 0 ? versions.at(-1) : versions[wanted - 1];
  if (!found) throw refuse(404, { errors: [] });
  const isGone = found.destroyed || (found.deleted !== null && found.deleted <= call.now);
  const metadata = {
    created_time: new Date(found.created).toISOString(),
    custom_metadata: null,
    deletion_time: found.deleted === null ? '' : new Date(found.deleted).toISOString(),
    destroyed: found.destroyed,
    version: found.version,
  };
  return json(isGone ? 404 : 200, wrapped({ data: isGone ? null : found.data, metadata }));
}

const wrapped = (data: Readonly<Record<string, unknown>>) => ({
  request_id: '5f0b6e0e-0000-4000-8000-000000000000',
  lease_id: '',
  renewable: false,
  lease_duration: 0,
  data,
  wrap_info: null,
  warnings: null,
  auth: null,
});
