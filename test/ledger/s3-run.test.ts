import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seed } from 'pilotfish-sandbox/all';
import { type S3ObjectsWorld, serveS3Objects } from 'pilotfish-sandbox/aws-s3-objects';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Company, openCompany, recordPlan } from '../checkouts/company.ts';

let server: S3ObjectsWorld;
let company: Company;
beforeAll(async () => {
  [server, company] = await Promise.all([serveS3Objects(), openCompany()]);
});
afterAll(async () => {
  await company?.close();
  await server?.stop();
});

it('a run applies, plans and destroys by what it has recorded in a bucket, and tells no secret', async () => {
  const folder = await company.folder('s3');
  const place = `s3://ledgers/web?endpoint=${server.endpoint}&region=${server.region}`;
  const env = { PILOTFISH_RECEIPTS: place, ...server.keys.full };
  let told = '';
  const run = async (line: string, more: Readonly<Record<string, string>> = {}) => {
    const ended = await company.run(folder, [...line.split(' '), '--scope', 'pr-12'], { ...env, ...more });
    told += ended.stdout + ended.stderr;
    return ended;
  };
  await writeFile(join(folder, 'release.plan.yaml'), `receipts: ${place}\n${recordPlan}`);
  const applied = await run('apply');
  expect(applied.code, applied.stdout + applied.stderr).toBe(0);
  expect(company.records()).toEqual([`pr-12.${seed.zone.name}`]);
  const writes = company.writes();
  expect((await run('plan')).stdout).toMatch(/unchanged|no changes/i);
  expect(company.writes()).toBe(writes);

  // Another place, a bucket that ignores conditions and keys of nobody touch nothing.
  expect((await run('apply', { PILOTFISH_RECEIPTS: `${place.replace('/web', '/other')}` })).code).not.toBe(0);
  server.ignores = ['if-match'];
  expect(await run('apply --destroy')).toMatchObject({ code: 1, stderr: expect.stringContaining('it ignores If-Match') });
  server.ignores = [];
  expect(company.writes()).toBe(writes);

  // A destroy needs the ledger alone.
  await rm(join(folder, 'release.plan.yaml'));
  const destroyed = await run('apply --destroy');
  expect(destroyed.code, destroyed.stdout + destroyed.stderr).toBe(0);
  expect(company.records()).toEqual([]);
  const kept = [...(server.buckets.get('ledgers') ?? [])].map(([key, { body }]) => `${key}\n${body}`).join('\n');
  expect(kept).toContain('web/branches/refs/heads/pilotfish-receipts/preview/pr-12');
  for (const text of [told, kept]) expect(text).not.toContain(server.keys.full.AWS_SECRET_ACCESS_KEY);
});
