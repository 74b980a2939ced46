import { Failure } from '../../core/errors.ts';
import { shellQuote } from '../../core/how-to-set.ts';
import { type Checked, checkCredential } from './check.ts';
import type { SetupCredential } from './document.ts';
import type { ByPlan } from './hosts.ts';
import type { ApiNeed, NeededVariable, PlanNeeds } from './needs.ts';
import type { SetupWorld } from './world.ts';

/** The values that were found or typed. They stay in memory. */
export interface Gathered {
  readonly values: Map<string, { readonly value: string; readonly source: 'environment' | 'typed' }>;
  readonly credentials: SetupCredential[];
}

/**
 * Goes through the APIs of the plan. For each it says where to make the credential and which rights it needs at least, takes the credential
 * from the environment or the keyboard, and checks it. `gathered` always holds the results so far, so an interruption loses none.
 */
export async function gatherCredentials(needs: PlanNeeds, env: NodeJS.ProcessEnv, world: SetupWorld, gathered: Gathered): Promise<void> {
  for (const need of needs.apis) await gatherApi(need, env, world, gathered);
  const known = new Set(needs.apis.flatMap(({ variables }) => variables.map(({ name }) => name)));
  for (const { variable, lines } of needs.secrets.filter((secret) => !known.has(secret.variable))) {
    world.signal.throwIfAborted();
    const provider = `secret of ${lines.join(', ')}`;
    world.say(`\n${variable}: ${provider}`);
    const taken = await take({ name: variable, isSecret: true }, { env, world, gathered, mayAsk: true });
    const result: Checked = { status: 'uncheckable', problem: 'Only the plan knows its purpose, so pilotfish cannot check it.' };
    note(gathered, world, { provider, setup: null }, [{ name: variable, isSecret: true }], taken ?? result);
  }
}

async function gatherApi(need: ApiNeed, env: NodeJS.ProcessEnv, world: SetupWorld, gathered: Gathered): Promise<void> {
  world.signal.throwIfAborted();
  world.say(`\n${need.title}`);
  if (need.setup) {
    world.say(`  Made at: ${need.setup.page}`);
    world.say(`  It needs: ${need.setup.needs}`);
  }
  if (need.command) world.say(`  The command \`${need.command.join(' ')}\` prints it; CI must be able to run this command too.`);
  if (need.byPlan && need.byPlan.hosts.length > 0) world.say(`  It is sent to: ${namedHosts(need.byPlan)}`);
  let wrong: Checked | null = null;
  for (const variable of need.variables) {
    wrong = (await take(variable, { env, world, gathered, mayAsk: !need.isUnfinished })) ?? wrong;
  }
  const missing = need.variables.filter(({ name, isOptional }) => !isOptional && !gathered.values.has(name));
  const isWhole = missing.length === 0 || need.isUnfinished;
  const result = wrong ?? (isWhole ? await checked(need, env, world, gathered) : waitsFor(missing));
  note(gathered, world, need, need.variables, result);
}

/** A part of a credential cannot be checked without its other parts. */
const waitsFor = (missing: readonly NeededVariable[]): Checked => ({
  status: 'unchecked',
  problem: `The check needs ${missing.map(({ name }) => name).join(' and ')} too.`,
});

async function checked(need: ApiNeed, env: NodeJS.ProcessEnv, world: SetupWorld, { values }: Gathered): Promise<Checked> {
  const isSent = !need.isUnfinished && need.setup !== null && need.check !== null;
  const unsaid = isSent && need.byPlan ? await withoutWord(need.byPlan, need, world) : null;
  if (unsaid !== null) return { status: 'unchecked', problem: unsaid };
  const own = Object.fromEntries(need.variables.flatMap(({ name }) => (values.has(name) ? [[name, values.get(name)?.value]] : [])));
  return await checkCredential(need, { ...world, env: { ...env, ...own } });
}

