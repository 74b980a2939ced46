import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { binary } from '../cli/program.ts';
import { compiled } from '../support/git-remote.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { hasTmux, openTerminal, type Terminal } from './terminal.ts';

/** How each shell starts without the files of a person, and loads a script. */
const shells = {
  bash: { start: "PS1='$ ' bash --noprofile --norc -i", load: 'source' },
  zsh: { start: "PS1='$ ' zsh -f -i", load: 'source' },
  fish: {
    start: "fish --no-config --init-command \"function fish_prompt; printf '%s ' '$'; end; function fish_greeting; end\"",
    load: 'source',
  },
} as const;
type ShellName = keyof typeof shells;

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

/** Texts that would run, or end a line, in some shell. Each makes a file `pwned-…` where it runs. */
const hostile = [
  '$(touch pwned-a)',
  '`touch pwned-b`',
  "x';touch pwned-c;'",
  'x";touch pwned-d;"',
  'x;touch pwned-e',
  'x\ntouch pwned-f\n',
];

const plan = `version: 1
name: shop
environments: [preview, staging, "${'$'}(touch pwned-g)"]
changes:
  - { id: database, adapter: neon, op: branch }
  - { id: data-key, adapter: neon, op: "\\e]0;title\\a\\e[2J" }
${hostile.map((text) => `  - { id: ${JSON.stringify(`data${text}`)}, adapter: ${JSON.stringify(text)}, op: x }`).join('\n')}
`;

/** A checkout in which hostile people have named branches, and wrote the plan and the scopes. */
async function openCheckout(): Promise<{ readonly folder: string; readonly env: Readonly<Record<string, string>> }> {
  const home = await tempFolder('completion');
  const folder = join(home, 'shop');
  await mkdir(join(folder, 'traces'), { recursive: true });
  await mkdir(join(home, 'bin'));
  await writeFile(join(folder, 'release.plan.yaml'), plan);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'shop', dependencies: { stripe: '^1.0.0' } }));
  await writeFile(join(home, 'bin/pilotfish'), `#!/bin/sh\nexec ${process.execPath} ${binary} "$@"\n`);
  await chmod(join(home, 'bin/pilotfish'), 0o755);
  const env = { HOME: home, PATH: `${join(home, 'bin')}:${process.env.PATH ?? ''}`, NODE_COMPILE_CACHE: compiled, LANG: 'C.UTF-8' };
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...args], { cwd: folder, env, encoding: 'utf8' }).trim();
  git('init', '--quiet', '--initial-branch=main');
  git('commit', '--quiet', '--allow-empty', '--message=first');
  for (const name of [
    'login',
    ...hostile.flatMap((text) => (/[\n ]/.test(text) ? [] : [text])),
    '$(touch${IFS}pwned-h)',
    "x';touch${IFS}pwned-i;'",
  ]) {
    git('update-ref', `refs/heads/feature-${name}`, 'HEAD');
  }
  for (const scope of ['feature-login', ...hostile.map((text) => `feature${text}`)]) {
    const branch = `shop_${[...Buffer.from(scope)].map((byte) => (/[a-z0-9.-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`)).join('')}`;
    git('update-ref', `refs/remotes/origin/pilotfish-receipts/preview/${branch}`, 'HEAD');
  }
  return { folder, env };
}

async function openShell(shell: ShellName, onEnd: (stop: () => Promise<void>) => void): Promise<{ terminal: Terminal; folder: string }> {
  const { folder, env } = await openCheckout();
  const { start, load } = shells[shell];
  const script = join(folder, '../completion');
  await writeFile(script, execFileSync(process.execPath, [binary, 'completion', shell], { env }));
  const terminal = await openTerminal({ columns: 200, rows: 30, command: start, cwd: folder, env: { ...env, TERM: 'tmux-256color' } });
  onEnd(() => terminal.stop());
  await terminal.becomes((screen) => /^\$ ?$/m.test(screen.split('\n').slice(1).join('\n')), 'a prompt');
  // A person who loads the script a second time must not see an error.
  for (const _ of ['once', 'twice']) await enter(terminal, `${load} ${script}`);
  await enter(terminal, 'clear');
  await terminal.becomes((screen) => /^\$ ?\n*$/.test(screen), 'a clean screen');
  return { terminal, folder };
}

async function enter(terminal: Terminal, line: string): Promise<void> {
  await terminal.type(line);
  await terminal.press('Enter');
}

/** Types and presses TAB, until the line is `line`. */
async function tab(terminal: Terminal, typed: string, line: string): Promise<void> {
  await terminal.type(typed);
  await terminal.press('Tab');
  await terminal.becomes((screen) => screen.split('\n').some((shown) => shown.trimEnd() === `$ ${line}`), line);
}

describe.for(Object.keys(shells) as ShellName[])('completion in %s', (shell) => {
  const isHere = hasTmux && has(shell);
  const needs = isHere ? '' : ` (skipped: needs tmux and ${shell})`;

  it.skipIf(!isHere)(
    `offers commands, flags, lines, scopes, environments, choices and files, and runs nothing of a plan, a branch, a scope or the line${needs}`,
    async ({ onTestFinished }) => {
      if (!existsSync(binary)) throw new Error('dist/pilotfish.js is missing: run `npm run build` first');
      const { terminal, folder } = await openShell(shell, onTestFinished);
      let line = 'pilotfish';
      for (const [typed, whole] of [
        ['pilotfish app', 'apply'],
        ['--sco', '--scope'],
        ['feature-', 'feature-login'],
        ['--env=stag', '--env=staging'],
        ['--only datab', '--only database'],
        ['--recreate="datab', shell === 'zsh' ? '--recreate=database' : '--recreate="database"'],
        ['--progress pl', '--progress plain'],
        ['--plan rel', '--plan release.plan.yaml'],
        ['--trace tra', '--trace traces/'],
      ] as const) {
        line += ` ${whole}`;
        await tab(terminal, typed, line);
      }
      await terminal.press('C-u');
      await tab(terminal, 'pilotfish explain LEASE_H', 'pilotfish explain LEASE_HELD');
      await terminal.press('C-u');
      await tab(terminal, 'pilotfish init --add pay', 'pilotfish init --add payments');

      const before = await readdir(folder);
      await terminal.press('C-u');
      const hostileLine = 'pilotfish plan --sha "$(touch pwned-j)" --pr `touch pwned-k` --only datab';
      await tab(terminal, hostileLine, `${hostileLine}ase`);
      for (const flag of ['--only', '--branch']) {
        await terminal.press('C-c');
        await terminal.type(`pilotfish plan ${flag} `);
        for (const key of ['Tab', 'Tab']) await terminal.press(key);
        // A shell that asks pilotfish reads no key meanwhile, and one that shows this key has its answer.
        await terminal.type('@');
        await terminal.becomes((screen) => /@ ?$/m.test(screen.slice(screen.lastIndexOf(`plan ${flag} `))), 'the key after an answer');
        const [shown = ''] = (await terminal.screen()).split(`pilotfish plan ${flag} `).slice(1);
        expect(shown).not.toMatch(/touch|pwned|not found|error/i);
      }
      await terminal.press('C-c');
      await enter(terminal, 'echo works-still');
      await terminal.becomes((screen) => /^works-still$/m.test(screen), 'works-still');
      expect(await readdir(folder)).toEqual(before);
    },
  );
});
