import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { serverBinary } from './connect.ts';
import { files, lines, members, type Start, startIn } from './set-up-page.ts';

/** The command line after `--`, as a program splits it: no word needs quotes. */
function startOf(line: string): Start {
  expect(line).toMatch(/^(claude mcp add --scope project|codex mcp add) pilotfish -- [a-z -]+$/);
  const [command = '', ...args] = line.split(' -- ')[1]?.split(' ') ?? [];
  return { command, args };
}

describe('the page for agents', () => {
  it('has a file for five programs, and each is of the form that its program reads', () => {
    expect(files.map(({ file }) => file)).toEqual(Object.keys(members));
    expect(lines).toHaveLength(2);
    for (const start of [...files.map(startIn), ...lines.map(startOf)]) expect(start).toMatchObject({ command: 'pilotfish-mcp', args: [] });
  });

  it('names a command that starts the tool server, where the package has put it on the PATH', async () => {
    const cwd = await tempFolder('set-up');
    const bin = join(cwd, 'bin');
    await mkdir(bin);
    // This is what `npm install --global` makes of `bin` in package.json.
    await writeFile(join(bin, 'pilotfish-mcp'), `#!/bin/sh\nexec "${process.execPath}" "${serverBinary}" "$@"\n`);
    await chmod(join(bin, 'pilotfish-mcp'), 0o755);
    const [first] = files;
    if (!first) throw new Error('the page has no file');
    const { command, args } = startIn(first);
    const transport = new StdioClientTransport({
      command,
      args: [...args],
      cwd,
      env: { PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: cwd },
    });
    const client = new Client({ name: 'set-up', version: '1.0.0' });
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['plan', 'apply', 'catalogue']));
    await client.close();
  });
});
