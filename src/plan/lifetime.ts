import { readSpan } from '../core/life-span.ts';
import { plainOf } from './parts.ts';
import type { Tree } from './tree.ts';
import type { Lifetime } from './types.ts';

/** The `lifetime` of a plan, which the schema has checked; `null` where the plan has none. */
export function lifetimeOf(tree: Tree | undefined): Lifetime | null {
  if (!tree) return null;
  const { idle, label, others } = plainOf(tree, 2) as { readonly [key in 'idle' | 'label' | 'others']?: string };
  const spanOf = (text: string | undefined): number | null => (text === undefined ? null : readSpan(text));
  return { idleMs: spanOf(idle), label: label ?? null, othersMs: spanOf(others) };
}
