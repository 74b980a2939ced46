import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { LiveReport } from '../../src/live/document.ts';
import { isAlone } from '../real/kit/program.ts';
import { lineFile, type ProveAt, proveAt } from './prove-at.ts';
import { type Started, startJsonServer, startS3, startUnleash, unleashToken } from './servers/start.ts';

/** `PILOTFISH_LIVE_REPORTS` keeps the reports of operations there. */
const kept = process.env.PILOTFISH_LIVE_REPORTS;

async function proven(o: ProveAt): Promise<LiveReport> {
  const { proof } = await proveAt(o);
  const { report } = proof;
  expect(
    report.steps.filter(({ result }) => result === 'not held').map(({ step, finding }) => `${step}: ${finding}`),
    proof.error?.detail,
  ).toEqual([]);
  expect(proof).toMatchObject({ ok: true, stands: [] });
  for (const word of Object.values(o.env).filter((value) => value.length > 20 && !value.startsWith('http'))) {
    expect(JSON.stringify(report)).not.toContain(word);
  }
  if (kept && !o.operation.startsWith('http.')) {
    await mkdir(kept, { recursive: true });
    await writeFile(join(kept, `${o.operation}.json`), `${JSON.stringify(report, null, 2)}\n`);
  }
  return report;
}

/** A server of another kind in each suite; the lines of the generic adapter that it takes. */
interface Suite {
  readonly name: string;
  readonly start: () => Promise<Started | null>;
  readonly env: (base: string) => { readonly [name: string]: string };
  readonly lines: readonly string[];
  readonly operations?: readonly Pick<ProveAt, 'operation' | 'with' | 'file'>[];
}

const s3Words = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER', STORE_KEY: 'S3RVER', STORE_SECRET: 'S3RVER' };

const suites: readonly Suite[] = [
  {
    name: 'Unleash',
    start: startUnleash,
    env: (base) => ({
      UNLEASH_API_URL: base,
      UNLEASH_API_TOKEN: unleashToken,
      UNLEASH_ADMIN_API_URL: base,
      UNLEASH_ADMIN_TOKEN: unleashToken,
    }),
    operations: [
      {
        operation: 'unleash.flag_strategy',
        with: [
          'feature=live-proof',
          'environment=development',
          'constraints=[{ contextName: host, operator: IN, values: ["${ctx.scope}.example.com"] }]',
          'parameters={ rollout: "50" }',
        ],
      },
    ],
    lines: ['unleash-context-field', 'unleash-tag-type', 'unleash-segment', 'unleash-strategy-type', 'unleash-origin', 'unleash-switch-on'],
  },
  {
    name: 's3rver',
    start: startS3,
    env: (base) => ({ AWS_ENDPOINT_URL_S3: base, STORE_API_URL: base, ...s3Words }),
    operations: [
      {
        operation: 's3.bucket_cors',
        with: ['bucket=shop-assets', 'methods=[GET, PUT]', 'allowed_headers=["*"]', 'max_age_seconds=300'],
        file: { name: 'region.yaml', text: 'providers: { http: { s3: { region: us-east-1 } } }\nchanges: [{ recipe: s3.bucket_cors }]\n' },
      },
    ],
    lines: ['s3-cors-rule'],
  },
  {
    name: 'json-server',
    start: startJsonServer,
    env: (base) => ({ SHELF_API_URL: base, SHELF_TOKEN: 'the-word-of-the-shelf-7' }),
    lines: ['json-post', 'json-paged', 'json-origin', 'json-route', 'json-variable'],
  },
];

const mayRun = isAlone('proofs at servers that others wrote');

describe.skipIf(!mayRun)('a proof at a server that others wrote', () => {
  for (const { name, start, env, lines, operations = [] } of suites) {
    describe(name, () => {
      let started: Started | null = null;
      beforeAll(async () => {
        started = await start();
      });
      afterAll(async () => started?.stop());

      for (const one of operations) {
        it(`holds ${one.operation} in every step`, async (context) => {
          if (started === null) return context.skip('the server is not installed');
          const report = await proven({ ...one, env: env(started.base), server: started.server });
          expect(report.steps.map(({ result }) => result)).not.toContain('left out');
        });
      }
      for (const line of lines) {
        it(`holds the line ${line}`, async (context) => {
          if (started === null) return context.skip('the server is not installed');
          const file = await lineFile(`${line}.yaml`);
          const { op } = parse(file.text).changes[0] as { readonly op: string };
          await proven({ operation: `http.${op}`, file, env: env(started.base), server: started.server });
        });
      }
    });
  }
});

describe('the lines of the proofs', () => {
  it('are ten and more of the generic adapter, of every operation of it', async () => {
    const files = await Promise.all(suites.flatMap(({ lines }) => lines).map((line) => lineFile(`${line}.yaml`)));
    const ops = files.map(({ text }) => (parse(text).changes as readonly { readonly op: string }[])[0]?.op);
    expect(ops.length).toBeGreaterThanOrEqual(10);
    expect(new Set(ops)).toEqual(new Set(['resource', 'list_item', 'action']));
    const page = await readFile(join(import.meta.dirname, '../../docs/live.md'), 'utf8');
    for (const { name } of suites) expect(page).toContain(name);
  });
});
