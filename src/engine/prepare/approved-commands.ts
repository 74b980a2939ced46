import { canonicalJson, hashJson } from '../../core/canonical.ts';
import { Failure } from '../../core/errors.ts';
import { shellQuote } from '../../core/how-to-set.ts';
import { isMap } from '../../core/json.ts';
import type { Writer } from '../../ledger/writer/writer.ts';
import type { RunCommand } from '../../platform/command.ts';
import { type SecretSources, secretCommand } from '../../secrets/index.ts';
import type { CommandGate, Prepared } from '../types.ts';
import { secretsOf } from './access.ts';

/** The facts of a run that tell which programs it may start. */
interface RunFacts {
  readonly writer: Pick<Writer, 'state' | 'head'>;
  readonly registry: SecretSources;
  readonly env: NodeJS.ProcessEnv;
}

/** The programs that a run may start. Without a gate a person started the run, which approves what the plan names. */
export class ApprovedCommands {
  readonly #gate: CommandGate | undefined;
  #approved: ReadonlySet<string> = new Set();

  constructor(gate: CommandGate | undefined) {
    this.#gate = gate;
  }

  /** Starts only approved programs, even when a command shows up while the run goes on. */
  guard(run: RunCommand): RunCommand {
    if (this.#gate === undefined) return run;
    return async (argv) => {
      if (!this.#approved.has(canonicalJson(argv))) throw unapproved([argv]);
      return await run(argv);
    };
  }

  /**
   * Asks for approval of every command that this run may start, after the ledger was read and before any provider is asked. The approval
   * is about the use of the commands, too: the run's lines with their hosts and requests, and the ledger as it is. Throws
   * `COMMAND_NOT_APPROVED`.
   */
  check({ writer, registry, env }: RunFacts, prepared: Prepared | null): void {
    if (this.#gate === undefined) return;
    const { records, intents } = writer.state;
    const stored: readonly unknown[] = [...records.values(), ...intents.values()];
    const lines = prepared?.lines ?? [];
    const references = [...lines.flatMap((line) => secretsOf(line).map(({ reference }) => reference)), ...stored.flatMap(secretIn)];
    const addresses = [...lines.map(({ block }) => block.base_url), ...stored.flatMap(addressIn)];
    const commands = new Map(
      [
        ...lines.flatMap(({ block }) => commandsIn(block.auth)),
        ...stored.flatMap((fact) => (isMap(fact) && isMap(fact.provider) ? commandsIn(fact.provider.auth) : [])),
        ...references.flatMap((reference) => secretCommand(registry, reference, env)),
      ].map((argv) => [canonicalJson(argv), argv]),
    );
    const wanted = {
      commands: [...commands.values()],
      hosts: hostsOf(addresses),
      basis: hashJson([lines.map(planned), writer.head]),
    };
    if (commands.size > 0 && !this.#gate.approves(wanted)) throw unapproved(wanted.commands);
    this.#approved = new Set(commands.keys());
  }
}

const commandsIn = (auth: unknown): readonly (readonly string[])[] => (isMap(auth) && Array.isArray(auth.command) ? [auth.command] : []);

const secretIn = (fact: unknown): readonly string[] =>
  isMap(fact) && isMap(fact.credential) && typeof fact.credential.secret === 'string' ? [fact.credential.secret] : [];

/** A line as the plan has it, with the address and the credential of its requests. It holds places in the file, so any change counts. */
const planned = ({ line, op, opName, recipe, block, params, credential, destroy, after }: Prepared['lines'][number]): unknown =>
  JSON.parse(JSON.stringify([line.id, opName, recipe, op.template ?? null, block, params, credential, destroy, after]));

const addressIn = (fact: unknown): readonly string[] =>
  isMap(fact) && isMap(fact.provider) && typeof fact.provider.base_url === 'string' ? [fact.provider.base_url] : [];

const hostsOf = (addresses: readonly string[]): readonly string[] =>
  [...new Set(addresses.map((address) => URL.parse(address)?.host ?? address))].sort();

function unapproved(commands: readonly (readonly string[])[]): Failure {
  const shown = commands.map((argv) => `\`${argv.map(shellQuote).join(' ')}\``).join(', ');
  return new Failure('COMMAND_NOT_APPROVED', {
    detail: `A token or a secret of this run is printed by ${shown}. An agent asked for the run, and no person approved that ${commands.length === 1 ? 'this command is' : 'these commands are'} started. Nothing was started, and no provider was asked.`,
  });
}
