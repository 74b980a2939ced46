import { Failure } from '../core/errors.ts';
import { isMap, type Json } from '../core/json.ts';
import type { Params } from '../ops/bound.ts';
import type { BindContext } from '../ops/op.ts';
import { Kept } from '../remote/value.ts';
import type { DraftedLine } from './draft.ts';

/**
 * The line for what is there at the provider already: every value that is no part of its identity is kept as it is, so the first apply
 * writes nothing. Throws `USAGE` where the operation has no such value.
 */
export function adopt(line: DraftedLine): DraftedLine {
  const params = line.params.map(([name, value]) => [name, canKeep(line, name) ? { value: { keep: true } } : value] as const);
  if (params.some(([, { value }]) => isMap(value) && value.keep === true)) return { ...line, params };
  throw new Failure('USAGE', {
    detail: `The line ${line.id} has no value that could be kept: ${line.provider.adapter.title} knows it by all of them.`,
    fix: 'Add it with --add after the one that is there was removed, or give the line another name.',
  });
}

/** Whether the param is a value of the object that may be kept: one that decides its identity has to be known. */
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

/** References are stood in for by a text: only their place counts. */
const sampleOf = (value: Json): Params[string] =>
  isMap(value) && typeof value.from === 'string' ? 'https://pr-1.example.com' : (value as Params[string]);

const someContext: BindContext = {
  block: { api: 'adopt', base_url: 'https://api.example.com', auth: null },
  environment: 'preview',
  scope: 'pr-1',
  sha: '0'.repeat(40),
  branch: 'main',
};
