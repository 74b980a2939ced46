import { Failure } from '../../core/errors.ts';
import { destroyClosed, listCommand } from '../command-again.ts';
import type { Session } from '../session.ts';

/** More creates than their place has room for. */
export interface Misfit {
  readonly limit: number;
  readonly count: number;
  /** The objects that this run would make there. */
  readonly creates: number;
  /** The lines that do not fit. */
  readonly lines: readonly string[];
  /** The operation, for people. */
  readonly of: string;
  /** The path of the read that told the count. */
  readonly path: string;
}

/** The refusal of a line that does not fit. */
export const misfitFailure = (session: Session, misfit: Misfit): Failure =>
  new Failure('PROVIDER_QUOTA', { detail: `${figuresOf(misfit)} ${lookOf(session)}`, fix });

/** The failure of a line that is not written because others of its run do not fit. */
export class HeldBack extends Failure {
  constructor(session: Session, misfit: Misfit) {
    const names = new Intl.ListFormat('en-GB').format(misfit.lines);
    super('PROVIDER_QUOTA', {
      detail: `This line was not written, because there is no room for ${names}. ${figuresOf(misfit)} A run that cannot make all its objects makes none. ${lookOf(session)}`,
      fix: destroyClosed(session) ?? fix,
    });
  }
}

const figuresOf = ({ limit, count, creates, of, path }: Misfit): string =>
  `The provider takes ${limit} of ${of} at this place, and ${count} stand there (GET ${path}). This run would make ${creates} more: ${count + creates} of ${limit}.`;

const lookOf = ({ environment, planFile }: Session): string =>
  `${listCommand({ environment, plan: planFile })} shows the scopes that hold some.`;

const fix = 'Remove objects that are no longer needed, or raise the limit.';
