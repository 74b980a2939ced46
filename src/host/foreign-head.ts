/** What the event of a job says of its pull request. */
interface Head {
  readonly name: string | null;
  readonly pr: number | null;
  readonly isForeign: boolean | null;
}

/**
 * Why a job may not read its plan, in words for people; `null` where it may. The checkout of a job for a fork holds what a stranger
 * wrote, and a plan decides where secrets are sent.
 */
export function whyForeign({ name, pr, isForeign }: Head): string | null {
  if (isForeign !== true) return null;
  const what = `${name === 'merge_request' ? 'merge' : 'pull'} request${pr === null ? '' : ` ${pr}`}`;
  return foreignText(what, 'another repository');
}

/** `what` is `pull request 12`, `from` where its head lies. */
export const foreignText = (what: string, from: string): string =>
  `The ${what} comes from ${from}. Its plan is not read and no credential is used, because whoever wrote it could send them anywhere. ` +
  'To give it a preview, push its commits to a branch of this repository.';
