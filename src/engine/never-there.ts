import { door } from '../core/door.ts';
import { Failure } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { receiptsOf, scopeOf } from '../ledger/model/names.ts';
import { removedScope } from '../ledger/model/removed.ts';
import type { Unpushed } from './finish/unpushed.ts';
import type { Session } from './session.ts';
import type { Freshness } from './timing/freshness.ts';
import { triggerOf } from './timing/trigger.ts';

/**
 * Judges a destroy of a scope that has no ledger. Gives the notice of a run that has nothing to remove and must write nothing. `null`: the
 * run goes on. Throws `USAGE` for a scope that a person named and that no run ever had, because the name is most likely mistyped.
 */
export async function whyNeverThere(
  session: Session,
  o: { readonly pr: number | null; readonly freshness: Freshness; readonly unpushed: readonly Unpushed[] },
): Promise<string | null> {
  const { store, environment, scope, receiptsBranch, env } = session;
  // A run of this machine may have made objects and then failed to store its ledger.
  if (session.writer.head !== null || o.unpushed.length > 0) return null;
  // Another run may have made the branch since this one looked.
  if ((await store.head(receiptsBranch)) !== null) return null;
  const removed = await removedScope(store, receiptsBranch);
  if (removed !== null) {
    const left = [...session.writer.state.left.values()].map(({ key }) => key).sort();
    const stays = left.length === 0 ? '' : ` Its destroy left ${shown(left)}, as the plan said.`;
    return `${environment}/${scope} was destroyed at ${removed.last.at}, and its receipts were packed since.${stays}`;
  }
  if (triggerOf(env, o.pr).kind === 'person') throw await neverThere(session);
  // The run goes on if the code host does not say that the pull request is closed. Its line of history then makes a late event stale.
  return o.freshness.facts().pull === 'closed' ? `${environment}/${scope} never had a preview, so there is nothing to remove.` : null;
}

async function neverThere({ store, environment, scope, planName }: Session): Promise<Failure> {
  const all = (await store.list(receiptsOf(environment))).flatMap(({ branch }) => scopeOf(branch) ?? []);
  const ours = all.filter(({ plan }) => plan === planName).map((one) => one.scope);
  const elsewhere = all.filter((one) => one.scope === scope && one.plan !== planName).map(({ plan }) => planWords(plan));
  const named = planName === null ? '' : ` of the plan ${JSON.stringify(planName)}`;
  const where = elsewhere.length === 0 ? didYouMean(scope, ours) : ` ${elsewhere.join(' and ')} has a scope of this name.`;
  return new Failure('USAGE', {
    detail: `No run${named} ever had the scope ${JSON.stringify(scope)} in ${environment}.${where} Nothing was removed.`,
    fix:
      ours.length === 0
        ? `${environment} has no scope${named}. Check ${door.named('env')} and ${door.named('plan')}.`
        : `Name one of its scopes: ${shown(ours.sort(byNumber.compare))}.`,
  });
}

const planWords = (plan: string | null): string => (plan === null ? 'A plan without a name' : `The plan ${JSON.stringify(plan)}`);

/** `pr-9` before `pr-12`. */
const byNumber = new Intl.Collator('en', { numeric: true });

const mostShown = 20;
const shown = (names: readonly string[]): string =>
  `${names.slice(0, mostShown).join(', ')}${names.length > mostShown ? ` and ${names.length - mostShown} more` : ''}`;
