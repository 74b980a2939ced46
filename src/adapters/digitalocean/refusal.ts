import { z } from 'zod';
import { Failure } from '../../core/errors.ts';
import { HttpFailure } from '../../http/failure.ts';

const said = z.object({ message: z.string() });

/** A refused create or update, with what there is to do where the source of the app is the reason. */
export function explained(thrown: unknown, name: string): unknown {
  if (!(thrown instanceof HttpFailure) || thrown.unanswered || thrown.status === null) return thrown;
  const message = said.safeParse(thrown.body).data?.message ?? '';
  if ([400, 422].includes(thrown.status) && /\b(github|gitlab|bitbucket)\b/i.test(message)) {
    return new Failure('PROVIDER_INVALID', {
      detail: `The app ${name} takes its source from a repository that DigitalOcean cannot reach. ${thrown.detail}`,
      fix: 'Give DigitalOcean access to the repository at https://cloud.digitalocean.com/apps/github/install (or the page of your code host), or deploy an image.',
      cause: thrown,
      status: thrown.status,
    });
  }
  return thrown;
}
