import type { LedgerState } from '../../../src/ledger/model/facts.ts';
import type { Team } from '../../demo/team.ts';
import { objectsOf, type Standing } from './census.ts';
import { githubEvents, linesOf, rollouts, stripeEvents, targets, type Wish } from './plans.ts';

/** What was counted over all checks, for the summary. */
export interface Tally {
  duplicates: number;
  orphans: number;
}

/** Every object is known: a record or an intent of its scope names it. True at any moment at which no run of the scope is alive. */
export function unknownObjects(team: Team, scope: string, ledger: LedgerState): readonly string[] {
  return objectsOf(team, scope).flatMap((object) =>
    isKnown(object, ledger) ? [] : [`${object.line} ${object.id} is in no record and no intent`],
  );
}

function isKnown({ line, id }: Standing, { records, intents }: LedgerState): boolean {
  for (const intent of intents.values()) if (intent.line === line) return true;
  for (const record of records.values()) {
    if (record.objectId === id || record.superseded.some((old) => old.objectId === id)) return true;
  }
  return false;
}

/** After an apply that ended well: one object for each line, as the plan says, and a record for each. */
export function flawsAfterApply(team: Team, wish: Wish, ledger: LedgerState, tally: Tally): readonly string[] {
  const objects = objectsOf(team, wish.scope);
  const flaws: string[] = [];
  for (const line of linesOf(wish).keys()) {
    if (line === 'announce') {
      const isSent = team.world.rollbar.world.deploys.some(
        ({ environment, revision }) => environment === wish.scope && revision === String(wish.groups.announce),
      );
      if (!isSent) flaws.push('announce was not sent');
      continue;
    }
    const found = objects.filter((object) => object.line === line);
    tally.duplicates += Math.max(0, found.length - 1);
    const [object] = found;
    if (!object || found.length > 1) flaws.push(`${line} has ${found.length} objects`);
    else if (![...ledger.records.values()].some(({ objectId }) => objectId === object.id)) flaws.push(`${line} ${object.id} has no record`);
    else flaws.push(...wrongValue(team, wish, object));
  }
  // A line that was taken out of the plan keeps its one object until the scope is destroyed.
  const gone = new Set(objects.flatMap(({ line }) => (linesOf(wish).has(line) ? [] : [line])));
  for (const line of gone) {
    const found = objects.filter((object) => object.line === line).length;
    tally.duplicates += found - 1;
    if (found > 1) flaws.push(`${line}, which left the plan, has ${found} objects`);
  }
  if (ledger.intents.size > 0) flaws.push(`${ledger.intents.size} intents are left`);
  if (ledger.lease?.released === null) flaws.push('its lease is left');
  return flaws;
}

function wrongValue(team: Team, { scope, groups }: Wish, { line, value }: Standing): readonly string[] {
  const wanted: { readonly [line: string]: string | undefined } = {
    payments: stripeEvents[groups.payments ?? 0],
    'payments-secret': team.world.stripe.world.endpoints().find(({ url }) => url.includes(`//${scope}.`))?.secret,
    'database-url': uriOf(team, scope),
    pushes: githubEvents[groups.pushes ?? 0],
    dns: targets[groups.dns ?? 0],
    flag: rollouts[groups.flag ?? 0],
    note: `note-${groups.note}`,
  };
  const want = wanted[line];
  return want === undefined || want === value ? [] : [`${line} does not hold what the plan says`];
}

function uriOf({ world }: Team, scope: string): string | undefined {
  return world.neon.world.branches().some(({ name }) => name === `shop-${scope}`) ? world.neon.world.uri(`shop-${scope}`) : undefined;
}

/** After a destroy that ended well: nothing that the scope made. */
export function flawsAfterDestroy(team: Team, scope: string, ledger: LedgerState): readonly string[] {
  return [
    ...objectsOf(team, scope).map(({ line, id }) => `${line} ${id} survived its destroy`),
    ...(ledger.records.size + ledger.intents.size > 0
      ? [`${ledger.records.size} records and ${ledger.intents.size} intents are left`]
      : []),
    ...(ledger.lease?.released === null ? ['its lease is left'] : []),
  ];
}
