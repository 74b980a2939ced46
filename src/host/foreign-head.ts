/** The facts about its pull request in the event of a job. */
interface Head {
  readonly name: string | null;
  readonly pr: number | null;
  readonly isForeign: boolean | null;
}

/**
 * Why a job may not read its plan, in words for people; `null` where it may. A stranger wrote the checkout of a job for a fork, and a plan
 * decides where secrets are sent.
 */
export function whyForeign({ name, pr, isForeign }: Head): string | null {
  if (isForeign !== true) return null;
  const what = `${name === 'merge_request' ? 'merge' : 'pull'} request${pr === null ? '' : ` ${pr}`}`;
  return foreignText(what, 'another repository');
}

/** `what` is `pull request 12`, `from` where its head lies. */
export const foreignText = (what: string, from: string): string =>
  `The ${what} comes from ${from}. pilotfish does not read its plan and uses no credential, because the author of the plan could send credentials anywhere. ` +
  'To give it a preview, push its commits to a branch of this repository.';
