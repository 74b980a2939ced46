import { randomBytes } from 'node:crypto';
import { Failure } from '../../core/errors.ts';
import { ledgerKeysIn, ledgerKeyVariable } from '../../ops/sealing-credentials.ts';
import type { Origin } from './code-host.ts';
import type { SetupCredential, SetupLedger } from './document.ts';
import { type Candidate, kept, type StoreState } from './store.ts';
import type { SetupWorld } from './world.ts';

/**
 * Takes the key of a ledger from the environment, or makes a new one, if not every line is sealed by its credential. The key is never
 * shown. Returns `null` if the key of the environment is refused; `credentials` then holds the reason.
 */
export function ledgerKeyFor(
  unsealed: readonly string[],
  env: NodeJS.ProcessEnv,
  { redactor, say }: SetupWorld,
  credentials: SetupCredential[],
): Candidate | null {
  say(`\n${ledgerKeyVariable}\n  It seals what the ledger holds of ${unsealed.join(' and ')}: the credentials there seal nothing.`);
  const given = env[ledgerKeyVariable]?.trim() ?? '';
  const value = given === '' ? randomBytes(32).toString('hex') : given;
  redactor.addIfLong(value);
  try {
    for (const key of ledgerKeysIn(env)) redactor.add(key);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const problem = `${thrown.detail} ${thrown.fix}`;
    say(`  ${problem}`);
    credentials.push({
      variable: ledgerKeyVariable,
      provider: 'the ledger',
      status: 'refused',
      source: 'environment',
      page: null,
      needs: null,
      problem,
    });
    return null;
  }
  return { name: ledgerKeyVariable, value, onlyNew: given === '' ? 'made' : 'given' };
}

/** Tells the result for the key in one line. */
export function ledgerKeyDoc(
  unsealed: readonly string[],
  key: Candidate | null,
  { host }: Origin,
  { stored, kept: there }: Pick<StoreState, 'stored' | 'kept'>,
): SetupLedger['key'] {
  if (unsealed.length === 0) return { status: 'not needed', why: null };
  const sealed = `It seals what the ledger holds of ${unsealed.join(' and ')}.`;
  if (there.includes(ledgerKeyVariable)) return { status: 'kept', why: `${ledgerKeyVariable} ${kept} ${sealed}` };
  if (!stored.includes(ledgerKeyVariable)) {
    const byHand = 'make one with `openssl rand -hex 32`, and store it where CI reads its secrets';
    return { status: 'left', why: `${ledgerKeyVariable} is not stored. ${sealed} Unless CI has one, ${byHand}.` };
  }
  if (key?.onlyNew !== 'made') return { status: 'stored', why: `${ledgerKeyVariable} of this environment is stored. ${sealed}` };
  return { status: 'made', why: `${ledgerKeyVariable} is made and stored, and was never shown. ${sealed} ${elsewhere[host]}` };
}

const second = `${ledgerKeyVariable}_2`;

/** Says how a machine outside CI gets a key that CI believes. */
const elsewhere: Readonly<Record<Origin['host'], string>> = {
  github: `GitHub never shows it again. For another machine make a second key, store it as ${second}, and give the jobs \`${ledgerKeyVariable}: \${{ secrets.${second} }} \${{ secrets.${ledgerKeyVariable} }}\`.`,
  gitlab: 'For another machine a maintainer copies it from the settings of the project, under CI/CD, Variables.',
  other: '',
};
