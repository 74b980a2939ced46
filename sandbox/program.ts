#!/usr/bin/env node
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from './package.json' with { type: 'json' };
import { type Asked, help, readArguments } from './program/arguments.ts';
import { checkoutAt, gitVariables } from './program/checkout.ts';
import { runChild } from './program/child.ts';
import { signedInPath } from './program/commands.ts';
import { exportLine, type Variables } from './serve/environment.ts';
import { keptPort } from './serve/folder.ts';
import { Problem } from './serve/problem.ts';
import { moveHere, openProviders } from './serve/providers.ts';
import { type Sandbox, startSandbox } from './serve/sandbox.ts';

const { version } = manifest;

async function main(): Promise<number> {
  const asked = readArguments(process.argv.slice(2));
  if (asked.what === 'help') return print(help);
  if (asked.what === 'version') return print(`${version}\n`);
  if (asked.what === 'values') return print(valuesOf(asked));
  const sandbox = await startSandbox({ state: asked.state, port: asked.port, version });
  try {
    return asked.command ? await runIn(sandbox, asked.state, asked.command) : await stand(sandbox, asked);
  } finally {
    await sandbox.stop();
  }
}

/** Runs the command in the sandbox. The page's address goes to stderr, so the command's output stays the command's. */
async function runIn(sandbox: Sandbox, state: string, command: NonNullable<Asked['command']>): Promise<number> {
  process.stderr.write(`pilotfish-sandbox: ${sandbox.providers.length} providers at ${sandbox.url} (open it to see what they hold)\n`);
  return await runChild(command, { ...process.env, ...(await variablesIn(sandbox, state, process.env)) });
}

/** Stands until somebody ends it. */
async function stand(sandbox: Sandbox, { state }: Asked): Promise<number> {
  const all = await variablesIn(sandbox, state, {});
  const file = join(state, 'env.sh');
  const { PATH: _, ...others } = all;
  writeFileSync(file, `${exportLine(others)}\n${exportLine({ PATH: join(state, 'bin') })}:"$PATH"\n`, { mode: 0o600 });
  const lines = [...sandbox.variables.values()].map(exportLine);
  const { slug } = await checkoutAt(process.cwd());
  const remote = sandbox.remote(slug);
  print(
    [
      ...lines,
      exportLine({ PILOTFISH_LEDGER_KEY: sandbox.ledgerKey }),
      '',
      `The sandbox stands: ${sandbox.providers.length} providers at ${sandbox.url}, which is also a page that shows them.`,
      `  In another shell:   . ${file}     sets all of the above, and leads git here`,
      ...(remote === null
        ? ['  There is no git on this machine, so there is no git remote.']
        : [`  A remote alone:     git remote add sandbox ${remote}`]),
      '  What a plan may name:  pilotfish-sandbox values',
      'Ctrl-C ends it. Its state stays, and the next start finds it.',
      '',
    ].join('\n'),
  );
  return await new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => resolve(0));
  });
}

/** Everything that leads a command here: the providers, the key of its ledgers, the git remote, and who is signed in. */
async function variablesIn(sandbox: Sandbox, state: string, env: NodeJS.ProcessEnv): Promise<Variables> {
  const checkout = await checkoutAt(process.cwd());
  const remote = sandbox.remote(checkout.slug);
  const here = ['127.0.0.1', 'localhost'];
  return {
    ...Object.assign({}, ...sandbox.variables.values()),
    PILOTFISH_LEDGER_KEY: sandbox.ledgerKey,
    ...(remote !== null && gitVariables(checkout, remote, env)),
    NO_PROXY: [...(env.NO_PROXY ?? env.no_proxy ?? '').split(','), ...here].filter((host) => host !== '').join(),
    PATH: signedInPath(state, env.PATH ?? ''),
  };
}

function valuesOf({ state, port, isJson }: Asked): string {
  const providers = openProviders();
  moveHere(providers, `http://127.0.0.1:${port ?? keptPort(state) ?? '<port>'}`);
  const known = providers.filter(({ values }) => Object.keys(values).length > 0);
  if (isJson) return `${JSON.stringify(Object.fromEntries(known.map(({ name, values }) => [name, values])), null, 2)}\n`;
  const rows = known.flatMap(({ name, values }) => Object.entries(values).map(([param, value]) => [name, param, value] as const));
  const widths = [0, 1].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map(([name, param, value]) => `${name.padEnd(widths[0] ?? 0)}  ${param.padEnd(widths[1] ?? 0)}  ${value}\n`).join('');
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  process.stderr.write(`pilotfish-sandbox: ${error.message}\n  Fix: ${error.fix}\n`);
  process.exitCode = 2;
}
