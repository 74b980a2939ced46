import { parse } from 'yaml';
import { isMap } from '../../src/core/json.ts';

/** The number of lines in the longest chain of a plan: `from:` and `depends_on` both put one line after another. */
export function graphDepth(plan: string): number {
  const document: unknown = parse(plan);
  const changes = isMap(document) && Array.isArray(document.changes) ? document.changes.filter(isMap) : [];
  const before = new Map(changes.map((line) => [String(line.id), producersOf(line)]));
  const depth = (line: string): number => 1 + Math.max(0, ...(before.get(line) ?? []).map(depth));
  return Math.max(0, ...[...before.keys()].map(depth));
}

function producersOf(value: unknown, key = ''): readonly string[] {
  if (key === 'depends_on' && Array.isArray(value)) return value.map(String);
  if (key === 'from' && typeof value === 'string') return [value.split('.')[0] ?? ''];
  if (Array.isArray(value)) return value.flatMap((item) => producersOf(item));
  return isMap(value) ? Object.entries(value).flatMap(([name, part]) => producersOf(part, name)) : [];
}
