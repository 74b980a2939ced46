import type { Condition } from './api.ts';

export type Standing =
  | { readonly state: 'ready' }
  | { readonly state: 'wait'; readonly detail: string }
  | { readonly state: 'failed'; readonly reason: string | null };

/** The state of a revision by its condition Ready. */
export function standingOf(condition: Condition | undefined): Standing {
  switch (condition?.state) {
    case 'CONDITION_SUCCEEDED':
      return { state: 'ready' };
    case 'CONDITION_FAILED':
      return { state: 'failed', reason: reasonOf(condition) };
    default: {
      const why = condition && (condition.revisionReason ?? condition.reason);
      return { state: 'wait', detail: why ? `starting (${words(why)})` : 'starting' };
    }
  }
}

/** The message of a condition, else its reason in plain words. */
export function reasonOf({ message, reason, revisionReason }: Condition): string | null {
  if (message) return message;
  const why = revisionReason ?? reason;
  return why ? words(why) : null;
}

const words = (reason: string): string => reason.toLowerCase().replaceAll('_', ' ');
