import type { Dispatcher } from 'undici';
import type { Clock } from '../../core/clock.ts';
import { Failure } from '../../core/errors.ts';
import { getAt, splitPointer } from '../../core/pointer.ts';
import type { Redactor } from '../../core/redact.ts';
import { checkCredentials } from '../../http/auth/check.ts';
import { createClient } from '../../http/client.ts';
import type { RequestFacts } from '../../http/shared.ts';
import type { Expectation } from '../../ops/setup.ts';
import type { ApiNeed } from './needs.ts';

/** The result of the one request that checked a credential. */
export type Checked =
  | { readonly status: 'works'; readonly request: string; readonly unproven: string }
  /** The provider refused the credential, or says that it lacks a right. */
  | { readonly status: 'unauthorized'; readonly problem: string }
  /** The credential was not sent, because its form or its prefix is wrong. */
  | { readonly status: 'refused'; readonly problem: string }
  /** No answer came, or the answer says nothing about the credential. */
  | { readonly status: 'unchecked'; readonly problem: string }
  /** A person must first fill in placeholders of the plan. */
  | { readonly status: 'waiting'; readonly problem: string }
  /** No read of this provider proves a credential. */
  | { readonly status: 'uncheckable'; readonly problem: string };

export interface CheckWorld {
  /** The variables of the environment, and the typed values. */
  readonly env: NodeJS.ProcessEnv;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly dispatcher?: Dispatcher;
}

/** Checks the credential of one API with one read-only request, sent once. */
export async function checkCredential(need: ApiNeed, world: CheckWorld): Promise<Checked> {
  const { block, setup, provider, check } = need;
  if (need.isUnfinished || block === null) {
    return {
      status: 'waiting',
      problem: `The settings of ${provider} still have a # TODO. pilotfish sends no credential to an address that may be wrong.`,
    };
  }
  const [wrong] = checkCredentials(block, world.env);
  if (wrong) return { status: 'refused', problem: `${wrong.detail} ${wrong.fix}` };
  if (setup === null)
    return {
      status: 'uncheckable',
      problem: `Only the plan describes ${provider}, so pilotfish knows no request that proves its credential.`,
    };
  if (check === null) return { status: 'uncheckable', problem: `No read-only request of ${need.title} proves the credential.` };

  const waits = check.kind === 'poor' ? 'The check waits until the # TODO of its line is filled in. ' : '';
  const sent: RequestFacts[] = [];
  const client = createClient({ ...world, onRequest: (facts) => sent.push(facts) });
  try {
    const { status, body } = await client.api(block).send(check.request, { purpose: 'read', retry: 'none' });
    const request = shown(sent.at(-1), block.base_url);
    const [lacks] = lacking(body, check.expects);
    if (lacks !== undefined) return { status: 'unauthorized', problem: `unauthorized: ${provider}: ${request} -> ${status}: ${lacks}` };
    return { status: 'works', request, unproven: check.unproven };
  } catch (thrown) {
    if (world.signal.aborted || !(thrown instanceof Failure)) throw thrown;
    const { code, detail, fix, status } = thrown;
    if (code === 'PROVIDER_AUTH' && typeof status === 'number') {
      const answered = `${shown(sent.at(-1), block.base_url)} -> ${status}`;
      if (check.refuses !== null)
        return { status: waits ? 'waiting' : 'unchecked', problem: `${waits}${provider}: ${answered}. ${check.refuses}` };
      return { status: 'unauthorized', problem: `unauthorized: ${provider}: ${answered}` };
    }
    if (code === 'PROVIDER_AUTH' || code === 'SECRET_UNRESOLVED' || code === 'CREDENTIAL_MISSING')
      return { status: 'refused', problem: `${detail} ${fix}` };
    return { status: waits ? 'waiting' : 'unchecked', problem: `${waits}${detail}` };
  } finally {
    client.close();
  }
}

/** `GET /projects?limit=1`: the path below the API's address, or the whole address if it is elsewhere. */
function shown(facts: RequestFacts | undefined, base: string): string {
  if (!facts) return 'no request';
  return `${facts.method} ${facts.url.startsWith(base) ? facts.url.slice(base.length) || '/' : facts.url}`;
}

/** The rights that the credential lacks, by the answer to its check: one sentence each. */
export const lacking = (answer: unknown, expects: readonly Expectation[]): readonly string[] =>
  expects.filter((one) => !isMet(answer, one)).map(({ lacks }) => lacks);

function isMet(answer: unknown, { at, any_of: wanted, where }: Expectation): boolean {
  if (where !== undefined && (getAt(answer, where) ?? null) === null) return true;
  const found = valuesAt(answer, splitPointer(at)).filter((value) => value !== undefined && value !== null);
  return wanted === undefined ? found.length > 0 : found.some((value) => wanted.some((one) => one === value));
}

/** All values under a pointer whose `*` stands for every entry. */
function valuesAt(value: unknown, [head, ...rest]: readonly string[]): readonly unknown[] {
  if (head === undefined) return [value];
  if (head === '*') return Array.isArray(value) ? value.flatMap((entry: unknown) => valuesAt(entry, rest)) : [];
  return valuesAt(getAt(value, `/${head.replaceAll('~', '~0').replaceAll('/', '~1')}`), rest);
}
