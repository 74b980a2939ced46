import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../cli/program.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { serverBinary } from './connect.ts';

const page = await readFile(join(root, 'docs/agents.md'), 'utf8');
const setUp = page.slice(page.indexOf('## Set up'), page.indexOf('## Tools'));

/** A server as an agent's program starts it. */
interface Start {
  readonly command: string;
  readonly args: readonly string[];
}

const server = z.strictObject({ type: z.literal('stdio').optional(), command: z.string(), args: z.array(z.string()).default([]) });

/** The member of each program's file that holds its servers. */
const members: { readonly [file: string]: string } = {
  '.mcp.json': 'mcpServers',
  '.codex/config.toml': 'mcp_servers',
  '.cursor/mcp.json': 'mcpServers',
  '.vscode/mcp.json': 'servers',
  '.gemini/settings.json': 'mcpServers',
};

const files = [...setUp.matchAll(/, in `([^`]+)`:\n\n```(json|toml)\n(.*?)```/gs)].map(([, file = '', form, text = '']) => ({
  file,
  form,
  text,
}));
const lines = /```sh\n(.*?)```/s.exec(setUp)?.[1]?.trim().split('\n') ?? [];

/** Throws for a file that its program would not read, and for anything in it that is not ours. */
function startIn({ file, form, text }: (typeof files)[number]): Start {
  const member = members[file] ?? '';
  const content: unknown = form === 'toml' ? parseToml(text) : JSON.parse(text);
  const { pilotfish } = z.strictObject({ [member]: z.strictObject({ pilotfish: server }) }).parse(content)[member] ?? {};
  if (!pilotfish) throw new Error(`${file} names no server`);
  return pilotfish;
}

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
