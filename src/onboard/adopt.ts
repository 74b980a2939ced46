import { Failure } from '../core/errors.ts';
import { isMap, type Json } from '../core/json.ts';
import type { Params } from '../ops/bound.ts';
import type { BindContext } from '../ops/op.ts';
import { Kept } from '../remote/value.ts';
import type { DraftedLine } from './draft.ts';

/**
 * Drafts the line for an object that the provider already has. Every value outside its identity is kept as it is, so the first apply writes
 * nothing. Throws `USAGE` if the operation has no such value.
 */
export function adopt(line: DraftedLine): DraftedLine {
  const params = line.params.map(([name, value]) => [name, canKeep(line, name) ? { value: { keep: true } } : value] as const);
  if (params.some(([, { value }]) => isMap(value) && value.keep === true)) return { ...line, params };
  throw new Failure('USAGE', {
    detail: `The line ${line.id} has no value to keep: ${line.provider.adapter.title} identifies the object by all of its values.`,
    fix: 'Remove the existing object and use --add, or give the line another name.',
  });
}

/** Tells whether the plan may keep the param's value. A value that decides the identity of the object must be known. */
function canKeep(line: DraftedLine, kept: string): boolean {
  const op = line.provider.adapter.ops[line.op];
  if (op?.kind !== 'object') return false;
  const sample = Object.fromEntries(line.params.map(([name, { value }]) => [name, sampleOf(op.params[name]?.example ?? value)]));
  try {
    const bound = op.bind({ ...sample, [kept]: new Kept() }, someContext);
    return bound.kind === 'object' && Object.values(bound.fields).some((value) => value instanceof Kept);
  } catch {
    return false;
  }
}

/** A text stands in for a reference, because only its place counts. */
const sampleOf = (value: Json): Params[string] =>
  isMap(value) && typeof value.from === 'string' ? 'https://pr-1.example.com' : (value as Params[string]);

const someContext: BindContext = {
  block: { api: 'adopt', base_url: 'https://api.example.com', auth: null },
  environment: 'preview',
  scope: 'pr-1',
  sha: '0'.repeat(40),
  branch: 'main',
};
