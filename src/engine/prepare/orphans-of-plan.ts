import type { Registry } from '../../ops/registry.ts';
import type { RepositoryFacts } from '../../platform/checkout.ts';
import { templateOf } from '../line/record.ts';
import type { PreparedLine, RunRequest } from '../types.ts';
import type { Base } from './base-tree.ts';
import { identityWithin } from './bind.ts';
import { prepare } from './prepare.ts';
import { producersOf, type Recorded, type Wanted } from './recorded-lines.ts';
import { mustBeTrusted } from './trusted.ts';

interface Where {
  readonly registry: Registry;
  readonly facts: RepositoryFacts | null;
  readonly base: Base | null;
}

/**
 * Chooses the orphans for a destroy that takes nothing else. A destroy asks no provider which objects the lines of the plan have. So where a
 * value decides the object of a line, every record that could be of that line stays. An orphan stays, too, while a record that stays uses it.
 * Throws what is wrong with the plan.
 */
export async function orphansOfPlan(request: RunRequest, { registry, facts, base }: Where): Promise<Wanted> {
  const whole = { ...request, destroy: false, orphans: false, only: [], recreate: [], expect: null };
  const prepared = await prepare({ request: whole, registry, facts, purpose: 'plan' });
  if (base) await mustBeTrusted(prepared, base, { registry, env: request.env });
  const identities = new Set<string>();
  const open: PreparedLine[] = [];
  for (const line of prepared.lines) {
    const identity = identityWithin(prepared.context, line);
    if (identity === null) open.push(line);
    else identities.add(identity);
  }
  const unknown = {
    ids: new Set(open.map(({ line }) => line.id)),
    templates: new Set(open.map(templateOf)),
    kinds: new Set(open.map(({ adapter, opName }) => `${adapter} ${opName}`)),
  };
  const isOrphan = (identity: string, { record, intent, isPast }: Recorded): boolean => {
    const fact = record ?? intent;
    if (!fact || isPast || identities.has(identity)) return false;
    if (unknown.ids.has(fact.line) || unknown.kinds.has(`${fact.adapter} ${fact.op}`)) return false;
    return record === null || !unknown.templates.has(record.template);
  };
  return (recorded) =>
    withoutUsed(recorded, new Set([...recorded].flatMap(([identity, one]) => (isOrphan(identity, one) ? [identity] : []))));
}

/** Takes out what a record that stays came after, and what that came after. */
function withoutUsed(recorded: ReadonlyMap<string, Recorded>, orphans: Set<string>): ReadonlySet<string> {
  const open = [...recorded.keys()].filter((identity) => !orphans.has(identity));
  for (let identity = open.pop(); identity !== undefined; identity = open.pop()) {
    const fact = recorded.get(identity);
    for (const producer of fact ? producersOf(fact) : []) if (orphans.delete(producer)) open.push(producer);
  }
  return orphans;
}
