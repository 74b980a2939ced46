import { parseJSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { binary, pilotfish, root } from '../cli/program.ts';
import { startTeam } from '../demo/team.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { connect } from './connect.ts';
import { openWire, type Wire } from './wire.ts';

describe('pilotfish mcp', () => {
  it('is the tool server: it lists the tools, and plans', async () => {
    const team = await startTeam();
    onTestFinished(() => team.stop());
    const agent = await connect({ cwd: team.checkout, env: team.env, words: [process.execPath, binary, 'mcp'] });
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(['apply', 'catalogue', 'destroy', 'explain', 'list', 'plan', 'receipt']);
    const { document, isError } = await agent.call('plan', { scope: 'pr-12' });
    expect([isError, document.ok, document.command]).toEqual([false, true, 'plan']);
    expect(document.lines?.length).toBeGreaterThan(5);
    await agent.close();
    expect([agent.noise, agent.stderr()]).toEqual([[], '']);
  });

  const ends: readonly (readonly [string, number | null, (wire: Wire) => void])[] = [
    ['its input ends', 0, (wire) => wire.process.stdin?.end()],
    ['Ctrl-C comes', 130, (wire) => void wire.process.kill('SIGINT')],
    ['it is killed', null, (wire) => void wire.process.kill('SIGKILL')],
  ];

  it.each(ends)('ends when %s, with nothing but messages on stdout, and its server ends with it', async (_, code, end) => {
    const cwd = await tempFolder('mcp');
    const wire = await openWire({ cwd, env: { HOME: cwd }, words: [binary, 'mcp'] });
    await wire.ask('tools/list', {});
    end(wire);
    // The server holds the output of the process that was started, so the output ends with the server.
    expect((await wire.ended).code).toBe(code);
    expect(wire.lines.length).toBeGreaterThan(1);
    for (const line of wire.lines) expect(() => parseJSONRPCMessage(JSON.parse(line)), line).not.toThrow();
  });

  it.each([
    ['--serve', 'has no flag "--serve"'],
    ['stdio', 'takes no argument, and was given "stdio"'],
  ])('refuses %s, and starts nothing', async (word, why) => {
    const ended = await pilotfish(['mcp', word], { cwd: root });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`pilotfish mcp ${why}`) });
  });
});
