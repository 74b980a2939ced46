import { version } from '../core/version.ts';
import { helpText } from './help.ts';
import { checkTogether } from './modes.ts';
import type { Output } from './output.ts';
import { type Invocation, parseArgv } from './parse.ts';
import type { CliWorld } from './world.ts';

/**
 * Runs one invocation of pilotfish: reads the command line, runs the command, reports, and resolves with the exit code. It never rejects.
 */
export async function main(argv: readonly string[], world: CliWorld, output: Output): Promise<number> {
  let command = 'pilotfish';
  try {
    if (argv[0] === 'complete' && argv[1] === '--') {
      const { answerShell } = await import('./completion/answer.ts');
      return await answerShell(argv.slice(2), world, output);
    }
    const invocation = parseArgv(argv);
    if (invocation.kind === 'run') command = invocation.command;
    return await dispatch(invocation, world, output);
  } catch (thrown) {
    return output.fail(command, thrown);
  }
}

async function dispatch(invocation: Invocation, world: CliWorld, output: Output): Promise<number> {
  if (invocation.kind === 'version') {
    output.report({ schema: 1, ok: true, command: 'version', version } as const, () => `${version}\n`, 'own');
    return 0;
  }
  if (invocation.kind === 'help') {
    const text = helpText(invocation.command);
    output.report({ schema: 1, ok: true, command: 'help', text } as const, () => text, 'own');
    return 0;
  }
  checkTogether(invocation.command, invocation.flags);
  return await run(invocation, world, output);
}

async function run(invocation: Extract<Invocation, { kind: 'run' }>, world: CliWorld, output: Output): Promise<number> {
  const { flags } = invocation;
  switch (invocation.command) {
    case 'init': {
      const { runInit } = await import('./init-command.ts');
      return await runInit(flags, world, output);
    }
    case 'list': {
      const { runList } = await import('./list-command.ts');
      return await runList(flags, world, output);
    }
    case 'show': {
      const { runShow } = await import('./list-command.ts');
      return await runShow(invocation.argument ?? '', flags, world, output);
    }
    case 'run': {
      const { runChild } = await import('./child-command.ts');
      return await runChild(invocation.program, flags, world, output);
    }
    case 'live': {
      const { runLive } = await import('./live-command.ts');
      return await runLive(invocation.argument ?? '', flags, world, output);
    }
    case 'sandbox': {
      const { runSandbox } = await import('./sandbox-command.ts');
      return await runSandbox(invocation.program, flags, world, output);
    }
    case 'ledger': {
      const { runLedger } = await import('./ledger-command.ts');
      return await runLedger(invocation, flags, world, output);
    }
    case 'mcp': {
      const { serveAgents } = await import('./mcp-command.ts');
      return await serveAgents(world);
    }
    case 'explain': {
      const { explain } = await import('../core/explain.ts');
      const { explainText } = await import('../report/explain-text.ts');
      output.report(explain(invocation.argument), explainText, 'own');
      return 0;
    }
    case 'completion': {
      const { printCompletion } = await import('./completion/answer.ts');
      return printCompletion(invocation.argument ?? '', output);
    }
    case 'plan':
    case 'apply': {
      const { isSkippedAsForeign } = await import('./foreign.ts');
      if (flags.has('run')) {
        const { traceEarlierRun } = await import('./earlier-run.ts');
        return await traceEarlierRun(flags, world, output);
      }
      if (isSkippedAsForeign(invocation.command, world.env, output)) return 0;
      const { runCommand } = await import('./run-command.ts');
      return await runCommand(invocation.command, flags, world, output);
    }
  }
}
