import type { Call } from '../kit/index.ts';
import { invalid, noSuch } from './errors.ts';
import { readQuery } from './params.ts';

/** One page of a list, newest first; the next one starts after the last id of this one. `all` is in the order of making. */
export function pageOf(
  call: Call<unknown, unknown>,
  all: readonly Readonly<Record<string, unknown>>[],
  url: string,
  filters: readonly string[] = [],
): Record<string, unknown> {
  readQuery(call, ['limit', 'starting_after', 'ending_before', 'expand', ...filters]);
  const limit = Number(call.query.get('limit') ?? '10');
  if (!Number.isInteger(limit))
    throw invalid(`Invalid integer: ${call.query.get('limit')}`, { code: 'parameter_invalid_integer', param: 'limit' });
  if (limit < 1 || limit > 100)
    throw invalid('This value must be between 1 and 100.', { code: 'parameter_invalid_integer', param: 'limit' });
  const list = all.toReversed();
  const [after, before] = [call.query.get('starting_after'), call.query.get('ending_before')];
  if (after !== null && before !== null) throw invalid('You cannot parameterize both starting_after and ending_before.');
  const indexOf = (id: string, param: string): number => {
    const index = list.findIndex((one) => one.id === id);
    if (index < 0) throw noSuch(id, param, 400);
    return index;
  };
  const rest =
    after !== null
      ? list.slice(indexOf(after, 'starting_after') + 1)
      : before !== null
        ? list.slice(0, indexOf(before, 'ending_before'))
        : list;
  const data = before !== null ? rest.slice(-limit) : rest.slice(0, limit);
  return { object: 'list', data, has_more: rest.length > data.length, url };
}
