import { createHmac, hkdfSync } from 'node:crypto';
import PQueue from 'p-queue';
import type { Redactor } from '../../core/redact.ts';
import type { Sealed } from '../../core/sealed.ts';
import { slowHash } from '../../core/slow-hash.ts';
import { addressVariables, credentialVariables, variablesOf, withoutSecret } from '../../http/auth/variables.ts';
import type { AuthForm } from '../../http/types.ts';
import type { CredentialSource, KeySource, SealKey } from '../../ledger/seals/lists.ts';
import type { Keys } from '../../ledger/seals/sealing.ts';
import { ledgerKeysIn, sealsNothing, secretSealsNothing } from '../../ops/sealing-credentials.ts';

export interface KeyringOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Salts the keys, so that one credential seals nothing for another repository. */
  readonly repository: string;
  readonly redactor: Redactor;
  readonly readSecret: (reference: string) => Promise<Sealed>;
  /** Variables that the plan's API blocks call credentials. */
  readonly named: ReadonlySet<string>;
}

/** At most this many credentials of one run have a key. A forged ledger that names more of them costs no more time. */
const mostKeys = 64;
const keyBytes = 32;

/** The keys that seal a scope's facts: those of `PILOTFISH_LEDGER_KEY`, and one derived from each credential that this run holds. */
export class Keyring implements Keys {
  readonly #o: KeyringOptions;
  /** The first key seals. The others are from before a rotation and are still believed. */
  readonly #ledger: readonly SealKey[];
  readonly #bySource = new Map<string, Promise<SealKey | null>>();
  readonly #ofForm = new WeakMap<object, { readonly [credential: string]: string }>();
  readonly #held = new Map<string, SealKey>();
  /** Node has four threads for this, for files and for names of hosts. */
  readonly #deriving = new PQueue({ concurrency: 2 });

  constructor(o: KeyringOptions) {
    this.#o = o;
    this.#ledger = ledgerKeys(o);
    for (const key of this.#ledger) this.#held.set(key.id, key);
  }

  held(): Iterable<SealKey> {
    return this.#held.values();
  }

  /** Whether a person set a key that seals every fact. */
  get hasLedgerKey(): boolean {
    return this.#ledger.length > 0;
  }

  async keysOf(source: CredentialSource | null): Promise<readonly SealKey[]> {
    const [first] = this.#ledger;
    const own = source && (await this.#credentialKey(source));
    return [...(first ? [first] : []), ...(own ? [own] : [])];
  }

  /** All keys that may have sealed a fact of this credential. */
  async keysBelieved(source: CredentialSource | null): Promise<readonly SealKey[]> {
    const own = source && (await this.#credentialKey(source));
    return [...this.#ledger, ...(own ? [own] : [])];
  }

  #credentialKey(source: CredentialSource): Promise<SealKey | null> {
    const name = this.#nameOf(source);
    const known = this.#bySource.get(name);
    if (known) return known;
    const making = this.#bySource.size < mostKeys ? this.#derive(source) : Promise.resolve(null);
    this.#bySource.set(name, making);
    return making;
  }

  /** Thousands of facts are of a few forms, each of which is one object. */
  #nameOf({ auth, session_token_env, credential }: CredentialSource): string {
    const text = (): string => JSON.stringify([auth, session_token_env ?? null, credential]);
    if (auth === null || credential !== 'block') return text();
    const known = this.#ofForm.get(auth)?.[session_token_env ?? ''];
    if (known !== undefined) return known;
    const name = text();
    this.#ofForm.set(auth, { ...this.#ofForm.get(auth), [session_token_env ?? '']: name });
    return name;
  }

  async #derive(source: CredentialSource): Promise<SealKey | null> {
    const values = await this.#values(source);
    if (values === null) return null;
    const text = JSON.stringify(values);
    const bytes = await this.#deriving.add(() => slowHash(text, saltOf(this.#o.repository), keyBytes));
    const key = keyOf(bytes, source);
    this.#held.set(key.id, key);
    return key;
  }

  /** All that the credential puts into a request; `null` for one that seals nothing. */
  async #values({ auth, session_token_env, credential }: CredentialSource): Promise<readonly string[] | null> {
    const { env } = this.#o;
    const block = { api: '', base_url: '', auth, ...(session_token_env !== undefined && { session_token_env }) };
    if (credential !== 'block') {
      const secret = await this.#o.readSecret(credential.secret).catch(() => null);
      const rest: AuthForm | null = withoutSecret(auth);
      if (secret === null || secretSealsNothing(credential.secret, env, this.#o.named, secret.reveal())) return null;
      return [secret.reveal().trim(), ...valuesOf(credentialVariables({ ...block, auth: rest }), env)];
    }
    if (auth === null || sealsNothing(block, env, this.#o.named)) return null;
    const secrets = variablesOf(auth).filter(({ secret }) => secret);
    const values = valuesOf([...credentialVariables({ ...block }), ...addressVariables(block)], env);
    return secrets.every(({ name }) => (env[name]?.trim() ?? '') !== '') ? values : null;
  }
}

const valuesOf = (names: readonly string[], env: NodeJS.ProcessEnv): string[] => names.map((name) => env[name]?.trim() ?? '');

const saltOf = (repository: string): string => `pilotfish seal ${repository}`;

function keyOf(bytes: Buffer, source: KeySource): SealKey {
  return { id: createHmac('sha256', bytes).update('pilotfish seal key').digest('hex').slice(0, 16), bytes, source };
}

function ledgerKeys({ env, repository, redactor }: KeyringOptions): readonly SealKey[] {
  return ledgerKeysIn(env).map((text) => {
    redactor.add(text);
    return keyOf(Buffer.from(hkdfSync('sha256', text, saltOf(repository), 'ledger', keyBytes)), 'ledger');
  });
}
