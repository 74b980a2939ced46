import { type BlockCredential, sealsNothing, secretSealsNothing } from '../../ops/sealing-credentials.ts';
import { type PlanLine, SecretRef } from '../../plan/types.ts';

/** A credential that would seal what the ledger holds of some lines. */
export interface SealingNeed {
  /** As reports name it: the API, or the line that has a credential of its own or none. */
  readonly of: string;
  readonly environments: readonly string[];
  /** `null`: an output of another line, which no later run holds. */
  readonly credential: BlockCredential | { readonly secret: string } | null;
  /** Variables that the plan calls credentials. */
  readonly named: ReadonlySet<string>;
}

/** What seals a line. `api`: the API that it uses; `null` where it has none. */
export function sealingNeedOf(
  line: PlanLine,
  api: ({ readonly name: string } & BlockCredential) | null,
  environment: string,
  named: SealingNeed['named'],
): SealingNeed {
  const { credential } = line;
  const need = { of: line.id, environments: [environment], named };
  if (credential instanceof SecretRef) return { ...need, credential: { secret: credential.reference } };
  if (credential !== null) return { ...need, credential: null };
  return { ...need, of: api?.name ?? line.id, credential: api ?? { auth: null } };
}

/** What is known of the jobs of CI. */
export interface JobFacts {
  /** The variables that they will hold. One that is missing here is judged by its name. */
  readonly env: NodeJS.ProcessEnv;
  /** They sign in with a token of their own, so that keys of AWS are those of a session. */
  readonly isRoleSession: boolean;
}

/** The needs whose credential seals nothing in CI, each once. */
export function unsealedIn(needs: readonly SealingNeed[], jobs: JobFacts): readonly Pick<SealingNeed, 'of' | 'environments'>[] {
  const found = new Map<string, readonly string[]>();
  for (const need of needs.filter((one) => isUnsealed(one, jobs)))
    found.set(need.of, [...new Set([...(found.get(need.of) ?? []), ...need.environments])]);
  return [...found].map(([of, environments]) => ({ of, environments }));
}

function isUnsealed({ credential, named }: SealingNeed, { env, isRoleSession }: JobFacts): boolean {
  if (credential === null) return true;
  if ('secret' in credential) return secretSealsNothing(credential.secret, env, named);
  return (isRoleSession && credential.session_token_env !== undefined) || sealsNothing(credential, env, named);
}
