import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isMap } from '../../src/core/json.ts';
import { startTeam } from '../demo/team.ts';
import { type Called, connect } from '../mcp/connect.ts';

// A secret may be one of our own words also where an agent reads the documents.

const words = ['create', 'complete', 'settled', 'apply --', 'variable', 'preview', 'release', 'destroy', 'schema', 'digest'];
const plain = 'kV9-41fd-77c2-9ae0';

const plan = `version: 1
changes:
${words.map((_, i) => `  - { id: ${i === 0 ? 'variable' : `variable-${i}`}, adapter: vercel, op: env, project: shop, key: KEY_${i}, value: { secret: "env://WORD_${i}" }, git_branch: feature }`).join('\n')}
`;

/** Whatever differs from one run to the next, or holds words of others. */
const loose = new Set([
  'origin',
  'ms',
  'at',
  'run',
  'runId',
  'commit',
  'digest',
  'startedAt',
  'writtenAt',
  'stats',
  'warnings',
  'outputs',
  'value',
  'key',
  'subject',
]);

/** The structure of a document, lines in any order. */
function skeleton(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(skeleton).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value === 'string') return value.replace(/127\.0\.0\.1:\d+/g, 'host');
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, loose.has(name) ? '' : skeleton(member)]));
}

it('a tool answers the same documents whatever the secrets are, and shows none that is no word of it', async () => {
  const [usual, told] = [await answersFor(words.map((_, i) => `${plain}-${i}`)), await answersFor(words)];
  for (const [i, { document, isError }] of told.entries()) {
    expect(isError, JSON.stringify(document)).toBe(false);
    expect(skeleton(document)).toEqual(skeleton(usual[i]?.document));
    expect(JSON.stringify(usual[i])).not.toContain(plain);
  }
});

async function answersFor(secrets: readonly string[]): Promise<readonly Called[]> {
  const team = await startTeam();
  onTestFinished(() => team.stop());
  team.world.vercel.world.push('feature', 'a'.repeat(40));
  await writeFile(join(team.checkout, 'release.plan.yaml'), plan);
  const chosen = Object.fromEntries(secrets.map((secret, i) => [`WORD_${i}`, secret]));
  const server = await connect({ cwd: team.checkout, env: { ...team.env, ...chosen } });
  onTestFinished(() => server.close());
  const scope = 'pr-12';
  const planned = await server.call('plan', { scope });
  const applied = await server.call('apply', { scope, expect: planned.document.digest });
  const standing = await server.call('receipt', { scope });
  const known = await server.call('receipt');
  const destroyed = await server.call('destroy', { scope });
  const refused = await server.call('plan', { scope, only: ['nothing'] });
  expect(refused.document).toMatchObject({ ok: false, error: { code: expect.stringMatching(/^[A-Z_]+$/) } });
  return [planned, applied, standing, known, destroyed];
}
