import { bearerOf, type Call, json, makeKit, refuse, route, type Simulation, type SimulationOptions, simulate } from './kit/index.ts';
import { isMap } from './kit/json.ts';

/** `cors` is absent while it is empty. */
export interface GcsBucket {
  storageClass: string;
  readonly name: string;
  metageneration: number;
  cors?: readonly Readonly<Record<string, unknown>>[];
}

export interface GcsWorld {
  readonly bucket: GcsBucket;
  /** Somebody else writes the bucket. */
  /** Makes a bucket, where there is none of the name. */
  addBucket(name: string): void;
  setCors(cors: readonly Readonly<Record<string, unknown>>[]): void;
}

/** One bucket's metadata, with preconditions: https://cloud.google.com/storage/docs/json_api/v1/buckets/patch (v1, 2026-09). */
export function gcs(options: SimulationOptions = {}): Simulation<GcsWorld> {
  const kit = makeKit('google-cloud-storage', options);
  type State = { buckets: Record<string, GcsBucket> };
  const bucket: GcsBucket = { name: 'shop-assets', storageClass: 'STANDARD', metageneration: 1 };
  const state: State = { buckets: { [bucket.name]: bucket } };
  const bucketOf = ({ state: now, params }: Pick<Call<State, { readonly bucket: string }>, 'state' | 'params'>): GcsBucket => {
    const found = now.buckets[params.bucket];
    if (!found) throw refuse(404, envelope(404, 'The specified bucket does not exist.'));
    return found;
  };
  const shown = ({ name, storageClass, metageneration, cors }: GcsBucket) => ({
    kind: 'storage#bucket',
    id: name,
    name,
    storageClass,
    metageneration: String(metageneration),
    ...(cors && { cors }),
  });
  const put = (target: GcsBucket, cors: readonly Readonly<Record<string, unknown>>[]): void => {
    target.metageneration += 1;
    if (cors.length > 0) target.cors = cors;
    else delete target.cors;
  };
  return simulate<State, GcsWorld>(kit, {
    name: 'google-cloud-storage',
    origin: 'https://storage.googleapis.com',
    basePath: '/storage/v1',
    state,
    blind: () => ({ buckets: {} }),
    world: (live) => {
      const theirs = (): GcsBucket => bucketOf({ state: live, params: { bucket: bucket.name } });
      return {
        get bucket() {
          return theirs();
        },
        addBucket: (name) => {
          live.buckets[name] ??= { name, storageClass: 'STANDARD', metageneration: 1 };
        },
        setCors: (cors) => put(theirs(), cors),
      };
    },
    tokens: kit.tokens,
    credential: bearerOf,
    refuseCredential: (_, why) =>
      why === 'read-only' ? json(403, envelope(403, 'Permission denied.')) : json(401, envelope(401, 'Invalid Credentials')),
    routes: [
      route('GET', '/storage/v1/b/{bucket}', (call) => json(200, shown(bucketOf(call)))),
      route('PATCH', '/storage/v1/b/{bucket}', (call) => {
        const target = bucketOf(call);
        const wanted = call.query.get('ifMetagenerationMatch');
        if (wanted !== null && wanted !== String(target.metageneration)) {
          throw refuse(412, envelope(412, 'At least one of the pre-conditions you specified did not hold.'));
        }
        const cors = isMap(call.body) ? call.body.cors : undefined;
        if (!Array.isArray(cors) || !cors.every(isMap)) throw refuse(400, envelope(400, 'Invalid value for cors.'));
        put(target, cors);
        return json(200, shown(target));
      }),
    ],
  });
}

const envelope = (code: number, message: string) => ({ error: { code, message } });
