import { errorTable } from '../../core/error-table.ts';
import { Failure } from '../../core/errors.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { LineWork } from '../line/work.ts';
import type { Session } from '../session.ts';

/** What a provider does not have, with the params of the line that the request named it by: a person corrects those. */
export function withNamedParams({ scope }: Session, { prepared, resolved }: LineWork, thrown: unknown): unknown {
  if (!(thrown instanceof HttpFailure) || thrown.code !== 'PROVIDER_NOT_FOUND' || thrown.place) return thrown;
  if (!prepared || !resolved || thrown.fix !== errorTable.PROVIDER_NOT_FOUND.fix) return thrown;
  const names = Object.entries(resolved.params).flatMap(([name, value]) => {
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    const isWritten = Object.hasOwn(prepared.line.params, name) && !prepared.edges.some(({ param }) => param === name);
    // What has the scope in its name is for this run to make, and does not have to be there.
    return isWritten && !String(value).includes(scope) && thrown.asksFor(String(value)) ? [name] : [];
  });
  const [first] = names;
  if (first === undefined) return thrown;
  return new Failure(thrown.code, {
    detail: thrown.detail,
    fix: `Check ${new Intl.ListFormat('en-GB').format(names)} in the plan, and that the credential may see what ${names.length === 1 ? 'it names' : 'they name'}.`,
    place: names.length === 1 ? prepared.line.placeOf([first]) : prepared.line.place,
    cause: thrown,
    status: thrown.status,
  });
}