/**
 * Asks about hosts and commands that only the plan names. Returns `null` if a person agreed, otherwise the reason why nothing is sent or
 * started.
 */
async function withoutWord(byPlan: ByPlan, { variables }: ApiNeed, { ask, sendTo }: SetupWorld): Promise<string | null> {
  const hosts = byPlan.hosts.filter((host) => !sendTo.includes(host));
  const what = variables.filter(({ isSecret }) => isSecret).map(({ name }) => name);
  if (hosts.length > 0) {
    const isAllowed = await ask?.confirm(`Send ${what.join(' and ') || 'the credential'} to ${hosts.join(' and ')}?`);
    const way = hosts.map((host) => `\`--send-to ${host}\``).join(' and ');
    if (!isAllowed) return `It was not sent to ${namedHosts({ ...byPlan, hosts })} If that is right, run in a terminal, or add ${way}.`;
  }
  if (byPlan.command === null) return null;
  const command = byPlan.command.map(shellQuote).join(' ');
  if (await ask?.confirm(`Run \`${command}\`, which the plan names?`)) return null;
  return `The plan names the command \`${command}\`, and pilotfish did not run it. If the command is right, allow it in a terminal.`;
}

const namedHosts = ({ hosts, documented }: ByPlan): string =>
  `${hosts.join(' and ')}, which only the plan names.${documented === null ? '' : ` The provider's own is ${documented}.`}`;

interface Taking {
  readonly env: NodeJS.ProcessEnv;
  readonly world: SetupWorld;
  readonly gathered: Gathered;
  readonly mayAsk: boolean;
}

/** Adds a value to the gathered ones, if there is one. A value that cannot be masked gives a refusal. */
async function take({ name, isSecret, isOptional }: NeededVariable, { env, world, gathered, mayAsk }: Taking): Promise<Checked | null> {
  const { values } = gathered;
  if (values.has(name)) return null;
  const found = env[name]?.trim() ?? '';
  const isAsked = found === '' && mayAsk && !isOptional && world.ask !== null;
  const question = `${name} (press Enter to leave it out)`;
  const typed = isAsked && world.ask ? (await (isSecret ? world.ask.secret(question) : world.ask.text(question))).trim() : '';
  const value = found === '' ? typed : found;
  if (value === '') return null;
  if (isSecret) {
    try {
      world.redactor.add(value);
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      return { status: 'refused', problem: `${name}: ${thrown.detail}` };
    }
  }
  values.set(name, { value, source: found === '' ? 'typed' : 'environment' });
  return null;
}

/** Keeps the result of a check, and prints it. */
function note(
  { values, credentials }: Gathered,
  world: SetupWorld,
  { provider, setup }: Pick<ApiNeed, 'provider' | 'setup'>,
  variables: readonly NeededVariable[],
  result: Checked,
): void {
  const about = { provider, page: setup?.page ?? null, needs: setup?.needs ?? null };
  const outcome = {
    status: result.status,
    ...(result.status === 'works' ? { unproven: result.unproven } : { problem: result.problem }),
  };
  if (variables.length === 0) credentials.push({ variable: null, ...about, source: null, ...outcome });
  let isTold = variables.length === 0;
  for (const { name } of variables.filter((one) => !one.isOptional || values.has(one.name))) {
    const source = values.get(name)?.source ?? null;
    const isMissing = source === null && result.status !== 'refused' && result.status !== 'waiting';
    world.say(
      `  ${name}: ${source === null ? (isMissing ? 'missing' : 'left out') : source === 'typed' ? 'typed' : 'from the environment'}`,
    );
    credentials.push({ variable: name, ...about, source, ...(isMissing ? { status: 'missing' as const } : outcome) });
    isTold ||= !isMissing;
  }
  if (isTold)
    world.say(`  ${result.status === 'works' ? `It works: ${result.request}. A read does not prove ${result.unproven}.` : result.problem}`);
}
