import { codeHostOf, isCodeHost } from '../../host/code-host.ts';
import { hostTime } from '../../host/host-time.ts';
import type { HistoryEntry, Renewal } from '../../ledger/model/facts.ts';
import { isProduction } from '../../plan/context.ts';
import type { Lifetime } from '../../plan/types.ts';
import type { RepositoryFacts } from '../../platform/checkout.ts';
import type { LifetimeDoc } from '../receipt-document.ts';
import type { Session } from '../session.ts';
import { hostPatience } from './host-patience.ts';
import { isApply } from './staleness.ts';

/**
 * The renewal that an apply stores with its history: the time by the code host's clock, and how long the scope stays after it. `null` where
 * nothing expires, and where no host tells the time: the clock of this machine decides nothing, so such a scope stays.
 */
export async function renewalOf(
  session: Session,
  o: { readonly lifetime: Lifetime | null; readonly repository: RepositoryFacts | null; readonly pr: number | null },
): Promise<Renewal | null> {
  const staysMs = (o.pr === null ? o.lifetime?.othersMs : o.lifetime?.idleMs) ?? null;
  if (staysMs === null || isProduction(session.environment)) return null;
  const now = await timeOf(session, o.repository);
  if (typeof now === 'string') {
    const warning = `This scope does not expire until its next apply with a code host: ${now}.`;
    if (!session.warnings.includes(warning)) session.warnings.push(warning);
    return null;
  }
  const label = o.pr === null ? null : (o.lifetime?.label ?? null);
  return { at: new Date(now).toISOString(), staysMs, ...(label !== null && { label }) };
}

/** The time at the code host, or the reason why it is not known. */
async function timeOf(session: Session, repository: RepositoryFacts | null): Promise<number | string> {
  const { client, env, clock, stopping, waitUntil } = session;
  const host = codeHostOf(env, repository);
  if (!isCodeHost(host)) return host.why;
  const known = client.api(host.block).time?.() ?? null;
  if (known !== null) return known;
  const o = { clock, signal: stopping, leftMs: waitUntil - clock.mono() };
  const told = await hostPatience(o, (signal) => hostTime(client, host, signal)).catch(() => null);
  return told ?? 'the code host told no time';
}

/** The end of a scope, as the last apply in its history says; `null` where that apply told none. People read it, and nothing follows from it. */
export function lifetimeOf(history: readonly HistoryEntry[]): LifetimeDoc | null {
  const renewed = history.findLast(isApply)?.renewed;
  return renewed ? lifetimeDoc(renewed) : null;
}

export function lifetimeDoc({ at, staysMs, label }: Renewal): LifetimeDoc | null {
  const end = endOf({ at, staysMs });
  return end === null ? null : { goesAt: new Date(end).toISOString(), ...(label !== undefined && { label }) };
}

/** Anybody who can push may write any number into a ledger, also one that is no date. */
const latest = 8.64e15;

/** The end of a scope by the code host's clock; `null` for one beyond every date. */
export function endOf({ at, staysMs }: Pick<Renewal, 'at' | 'staysMs'>): number | null {
  const end = Date.parse(at) + staysMs;
  return end <= latest ? end : null;
}
