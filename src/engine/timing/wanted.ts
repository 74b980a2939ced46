import type { PullNow } from '../../host/pull-request.ts';

/** What a pull request must have to keep its preview. */
export interface Wanting {
  /** It bears this label; `null` asks for none. */
  readonly label: string | null;
  /** `false`: it is no draft. */
  readonly drafts: boolean;
}

/** Whether anything is asked for at all. */
export const isWanting = ({ label, drafts }: Wanting): boolean => label !== null || !drafts;

/** The reason why a pull request has no preview any more, as the end of "the pull request 12 …"; `null` if it keeps one. */
export function whyUnwanted({ labels, isDraft }: Pick<PullNow, 'labels' | 'isDraft'>, { label, drafts }: Wanting): string | null {
  // Labels of one name in two spellings do not exist: the host compares them without case.
  if (label !== null && !labels.some((one) => one.toLowerCase() === label.toLowerCase())) return `does not bear the label ${label}`;
  return isDraft && !drafts ? 'is a draft' : null;
}
