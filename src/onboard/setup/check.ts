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

/** How a credential stood the one request that it was checked with. */
export type Checked =
  | { readonly status: 'works'; readonly request: string; readonly unproven: string }
  /** The provider refused it, or says that it cannot do the work. */
  | { readonly status: 'unauthorized'; readonly problem: string }
  /** It was not sent: it has a form, or a prefix, that is refused beforehand. */
  | { readonly status: 'refused'; readonly problem: string }
  /** Nothing is known of it: no answer came, or one that says nothing about the credential. */
  | { readonly status: 'unchecked'; readonly problem: string }
  /** Placeholders of the plan are to be filled in first. */
  | { readonly status: 'waiting'; readonly problem: string }
  /** No read of this provider proves a credential. */
  | { readonly status: 'uncheckable'; readonly problem: string };

export interface CheckWorld {
  /** The variables, with what was typed among them. */
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
      problem: `The settings of ${provider} still have a # TODO, and no credential is sent to an address that may be wrong.`,
    };
  }
  const [wrong] = checkCredentials(block, world.env);
  if (wrong) return { status: 'refused', problem: `${wrong.detail} ${wrong.fix}` };
  if (setup === null)
    return {
      status: 'uncheckable',
      problem: `${provider} is described by the plan alone, so no request is known that would prove its credential.`,
    };
  if (check === null) return { status: 'uncheckable', problem: `No read-only request of ${need.title} proves the credential.` };

  const waits = check.kind === 'poor' ? 'It is checked once the # TODO of its line is filled in. ' : '';
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

/** `GET /projects?limit=1`: the path below the API's address, the whole address where it is another one. */
function shown(facts: RequestFacts | undefined, base: string): string {
  if (!facts) return 'no request';
  return `${facts.method} ${facts.url.startsWith(base) ? facts.url.slice(base.length) || '/' : facts.url}`;
}

/** What the answer to a check says that the credential lacks, a sentence each. */
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
