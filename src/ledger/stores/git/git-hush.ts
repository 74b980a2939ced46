import { once } from '../../../core/once.ts';
import { Redactor } from '../../../core/redact.ts';
import { gitInCheckout, runGit } from '../../../platform/git-system.ts';
import { secretsInAddress } from '../../../platform/git-url.ts';

/** Masks what a remote says, before anything of it is cut or kept. A host may quote any credential, also one that was not sent to it. */
export interface Hush {
  readonly redactor: Redactor;
  /** Reads the credentials in git's configuration. Called only before a remote's words are told, because most runs tell none. */
  learn(): Promise<void>;
}

export interface HushOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly redactor?: Redactor | undefined;
}

export function createHush({ cwd, env, redactor = new Redactor() }: HushOptions): Hush {
  const learn = once(async () => {
    // A git that is missing or does not answer has told no secret either.
    const answer = await runGit(['config', '-z', '--get-regexp', credentialKeys], {
      cwd,
      env: gitInCheckout(env),
      timeoutMs: 10_000,
    }).catch(() => null);
    for (const entry of answer?.stdout.split('\0') ?? []) {
      const [key = '', ...lines] = entry.split('\n');
      for (const secret of secretsInEntry(key, lines.join('\n'))) redactor.addIfLong(secret);
    }
  });
  return { redactor, learn };
}

/** Headers, proxies and addresses; an address stands in the key of `url.<address>.insteadOf` and `http.<address>.…`. */
const credentialKeys = '(extraheader|proxy|url|insteadof)$';

function secretsInEntry(key: string, value: string): readonly string[] {
  const inKey = secretsInAddress(/^\w+\.(.*)\.\w+$/s.exec(key)?.[1] ?? '');
  const header = /extraheader$/i.test(key) ? secretsInHeader(value.slice(value.indexOf(':') + 1)) : [];
  return [...inKey, ...secretsInAddress(value), ...header];
}

/** A header's value as a whole, its payload, and what a basic payload holds. */
export function secretsInHeader(header: string): readonly string[] {
  const value = header.trim();
  const [scheme, payload] = value.split(/\s+/);
  if (payload === undefined) return [value];
  if (scheme?.toLowerCase() !== 'basic') return [value, payload];
  const inside = Buffer.from(payload, 'base64').toString('utf8');
  const password = inside.slice(inside.indexOf(':') + 1);
  return [value, payload, ...(password === '' ? [] : [password])];
}
