import type { CommandResult } from '../../platform/command.ts';
import type { Origin, SecretCli } from './code-host.ts';
import type { SetupSecrets } from './document.ts';
import type { SetupWorld } from './world.ts';

/** A value that may become a CI secret, under the name that CI hosts allow. */
export interface Candidate {
  readonly name: string;
  readonly value: string;
}

export type StoreState = { -readonly [key in keyof SetupSecrets]: SetupSecrets[key] };

/**
 * Offers each checked value to the program that stores CI secrets of `origin`, which gets it on its stdin. `state` holds what was
 * stored whenever this is interrupted; one that is being stored is waited for.
 */
export async function storeSecrets(candidates: readonly Candidate[], origin: Origin, world: SetupWorld, state: StoreState): Promise<void> {
  if (candidates.length === 0) return;
  state.left = candidates.map(({ name }) => ({ name, command: origin.host === 'other' ? null : origin.cli.byHand(name) }));
  if (origin.host === 'other') {
    const where = origin.url === null ? 'There is no remote origin' : 'Whose host origin is, is not known';
    state.why = `${where}, so these are set by hand, in the settings of its CI.`;
    return;
  }
  const { cli, slug } = origin;
  if (world.ask === null && !world.isYes) {
    state.why = 'Nobody could be asked: run `pilotfish init --setup` in a terminal, or with `--yes`.';
    return;
  }
  const unready = await whyUnready(cli, world);
  if (unready !== null) {
    state.why = unready;
    return;
  }
  for (const { name, value } of candidates) {
    world.signal.throwIfAborted();
    const question = `Store ${name} as a CI secret of ${slug}? One of that name is replaced.`;
    if (!world.isYes && !(await world.ask?.confirm(question))) {
      state.why = 'Not all of these were to be stored.';
      continue;
    }
    const problem = await store(cli, name, value, world);
    state.left = state.left.filter((one) => one.name !== name);
    if (problem === null) {
      state.stored = [...state.stored, name];
      world.say(`  ${name} is stored.`);
    } else {
      state.failed = [...state.failed, { name, problem }];
      world.say(`  ${name} is not stored. ${problem}`);
    }
  }
}

async function whyUnready({ program, install, status, login }: SecretCli, world: SetupWorld): Promise<string | null> {
  const answer = await world.run(status);
  if ('failed' in answer) {
    return answer.failed === 'not-found'
      ? `${program} stores CI secrets here, and it is not installed. Get it at ${install}, then run \`${login}\` and these:`
      : `${answer.detail} ${answer.fix}`;
  }
  return answer.code === 0 ? null : `${program} is not signed in. Run \`${login}\`, then these:`;
}

async function store(cli: SecretCli, name: string, value: string, { run, redactor }: SetupWorld): Promise<string | null> {
  const first = await run(cli.set(name, value), value);
  const answer = cli.replace !== null && isTaken(first) ? await run(cli.replace(name, value), value) : first;
  if ('failed' in answer) return redactor.text(`${answer.detail} ${answer.fix}`);
  if (answer.code === 0) return null;
  return redactor.text(`${cli.program} ended with ${answer.code}${answer.said === '' ? '.' : `: ${answer.said}`}`);
}

/** As the host's API words it: "(SERVER_TOKEN) has already been taken". */
const isTaken = (answer: CommandResult): boolean =>
  !('failed' in answer) && answer.code !== 0 && /already been taken|already exists/i.test(answer.said);
