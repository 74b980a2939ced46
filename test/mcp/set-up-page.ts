import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { z } from 'zod';
import { root } from '../cli/program.ts';

const page = await readFile(join(root, 'docs/agents.md'), 'utf8');
const setUp = page.slice(page.indexOf('## Set up'), page.indexOf('## The skill'));

/** A server as an agent's program starts it. */
export interface Start {
  readonly command: string;
  readonly args: readonly string[];
}

const server = z.strictObject({ type: z.literal('stdio').optional(), command: z.string(), args: z.array(z.string()).default([]) });

/** The member of each program's file that holds its servers. */
export const members: { readonly [file: string]: string } = {
  '.mcp.json': 'mcpServers',
  '.codex/config.toml': 'mcp_servers',
  '.cursor/mcp.json': 'mcpServers',
  '.vscode/mcp.json': 'servers',
  '.gemini/settings.json': 'mcpServers',
};

interface SetUpFile {
  readonly file: string;
  readonly form: string;
  readonly text: string;
}

/** The files that the page shows, by the program that reads them. */
export const files: readonly SetUpFile[] = [...setUp.matchAll(/, in `([^`]+)`:\n\n```(json|toml)\n(.*?)```/gs)].map(
  ([, file = '', form = '', text = '']) => ({ file, form, text }),
);

/** The commands of programs that add a server by one. */
export const lines: readonly string[] = /```sh\n(.*?)```/s.exec(setUp)?.[1]?.trim().split('\n') ?? [];

/** The start of a package that the repository itself has installed. */
export const installedStart: Start = startIn({
  file: '.mcp.json',
  form: 'json',
  text: /`--no` starts [^\n]+\n\n```json\n(.*?)```/s.exec(setUp)?.[1] ?? '',
});

/** The commands that put the skill where programs look for it. */
export const skillCommands: string = /## The skill\n.*?```sh\n(.*?)```/s.exec(page)?.[1] ?? '';

/** Throws for a file that its program would not read, and for anything in it that is not ours. */
export function startIn({ file, form, text }: SetUpFile): Start {
  const member = members[file] ?? '';
  const content: unknown = form === 'toml' ? parseToml(text) : JSON.parse(text);
  const { pilotfish } = z.strictObject({ [member]: z.strictObject({ pilotfish: server }) }).parse(content)[member] ?? {};
  if (!pilotfish) throw new Error(`${file} names no server`);
  return pilotfish;
}
