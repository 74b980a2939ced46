import { belongingOf, scopeNameOf } from '../ledger/model/belongs.ts';
import { parseState } from '../ledger/model/state.ts';
import type { Tree } from '../ledger/stores/store.ts';
import { notReached, repositoryOf, sealedOf } from './closed-belongs.ts';
import { type Ended, isLongAgo, isLongAgoThere, isRecent, packBranch } from './closed-branch.ts';
import { destroyScope, mayEnd } from './closed-destroy.ts';
import { judgeExpiry } from './closed-expired.ts';
import { judgePulls, stays, whyOpen } from './closed-pulls.ts';
import { heldBy, holdsNothing, unownedScope } from './closed-unowned.ts';
import type { ClosedWork, Cost, Say, Scope, Turn } from './closed-work.ts';
import type { ClosedScopeDoc } from './document.ts';
import { destroyedBy } from './timing/staleness.ts';

/**
 * Judges one scope by its ledger and the list of open pull requests: gives its end, or the turn in which the sweep asks for each of its pull
 * requests and ends it. `null`: it belongs to another plan. A plan may have had another name in its pull request, and then no sweep has it at
 * hand any more: a scope of another plan comes to its end too, if the keys of this run sealed all that it holds.
 */
export async function judgeScope(all: ClosedWork, branch: string, reading: Promise<Tree | null>): Promise<ClosedScopeDoc | Turn | null> {
  const tree = all.signal.aborted ? null : await reading;
  if (!tree) return all.signal.aborted ? notReached(branch) : null;
  const state = parseState(tree.files, branch);
  const name = scopeNameOf(branch, state, all.request.environment);
  const isOfOther = name !== null && all.plan !== null && name.plan !== all.plan.name;
  // The plan at hand says nothing about a scope of another one.
  const work = isOfOther ? { ...all, plan: null } : all;
  const repository = await repositoryOf(work, belongingOf(state));
  const facts = repository === 'foreign' ? null : repository;
  const { missing, pulls, isDoubtful, trust } = await sealedOf(work, { facts, branch, tree, state });
  const known = { scope: name?.scope ?? null, plan: name?.plan ?? null, branch, pullRequests: pulls };
  const say: Say = (outcome, why, more = {}) => ({ ...known, outcome, why, ...more });
  if (!name) return say('kept', 'its ledger does not name its scope');
  const held = heldBy(state, missing);
  const unowned = (why: string): ClosedScopeDoc => ({ ...known, ...unownedScope({ name, held, why }, work.request.plan) });
  if (isOfOther && (repository === 'foreign' || holdsNothing(held) || (await trust.unsealed()).length > 0)) return null;
  const isHeld = state.lease !== null && state.lease.released === null;
  const commit = state.history.findLast((entry) => entry.commit !== null)?.commit ?? null;
  const scope: Scope = { ...name, branch, head: tree.head, pulls, commit, isHeld, facts };
  const ifExpired = (stays: ClosedScopeDoc) => judgeExpiry(work, { scope, trust, stays, isEmpty: holdsNothing(held) });
  if (isOfOther && (pulls.length === 0 || isDoubtful || (await work.pulls.openOf(pulls, work.request.wanting)) !== null)) return null;
  if (pulls.length === 0) return await ifExpired(unowned('its ledger names no pull request'));
  if (isDoubtful) return unowned('its seals name no pull request, so nothing else in its ledger may name one');
  if (repository === 'foreign') return say('kept', `its ledger is of another repository than ${work.host.repository}`);
  const isEmpty = holdsNothing(held);
  const last = isEmpty ? destroyedBy(state.history) : null;
  if (last && !isLongAgo(work, state, last)) return say('gone', `it was destroyed at ${last.at}`);
  const end = last && { last, tree };
  if (isEmpty && !end && isRecent(work, state)) return say('gone', 'it holds nothing');
  const open = await work.pulls.openOf(pulls, work.request.wanting);
  if (open !== null) return await ifExpired(say('kept', whyOpen(open)));
  return {
    branch,
    isHeld,
    act: async (cost) => (work.signal.aborted ? notReached(branch, pulls) : await endScope({ work, scope, end, say, unowned }, cost)),
  };
}

interface Ending {
  readonly work: ClosedWork;
  readonly scope: Scope;
  /** Its end, when that was long enough ago. */
  readonly end: Ended | null;
  readonly say: Say;
  readonly unowned: (why: string) => ClosedScopeDoc;
}

/** The turn of a scope: asks the host for each of its pull requests, and destroys the scope or packs its branch. */
async function endScope({ work, scope, end, say, unowned }: Ending, cost: Cost): Promise<ClosedScopeDoc> {
  const changed: string[] = [];
  const judged = await judgePulls(
    scope.pulls,
    async (pull) => {
      const answer = await work.pulls.ask(pull);
      if (answer.state !== 'unknown') changed.push(answer.at);
      return answer;
    },
    work.request.wanting,
  );
  if (stays(judged)) {
    return judged.isMissing ? unowned(judged.why) : say(judged.outcome, judged.why, judged.error && { error: judged.error });
  }
  if (!end) return await destroyScope(work, scope, { cost, say, reason: mayEnd(work, scope, judged) });
  return !judged.isOpen && isLongAgoThere(work, changed)
    ? await packBranch(work, scope, end, say)
    : say('gone', `it was destroyed at ${end.last.at}`);
}
