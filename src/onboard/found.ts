import { join } from 'node:path';
import type { FoundDoc, UnsupportedDoc } from '../engine/document.ts';
import type { Evidence } from './detect/ids.ts';
import type { Draft, DraftedLine } from './draft.ts';
import type { Looked, SeenProvider } from './look.ts';
import type { Root } from './repository.ts';
import { type Standing, stands } from './standing.ts';

/**
 * Lists the evidence for each provider, and its lines in the plan. The lines come from the draft; if a plan existed before (`standing`),
 * each line says whether that plan has it. An adapter and a recipe family of one provider are one entry.
 */
export function foundDocs(seen: readonly SeenProvider[], draft: Draft, standing: Standing | null, root: Root): readonly FoundDoc[] {
  const stateOf = (line: DraftedLine): FoundDoc['lines'][number]['state'] => {
    if (standing) return stands(standing, line) ? 'there' : 'new';
    return line.aside === null ? 'line' : 'comment';
  };
  const byName = Map.groupBy(seen, ({ provider }) => provider.adapter.name);
  return [...byName].map(([name, all]) => ({
    name,
    title: all[0]?.provider.adapter.title ?? name,
    evidence: [...new Set(all.flatMap(({ evidence }) => evidence.map((one) => evidenceText(one, root))))].sort(),
    lines: draft.lines
      .filter((line) => all.some(({ provider }) => provider === line.provider))
      .map((line) => ({ id: line.id, state: stateOf(line) })),
  }));
}

export const unsupportedDocs = ({ unsupported }: Looked, root: Root): readonly UnsupportedDoc[] =>
  unsupported.map(({ name, title, evidence, why, ask }) => ({
    name,
    title,
    evidence: evidence.map((one) => evidenceText(one, root)),
    why,
    ask,
  }));

const evidenceText = ({ file, what }: Evidence, root: Root): string =>
  what === '' ? join(root.folder, file) : `${join(root.folder, file)}: ${what}`;
