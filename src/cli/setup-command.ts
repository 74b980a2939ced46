import { systemClock } from '../core/clock.ts';
import type { Redactor } from '../core/redact.ts';
import type { InitDoc } from '../engine/init-document.ts';
import { openRegistry } from '../engine/prepare/registry.ts';
import { maskRemote } from '../engine/prepare/secret-variables.ts';
import type { Store } from '../ledger/stores/store.ts';
import { initText } from '../onboard/init-text.ts';
import { findRoot } from '../onboard/repository.ts';
import { release } from '../onboard/setup/release.ts';
import { setup } from '../onboard/setup/setup.ts';
import { setupText } from '../onboard/setup/setup-text.ts';
import { type RepositoryFacts, repositoryFacts } from '../platform/checkout.ts';
import { runCommand } from '../platform/command.ts';
import { initShape } from './init-shape.ts';
import type { Output } from './output.ts';
import type { Flags } from './parse.ts';
import { watchSignals } from './signals.ts';
import { terminalOf } from './terminal-of.ts';
import type { CliWorld } from './world.ts';

/**
 * Runs `pilotfish init --setup`, after plain `init`. Questions and messages go to stderr, the report to stdout. A signal never stops a
 * program while it stores a secret: the first signal lets it end, within the deadline of all programs.
 */
export async function runSetup(init: InitDoc, flags: Flags, world: CliWorld, output: Output): Promise<number> {
  const { cwd, env, network = {} } = world;
  const { clock = systemClock, dispatcher } = network;
  const { redactor, say } = output;
  const interruption = watchSignals({ source: world.signals, say, meaning: 'the setup asks and stores nothing more', exitNow: world.exit });
  const { signal } = interruption;
  const unstoppable = new AbortController().signal;
  const isYes = flags.has('yes');
  const sendTo = flags.get('send-to');
  const hosts = Array.isArray(sendTo) ? sendTo : [];
  const terminal = isYes || output.isJson ? null : await terminalOf(world, { signal, undone: 'before the setup was done' });
  try {
    const [registry, facts, { folder }] = await Promise.all([openRegistry({ env, cwd }), repositoryFacts(cwd, env), findRoot(cwd)]);
    maskRemote(redactor, facts);
    if (init.plan.written && !output.isJson) say(initText({ ...init, next: credentialsFollow }, cwd, output.styles));
    const document = await setup(
      { cwd, env, root: facts?.top ?? folder, remoteUrl: facts?.remoteUrl ?? null, registry, init },
      {
        ask: terminal,
        sendTo: hosts,
        isYes,
        say,
        redactor,
        signal,
        clock,
        ...(dispatcher && { dispatcher }),
        run: (argv, input) =>
          runCommand({ argv, env, clock: systemClock, signal: unstoppable, redactor, ...(input !== undefined && { input }) }),
        release: world.release === undefined ? release : world.release,
        openLedger: world.openLedger ?? ledgerOf(facts, { cwd, env, redactor }),
      },
    );
    terminal?.close();
    output.report(document, (told, styles) => setupText(told, cwd, styles), initShape);
    return document.interrupted ? (interruption.exitCode() ?? 130) : document.ok ? 0 : 1;
  } finally {
    terminal?.close();
    interruption.stop();
  }
}

function ledgerOf(
  facts: RepositoryFacts | null,
  { cwd, env, redactor }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly redactor: Redactor },
): (() => Promise<Store>) | null {
  if (!facts?.remote) return null;
  return async () => {
    const { openStore } = await import('../ledger/stores/open-store.ts');
    return await openStore({ receipts: null, facts, cwd, env, clock: systemClock, redactor });
  };
}

const credentialsFollow = { command: null, why: 'Next come the credentials that the plan needs.' };
