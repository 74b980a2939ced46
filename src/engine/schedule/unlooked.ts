import { Blocks } from '../../ops/blocks.ts';
import { Problems } from '../../plan/problems.ts';
import { templateOf } from '../line/record.ts';
import { identityWithin } from '../prepare/bind.ts';
import { preparedLines } from '../prepare/prepare.ts';
import type { Session } from '../session.ts';
import type { Prepared, PreparedLine } from '../types.ts';

/** Lines of the plan whose objects this run did not look at: by identity, and by the text of a line whose identity nobody knows yet. */
export interface Unlooked {
  readonly identities: ReadonlySet<string>;
  readonly templates: ReadonlySet<string>;
}

/**
 * Finds the lines that `--only` left out, and those that wait for a value of their identity. One of them may be a renamed line, and the
 * record under its earlier id is no orphan then.
 */
export async function unlookedLines(session: Session, prepared: Prepared | null): Promise<Unlooked> {
  if (prepared === null) return { identities: new Set(), templates: new Set() };
  const waiting = prepared.lines.filter(({ line }) => !session.works.get(line.id)?.identity);
  const lines = [...waiting, ...(await leftOut(session, prepared))];
  const named = lines.map((line) => ({ line, identity: identityWithin(prepared.context, line) }));
  return {
    identities: new Set(named.flatMap(({ identity }) => identity ?? [])),
    templates: new Set(named.flatMap(({ line, identity }) => (identity === null ? [templateOf(line)] : []))),
  };
}

/** Mistakes in these lines are not this run's business. */
async function leftOut({ registry, env }: Session, { plan, lines, context }: Prepared): Promise<readonly PreparedLine[]> {
  const ran = new Set(lines.map(({ line }) => line.id));
  const others = plan.lines.filter(({ id }) => !ran.has(id));
  if (others.length === 0) return [];
  const problems = new Problems();
  const blocks = new Blocks({ plan, registry, env, problems });
  return await preparedLines({ ...plan, lines: others }, { registry, blocks, problems, after: new Map(), spoiled: new Set() }, context);
}
