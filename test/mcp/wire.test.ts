import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, it, type TestContext } from 'vitest';
import { execute, pilotfish, root } from '../cli/program.ts';
import { branchOf } from '../demo/measure.ts';
import { startTeam, type Team } from '../demo/team.ts';
import { ledgerOf } from '../e2e/scene.ts';
import { openWire, type Wire } from './wire.ts';

const scope = 'pr-12';
/** The lines of the database: none of them has an output that is shown once, which an interruption may lose. */
const only = ['database-url'];
const call = (name: string, params: object, more: object = {}): object => ({ name, arguments: params, ...more });

describe('stdout', () => {
  it('carries nothing but messages, whatever a plugin prints and however it does', async (test) => {
    const { wire, team } = await open(test, { plugin: noisy });
    await writeFile(join(team.checkout, 'release.plan.yaml'), plan);
    const answers = await Promise.all([
      wire.ask('tools/call', call('plan', { scope })),
      wire.ask('tools/call', call('apply', { scope }, { _meta: { progressToken: 7 } })),
      wire.ask('tools/call', call('catalogue', { query: 'webhook' })),
      wire.ask('tools/list', {}),
    ]);
    expect(answers.map(({ error }) => error)).toEqual([undefined, undefined, undefined, undefined]);
    expect(answers[1]?.result?.structuredContent).toMatchObject({ ok: true, status: 'complete' });
    wire.process.stdin?.end();
    expect((await wire.ended).code).toBe(0);
    for (const line of wire.lines) expect(() => parseJSONRPCMessage(JSON.parse(line)), line).not.toThrow();
    expect(wire.lines.some((line) => line.includes('notifications/progress'))).toBe(true);
    expect(wire.lines.join('\n')).not.toContain('noise');
    for (const way of ['console', 'stream', 'descriptor', 'child']) {
      expect(wire.stderr()).toContain(`noise at load by ${way}`);
      expect(wire.stderr()).toContain(`noise in a call by ${way}`);
    }
    for (const secret of team.secrets) expect(wire.lines.join('\n') + wire.stderr()).not.toContain(secret);
  });

  it('passes over what is no message, answers what it cannot do with an error of the protocol, and goes on', async (test) => {
    const { wire } = await open(test);
    const noMessages = [
      '{"jsonrpc":"2.0","id":1,"method"',
      '\u0000\u0001 no JSON',
      '[]',
      'null',
      '{"jsonrpc":"2.0","id":2}',
      '{"jsonrpc":"1.0","id":"three","method":"tools/list"}',
      '['.repeat(400_000),
    ];
    for (const text of noMessages) wire.send(text);
    const bad: readonly (readonly [string, number, string | number | undefined])[] = [
      ['{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"deploy","arguments":{}}}', -32602, 6],
      ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"constructor","arguments":{}}}', -32602, 7],
      ['{"jsonrpc":"2.0","id":8,"method":"no/such"}', -32601, 8],
    ];
    for (const [text, code, id] of bad) {
      const before = wire.lines.length;
      wire.send(text);
      const answer = await wire.until(({ error }) => error !== undefined, before);
      expect([answer.error?.code, answer.id], text.slice(0, 80)).toEqual([code, id]);
      expect(JSON.stringify(answer).length).toBeLessThan(300);
    }
    const params: readonly object[] = [
      { scop: scope },
      { scope: 12 },
      { scope: '' },
      { only: 'database' },
      { pr: -1 },
      { scope: 'x'.repeat(300) },
      { scope: 'x'.repeat(2_000_000) },
    ];
    for (const one of params) {
      const { result } = await wire.ask('tools/call', call('plan', one));
      expect(result, JSON.stringify(one).slice(0, 80)).toMatchObject({ isError: true, structuredContent: { error: { code: 'USAGE' } } });
    }
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    wire.send(`{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{"name":"plan","arguments":${deep}}}`);
    expect(JSON.stringify(await wire.until(({ id }) => id === 'deep'))).toMatch(/error/i);
    expect((await wire.ask('tools/call', call('explain', { code: 'USAGE' }))).result).toMatchObject({ structuredContent: { ok: true } });
  });

  it('goes on when nobody reads its stderr any more', async (test) => {
    const { wire, team } = await open(test, { plugin: noisy });
    await writeFile(join(team.checkout, 'release.plan.yaml'), plan);
    wire.process.stderr?.destroy();
    for (let calls = 0; calls < 3; calls += 1) {
      wire.send('no JSON, which is told on stderr');
      expect((await wire.ask('tools/call', call('explain', { code: 'USAGE' }))).result).toMatchObject({ structuredContent: { ok: true } });
    }
    expect((await wire.ask('tools/call', call('receipt', {}))).result).toMatchObject({ structuredContent: { ok: true } });
  });

  it('tells its version and how it is used to who asks for that alone', async () => {
    const run = (...args: readonly string[]) =>
      execute(process.execPath, [join(root, 'dist/pilotfish-mcp.js'), ...args], { cwd: root, env: {} });
    expect(await run('--version')).toMatchObject({ code: 0, stdout: (await pilotfish(['--version'], { cwd: root })).stdout });
    expect(await run('--help')).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('Usage: pilotfish-mcp') });
    expect(await run('--serve')).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('a run whose client goes away', () => {
  const ways: readonly (readonly [string, (wire: Wire) => void])[] = [
    ['its call is cancelled', (wire) => wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'apply' } })],
    ['stdin ends', (wire) => wire.process.stdin?.end()],
    ['SIGINT comes', (wire) => void wire.process.kill('SIGINT')],
    ['SIGTERM comes', (wire) => void wire.process.kill('SIGTERM')],
    ['the process that was started is killed', (wire) => void wire.process.kill('SIGKILL')],
  ];

  it.for(ways)('writes its ledger when %s, and the next run goes on from there', async ([way, stop], test) => {
    const { wire, team } = await open(test);
    // Long enough that the branch is still being made when the run is stopped.
    team.world.neon.faults.readyAfter(6);
    wire.send({
      jsonrpc: '2.0',
      id: 'apply',
      method: 'tools/call',
      params: call('apply', { scope, only }, { _meta: { progressToken: 'p' } }),
    });
    await wire.until(({ params }) => params?.message?.startsWith('database: waits') === true);
    stop(wire);
    if (way === 'its call is cancelled') {
      await released(wire);
      expect(wire.lines.some((line) => line.includes('"id":"apply"'))).toBe(false);
      wire.process.stdin?.end();
    }
    const { code } = await wire.ended;
    const left = await ledgerOf(team.remote, branchOf(scope));
    expect(left.receipt).toMatchObject({ command: 'apply', status: 'interrupted' });
    expect(left.lease?.released).not.toBeNull();
    expect([...left.records.values(), ...left.intents.values()].map(({ line }) => line)).toContain('database');
    if (way.startsWith('SIG')) {
      expect(code).toBe(way.startsWith('SIGINT') ? 130 : 143);
      expect((await wire.until(({ id }) => id === 'apply')).result).toMatchObject({
        isError: true,
        structuredContent: { status: 'interrupted' },
      });
    }
    const next = await pilotfish(['apply', '--scope', scope, `--only=${only}`, '--json'], { cwd: team.checkout, env: team.env });
    expect(JSON.parse(next.stdout)).toMatchObject({ ok: true, status: 'complete' });
    expect(team.world.neon.world.branches().filter(({ name }) => name === 'shop-pr-12')).toHaveLength(1);
  });

  /** Resolves when the run has written its receipt and given its lease back, as the server itself reads it. */
  async function released(wire: Wire): Promise<void> {
    for (let looks = 0; looks < 200; looks += 1) {
      const { result } = await wire.ask('tools/call', call('receipt', { scope }));
      const { receipt, held } = result?.structuredContent ?? {};
      if (receipt?.status === 'interrupted' && held === false) return;
    }
    throw new Error('the lease was not given back');
  }
});

