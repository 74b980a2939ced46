import type { DraftedLine } from '../draft.ts';

/**
 * The reason for which a line is useful. `variable`: a build reads it. `act`: it changes something outside of the plan by itself, such as a list of
 * addresses. `companion`: an entry for the object of another line, and of use with that alone. `source`: only its outputs matter. `host`: others need it. `deployment`: others need it, or its variables do. `report`: it
 * tells a service of a version. `example`: it never is a line as it stands.
 */
export type Role = 'variable' | 'act' | 'companion' | 'source' | 'host' | 'address' | 'deployment' | 'report' | 'example';

/** A line that may still become a comment. */
export interface Candidate extends DraftedLine {
  readonly role: Role;
  /** The lines that it cannot do without. */
  readonly needs: readonly string[];
  /** The lines of the same site before the build. One that is needed keeps the others. */
  readonly group: string | null;
  /** Why it is a comment if nothing else makes it one. */
  readonly unread: string;
}

/** The lines that stay, with the reason of each that is a comment. */
export function judge(all: readonly Candidate[]): readonly Candidate[] {
  const lines = withoutIdle(all);
  const asides = new Map(lines.flatMap(({ id, aside }) => (aside === null ? [] : [[id, aside] as const])));
  for (let before = -1; before !== asides.size; ) {
    before = asides.size;
    spread(lines, asides);
    const live = lines.filter(({ id }) => !asides.has(id));
    const useful = usefulOf(live);
    for (const line of live) if (!useful.has(line.id)) asides.set(line.id, whyIdle(line));
    if (live.every(isNoReason)) for (const { id, unread } of live) asides.set(id, unread);
  }
  return lines.map((line) => ({
    ...line,
    dependsOn: line.dependsOn.filter((id) => !asides.has(id)),
    aside: asides.get(line.id) ?? null,
  }));
}

/** A line that acts is of no use without the database that it acts on. */
const whyIdle = ({ role, needs, unread }: Candidate): string =>
  (role === 'act' || role === 'companion') && needs[0] !== undefined ? `It needs ${needs[0]}.` : unread;

/** Reports, and what is there for them alone, are no plan by themselves. */
const isNoReason = ({ role }: Candidate): boolean => role === 'report' || role === 'host' || role === 'address' || role === 'deployment';

/** A line of the host that no other line needs, not even a comment, is left out. */
function withoutIdle(lines: readonly Candidate[]): readonly Candidate[] {
  const needed = new Set(lines.filter(({ role }) => role !== 'address' && role !== 'deployment').flatMap(({ needs }) => needs));
  const groups = new Set(lines.flatMap(({ id, group }) => (group !== null && needed.has(id) ? [group] : [])));
  return lines.filter(({ id, role, group, dependsOn }) => {
    if (role === 'deployment') return needed.has(id) || dependsOn.length > 0;
    return role !== 'address' || (group !== null && groups.has(group));
  });
}

/** A line that needs a comment is a comment. */
function spread(lines: readonly Candidate[], asides: Map<string, string>): void {
  for (let before = -1; before !== asides.size; ) {
    before = asides.size;
    for (const { id, needs } of lines) {
      const missing = needs.find((one) => asides.has(one));
      if (missing !== undefined && !asides.has(id)) asides.set(id, `It needs ${missing}.`);
    }
  }
}

/** The ids of the lines that somebody has a use for. */
function usefulOf(live: readonly Candidate[]): ReadonlySet<string> {
  const byId = new Map(live.map((line) => [line.id, line]));
  const useful = new Set<string>();
  const keep = (id: string): void => {
    const line = byId.get(id);
    if (!line || useful.has(id)) return;
    useful.add(id);
    for (const needed of line.needs) keep(needed);
    if (line.group !== null) for (const other of live) if (other.group === line.group) keep(other.id);
  };
  // An entry for a database that nobody reads is of no use, although it changes something by itself.
  const isOfSource = ({ needs }: Candidate): boolean => needs.some((one) => byId.get(one)?.role === 'source');
  for (const line of live) {
    const { id, role, dependsOn } = line;
    const isSeed = role === 'variable' || role === 'report' || (role === 'act' && !isOfSource(line));
    if (isSeed || (role === 'deployment' && dependsOn.some((one) => byId.has(one)))) keep(id);
  }
  for (const { id, role, needs } of live) {
    const sources = needs.filter((one) => byId.get(one)?.role === 'source');
    if ((role === 'companion' || role === 'act') && sources.every((one) => useful.has(one))) keep(id);
  }
  return useful;
}
