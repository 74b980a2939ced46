import { join } from 'node:path';
import { openS3Store, type S3StoreOptions } from '../../src/ledger/stores/s3/s3-store.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { quickPauses } from './quick-clock.ts';
import { tempFolder } from './temp-folder.ts';

/** A store of objects on this machine, with a bucket in it. */
export interface S3Place {
  readonly port: number;
  readonly region: string;
  readonly bucket: string;
  /** The variables that hold its keys. */
  readonly keys: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

let machines = 0;

/** Opens a ledger at a place, on a machine of its own. `port`: that of a proxy before the place. `more`: further members of the address. */
export async function openAt(
  place: Omit<S3Place, 'stop'>,
  {
    port = place.port,
    prefix = 'acme/web',
    more = '',
    ...o
  }: { port?: number; prefix?: string; more?: string } & Partial<S3StoreOptions> = {},
): Promise<Store> {
  machines += 1;
  const root = await tempFolder('s3');
  return openS3Store({
    url: `s3://${place.bucket}/${prefix}?endpoint=http://127.0.0.1:${port}&region=${place.region}${more}`,
    cwd: root,
    env: { ...place.keys },
    repository: 'acme/web',
    clock: quickPauses,
    cacheDir: join(root, `machine-${machines}`),
    ...o,
  });
}
