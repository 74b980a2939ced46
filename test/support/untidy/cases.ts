import type { Bench } from '../suite/bench.ts';
import type { Case } from '../suite/case.ts';
import type { Subject } from '../suite/subject.ts';
import { isOnly, note } from './report.ts';
import { tellStory } from './story.ts';
import type { SuiteKind, World } from './world.ts';
import { worlds } from './worlds.ts';

export interface Described {
  readonly op: string;
  readonly subject: Subject;
  readonly kind: SuiteKind;
  /** `untidy <kind>` or `untidy <kind>: <world>`, with the reason. */
  readonly skip: { readonly [name: string]: string };
}

const nameOf = ({ kind, name }: World): string => `untidy ${kind}: ${name}`;

/** Names under which a suite may leave worlds out. */
export const untidyNames: ReadonlySet<string> = new Set(worlds.flatMap((world) => [nameOf(world), `untidy ${world.kind}`]));

/** Every world that the operation can meet in `npm run untidy`; else one, the first from a place that its name picks. */
export function untidyCases(described: Described): { readonly [name: string]: Case } {
  const { op, subject, kind, skip } = described;
  const reasonFor = (world: World): string | null => {
    const reason = skip[nameOf(world)] ?? skip[`untidy ${world.kind}`];
    if (reason !== undefined) return reason;
    const met = world.meet(subject, kind);
    return typeof met === 'string' ? met : null;
  };
  const casesOf = (some: readonly World[]) => Object.fromEntries(some.map((world) => [nameOf(world), caseOf(world, kind)]));
  if (!isOnly()) {
    const start = [...op].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % worlds.length;
    const first = [...worlds.slice(start), ...worlds.slice(0, start)].find((world) => reasonFor(world) === null);
    return casesOf(first ? [first] : []);
  }
  for (const world of worlds) {
    const reason = reasonFor(world);
    if (reason !== null) note({ op, kind: world.kind, world: world.name, reason });
  }
  return casesOf(worlds.filter((world) => reasonFor(world) === null));
}

function caseOf(world: World, kind: SuiteKind): Case {
  const about = { kind: world.kind, world: world.name };
  return {
    says: `untidy: ${world.kind}, ${world.name}`,
    run: async (bench: Bench, skip) => {
      const met = world.meet(bench.subject, kind);
      if (typeof met === 'string') throw new Error(met);
      const reason = await tellStory(bench, met, kind);
      note({ op: bench.op, ...about, reason });
      if (reason !== null) skip(reason);
    },
  };
}
