import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../../../src/core/clock.ts';
import { s3Address } from '../../../src/ledger/stores/s3/s3-address.ts';
import { S3Link } from '../../../src/ledger/stores/s3/s3-link.ts';
import type { S3Place } from '../../support/s3-place.ts';
import { findProgram, freePort, type Program, type Server, startServer } from './program.ts';

const run = promisify(execFile);

/** Ceph's gateway, or `null` with a printed reason. It needs a monitor and a place for objects beside it. */
export function findCeph(): Program | null {
  const found = ['ceph-mon', 'ceph-osd'].map((name) => findProgram(name, version));
  return found.includes(null) ? null : findProgram('radosgw', version);
}

const version = { args: ['--version'], form: /ceph version [\d.]+/ };

/** A Ceph of this test alone, whose objects are in memory: one monitor, one place for objects, and the gateway that speaks S3. It starts in about 20 s. */
export async function startCeph(program: Program, bucket = 'ledgers'): Promise<S3Place> {
  const root = await mkdtemp(join(tmpdir(), 'pilotfish-ceph-'));
  for (const folder of ['mon', 'osd']) await mkdir(join(root, folder));
  const [monitor, port] = [await freePort(), await freePort()];
  const [cluster, osd] = [randomUUID(), randomUUID()];
  const config = join(root, 'ceph.conf');
  await writeFile(config, settings({ root, monitor, port, cluster }));
  const keys = { AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE', AWS_SECRET_ACCESS_KEY: `ceph${randomUUID()}` };
  const env = { PATH: `${dirname(program.file)}:${process.env.PATH ?? ''}`, CEPH_CONF: config };
  const ask = (file: string, ...args: readonly string[]) => run(file, [...args], { env, cwd: root, timeout: 100_000 });
  const servers: Server[] = [];
  const start = async (file: string, args: readonly string[], at: number): Promise<void> => {
    servers.unshift(await startServer({ file, args: ['-f', '-c', config, ...args], port: at, env }));
  };
  const stop = async (): Promise<void> => {
    for (const one of servers) await one.stop();
    await rm(root, { recursive: true, force: true });
  };
  try {
    await ask('monmaptool', '--create', '--addv', 'a', `[v1:127.0.0.1:${monitor}]`, '--fsid', cluster, join(root, 'monmap'));
    await ask('ceph-mon', '-i', 'a', '--mkfs', '--monmap', join(root, 'monmap'));
    await start('ceph-mon', ['-i', 'a'], monitor);
    await ask('ceph', 'osd', 'new', osd);
    await ask('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd);
    await ask('ceph', 'osd', 'crush', 'add', 'osd.0', '1.0', 'root=default');
    // It takes ports of its own choice, and the gateway waits for it.
    await start('ceph-osd', ['-i', '0'], monitor);
    const [id, secret] = [`--access-key=${keys.AWS_ACCESS_KEY_ID}`, `--secret-key=${keys.AWS_SECRET_ACCESS_KEY}`];
    await ask('radosgw-admin', 'user', 'create', '--uid=ci', '--display-name=ci', id, secret);
    await start('radosgw', ['-n', 'client.rgw'], port);
    const place = { port, region: 'default', bucket, keys, stop };
    await makeBucket(place);
    return place;
  } catch (cause) {
    const said = servers.map((one) => one.output()).join('\n');
    await stop();
    throw new Error(`Ceph does not start: ${said}`, { cause });
  }
}

/** Makes the bucket of a place. */
export async function makeBucket({ port, region, bucket, keys }: S3Place): Promise<void> {
  const address = s3Address(`s3://${bucket}/?endpoint=http://127.0.0.1:${port}&region=${region}`, {});
  const link = new S3Link({ address, env: { ...keys }, clock: systemClock });
  await link.ask({ method: 'PUT', body: Buffer.alloc(0) });
  await link.close();
}

const settings = ({ root, monitor, port, cluster }: { root: string; monitor: number; port: number; cluster: string }): string => `[global]
fsid = ${cluster}
mon host = v1:127.0.0.1:${monitor}
auth cluster required = none
auth service required = none
auth client required = none
ms bind msgr2 = false
public addr = 127.0.0.1
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd crush chooseleaf type = 0
osd crush update on start = false
mon allow pool size one = true
osd objectstore = memstore
memstore device bytes = 1073741824
mon data = ${root}/mon
osd data = ${root}/osd
run dir = ${root}
admin socket = ${root}/$name.asok
log file = ${root}/$name.log
mon cluster log file = ${root}/cluster.log
keyring = ${root}/keyring
rgw frontends = beast endpoint=127.0.0.1:${port}
`;
