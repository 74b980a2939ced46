import PQueue from 'p-queue';
import { canonicalJson } from '../../core/canonical.ts';
import { Failure } from '../../core/errors.ts';
import { shellQuote } from '../../core/how-to-set.ts';
import { isMap } from '../../core/json.ts';
import type { ProviderBlock } from '../../http/types.ts';
import type { Plan } from '../../plan/types.ts';
import type { CommandCall, CommandResult, RunCommand } from '../../platform/command.ts';
import type { Session } from '../session.ts';

/**
 * Runs the programs that print a run's secrets, side by side, and never more at once than a small machine carries. A program that hung is
 * not started again in this run: otherwise a hundred references would wait for it one after another.
 */
export function commandRunner(o: Omit<CommandCall, 'argv'>): RunCommand {
  const queue = new PQueue({ concurrency: atOnce });
  const hung = new Map<string, CommandResult>();
  const run = async (argv: readonly string[]): Promise<CommandResult> => {
    const [program = ''] = argv;
    const known = hung.get(program);
    if (known) return known;
    const { runCommand } = await import('../../platform/command.ts');
    const result = await runCommand({ ...o, argv });
    if ('failed' in result && result.failed === 'timed-out') hung.set(program, result);
    return result;
  };
  return (argv) => queue.add(() => run(argv));
}

/** Some of these programs take 200 MB each. */
const atOnce = 6;

/** Commands that API blocks of the plan and of its recipe families name, each as one text. */
export function commandsOf(plan: Pick<Plan, 'apis' | 'providers' | 'familyBlocks'>): ReadonlySet<string> {
  const entries = [...plan.apis.values(), ...plan.providers.values(), ...plan.familyBlocks];
  return new Set(entries.flatMap(({ values }) => commandIn(values.auth)));
}

/**
 * Refuses a command that stands in the ledger alone: anybody who may push to its branch would choose what runs here. A command that the
 * plan or a recipe also names was reviewed with the code.
 */
export async function checkStoredCommand(session: Session, { api, auth }: ProviderBlock): Promise<void> {
  const [command] = commandIn(auth);
  if (command === undefined || session.commands.has(command) || session.env.PILOTFISH_STORED_COMMANDS === '1') return;
  for (const name of session.registry.familyNames()) {
    const family = await session.registry.family(name);
    if (commandIn(family?.provider.auth).includes(command)) return;
  }
  const shown = (JSON.parse(command) as readonly string[]).map(shellQuote).join(' ');
  throw new Failure('PROVIDER_AUTH', {
    detail: `The ledger says that \`${shown}\` prints the token of ${api}. No plan here and no recipe names that command, so it was not run.`,
    fix: 'Look at the command; if it is yours, put the plan back or run again with PILOTFISH_STORED_COMMANDS=1.',
  });
}

const commandIn = (auth: unknown): readonly string[] => (isMap(auth) && Array.isArray(auth.command) ? [canonicalJson(auth.command)] : []);