/** Prints in every way there is, when it is loaded and when its secret is asked for. */
const noisy = `
import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
const print = (when) => {
  console.log('noise ' + when + ' by console');
  process.stdout.write('noise ' + when + ' by stream\\n');
  writeSync(1, 'noise ' + when + ' by descriptor\\n');
  spawnSync(process.execPath, ['-e', 'console.log(process.argv[1])', 'noise ' + when + ' by child'], { stdio: 'inherit' });
};
print('at load');
export const register = (registry) => registry.addSecretSource({
  scheme: 'noisy',
  resolve: async () => { print('in a call'); return 'a-quiet-secret-9f2c'; },
});
`;

const plan = `version: 1
changes:
  - id: pushes
    recipe: github.repo_webhook
    repo: acme/shop
    url: https://\${ctx.scope}.preview.acme.example
    events: [push]
    secret: { secret: noisy://anything }
`;

async function open(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  o: { readonly plugin?: string } = {},
): Promise<{ team: Team; wire: Wire }> {
  const team = await startTeam();
  onTestFinished(() => team.stop());
  const plugin = join(team.checkout, 'plugin.mjs');
  if (o.plugin !== undefined) await writeFile(plugin, o.plugin);
  const wire = await openWire({ cwd: team.checkout, env: { ...team.env, ...(o.plugin !== undefined && { PILOTFISH_PLUGINS: plugin }) } });
  onTestFinished(() => {
    wire.process.kill('SIGTERM');
  });
  return { team, wire };
}
