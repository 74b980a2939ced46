import { Document, isMap, isScalar, visit } from 'yaml';
import type { DocumentedOp, Subject } from './subjects.ts';

/** A plan with one line of this operation, as a person would write it. */
export function examplePlan(subject: Subject, { name, recipes, example }: DocumentedOp): string {
  const named = subject.kind === 'adapter' ? { adapter: subject.name, op: name } : { recipe: recipes[0] ?? name };
  const plan = new Document({ changes: [{ id: name.replaceAll('_', '-'), ...named, ...example }] });
  visit(plan, {
    // A reference stays on one line: { from: db.uri }.
    Map: (_, node) => {
      const [only, ...more] = node.items;
      if (more.length === 0 && isMap(node) && isScalar(only?.key) && references.has(String(only.key.value))) node.flow = true;
    },
  });
  return plan.toString({ lineWidth: 0 });
}

const references = new Set(['from', 'secret', 'keep', 'public']);
