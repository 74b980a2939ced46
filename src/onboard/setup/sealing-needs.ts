import { type BlockCredential, sealsNothing, secretSealsNothing } from '../../ops/sealing-credentials.ts';
import { type PlanLine, SecretRef } from '../../plan/types.ts';

/** A credential that would seal the ledger's facts about some lines. */
export interface SealingNeed {
  /** The name in reports: the API, or a line that has its own credential or none. */
  readonly of: string;
  readonly environments: readonly string[];
  /** `null` for an output of another line, which no later run has. */
  readonly credential: BlockCredential | { readonly secret: string } | null;
  /** The variables that the plan calls credentials. */
  readonly named: ReadonlySet<string>;
}

/** The credential that seals a line. `api` is the API of the line; `null` if it has none. */
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

/** The known facts about the jobs of CI. */
export interface JobFacts {
  /** The variables of the jobs. A missing variable is judged by its name. */
  readonly env: NodeJS.ProcessEnv;
  /** The jobs sign in with a token of their own, so their AWS keys belong to a session. */
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
