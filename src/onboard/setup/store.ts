import type { CommandResult } from '../../platform/command.ts';
import type { Origin, SecretCli, SecretLists } from './code-host.ts';
import type { SetupSecrets } from './document.ts';
import type { SetupWorld } from './world.ts';

/** A value that may become a CI secret, under the name that CI hosts allow. */
export interface Candidate {
  readonly name: string;
  readonly value: string;
  /** This value never replaces a secret that the host has. `made`: this process made the value, so nobody can type it. */
  readonly onlyNew?: 'made' | 'given';
}

export type StoreState = { -readonly [key in keyof SetupSecrets]: SetupSecrets[key] };

/**
 * Offers to store each checked value with the program for CI secrets of `origin`, which gets the value on its stdin. `state` always holds
 * the stored names, so an interruption loses none. An interruption waits for a value that is being stored.
 */
export async function storeSecrets(candidates: readonly Candidate[], origin: Origin, world: SetupWorld, state: StoreState): Promise<void> {
  if (candidates.length === 0) return;
  state.left = candidates.map(({ name, onlyNew }) => ({
    name,
    command: origin.host === 'other' ? null : byHand(origin.cli, name, onlyNew),
  }));
  if (origin.host === 'other') {
    const where = origin.url === null ? 'There is no remote origin' : 'pilotfish does not know the host of the remote origin';
    state.why = `${where}, so you must set these by hand, in the settings of its CI.`;
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
  for (const candidate of candidates) {
    world.signal.throwIfAborted();
    const end = await offer(candidate, { cli, slug, world });
    if ('why' in end) {
      state.why = end.why;
      continue;
    }
    const { name } = candidate;
    state.left = state.left.filter((one) => one.name !== name);
    if ('problem' in end) state.failed = [...state.failed, { name, problem: end.problem }];
    else state[end.is] = [...state[end.is], name];
    world.say(`  ${'problem' in end ? `${name} is not stored. ${end.problem}` : `${name} ${end.is === 'stored' ? 'is stored.' : kept}`}`);
  }
}

/** The words of a report about a secret that stays. */
export const kept = 'exists and stays as it is.';

/** `why` is the reason why a person must store the secret by hand. */
type End = { readonly is: 'stored' | 'kept' } | { readonly problem: string } | { readonly why: string };

interface Host {
  readonly cli: SecretCli;
  readonly slug: string;
  readonly world: SetupWorld;
}

async function offer({ name, value, onlyNew }: Candidate, { cli, slug, world }: Host): Promise<End> {
  const there = onlyNew && cli.names ? await namesAt(cli.names, world) : [];
  if (there === null) return { why: `${cli.program} did not list the existing secrets, and this setup must not replace one.` };
  if (there.includes(name)) return { is: 'kept' };
  const asked = onlyNew === 'made' ? `Make ${name} and store it` : `Store ${name}`;
  const question = `${asked} as a CI secret of ${slug}? An existing secret of that name ${onlyNew ? 'stays' : 'is replaced'}.`;
  if (!world.isYes && !(await world.ask?.confirm(question))) return { why: 'You declined to store some of these.' };
  const first = await world.run(cli.set(name, value), value);
  if (onlyNew && isTaken(first)) return { is: 'kept' };
  const problem = problemOf(cli.replace !== null && isTaken(first) ? await world.run(cli.replace(name, value), value) : first, cli, world);
  return problem === null ? { is: 'stored' } : { problem };
}

const byHand = (cli: SecretCli, name: string, onlyNew: Candidate['onlyNew']): string =>
  onlyNew === 'made' ? cli.makeByHand(name) : cli.byHand(name);

/** The names of the secrets that jobs receive; `null` if the host does not list them. */
async function namesAt([own, ...others]: SecretLists, { run }: SetupWorld): Promise<readonly string[] | null> {
  const namesOf = (answer: CommandResult): string[] | null =>
    'failed' in answer || answer.code !== 0 ? null : answer.stdout.split(/\s+/).filter((name) => name !== '');
  const first = namesOf(await run(own));
  if (first === null) return null;
  // The repository of a person has no organization, so the list of shared secrets may fail.
  for (const list of others) first.push(...(namesOf(await run(list)) ?? []));
  return first;
}

async function whyUnready({ program, install, status, login }: SecretCli, world: SetupWorld): Promise<string | null> {
  const answer = await world.run(status);
  if ('failed' in answer) {
    return answer.failed === 'not-found'
      ? `${program} stores CI secrets here, and it is not installed. Install it from ${install}, then run \`${login}\` and these commands:`
      : `${answer.detail} ${answer.fix}`;
  }
  return answer.code === 0 ? null : `${program} is not signed in. Run \`${login}\`, then these commands:`;
}

function problemOf(answer: CommandResult, { program }: SecretCli, { redactor }: SetupWorld): string | null {
  if ('failed' in answer) return redactor.text(`${answer.detail} ${answer.fix}`);
  if (answer.code === 0) return null;
  return redactor.text(`${program} ended with ${answer.code}${answer.said === '' ? '.' : `: ${answer.said}`}`);
}

/** GitLab's API says: "(SERVER_TOKEN) has already been taken". */
const isTaken = (answer: CommandResult): boolean =>
  !('failed' in answer) && answer.code !== 0 && /already been taken|already exists/i.test(answer.said);
