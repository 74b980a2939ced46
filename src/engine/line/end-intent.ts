import type { Session } from '../session.ts';
import type { LineWork } from './work.ts';

/** Ends an intent of this run that made nothing: it was never sent, or a definite answer or a believed look says so. */
export function endIntent(session: Session, work: LineWork): void {
  if (work.intent?.run !== session.runId || work.identity === null) return;
  work.intent = null;
  void session.writer.submit([{ kind: 'withdraw', identity: work.identity }], { urgent: false }).catch(() => undefined);
}
