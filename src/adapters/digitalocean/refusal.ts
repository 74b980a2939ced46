import { z } from 'zod';
import { Failure } from '../../core/errors.ts';
import { HttpFailure } from '../../http/failure.ts';

const said = z.object({ message: z.string() });

/** A refused create or update, with what there is to do about it where the refusal says why. */
export function explained(thrown: unknown, name: string): unknown {
  if (!(thrown instanceof HttpFailure) || thrown.unanswered || thrown.status === null) return thrown;
  const message = said.safeParse(thrown.body).data?.message ?? '';
  const more = { cause: thrown, status: thrown.status };
  if ([400, 403, 422].includes(thrown.status) && /\b(limit|quota|maximum)\b/i.test(message) && /\bapps?\b/i.test(message)) {
    return new Failure('PROVIDER_QUOTA', {
      detail: `The account has room for no more apps, so ${name} was not made. Each scope that stands has an app of its own. ${thrown.detail}`,
      fix: 'Run `pilotfish apply --destroy --closed` to remove the apps of closed scopes, or ask DigitalOcean for a higher limit.',
      ...more,
    });
  }
  if ([400, 422].includes(thrown.status) && /\b(github|gitlab|bitbucket)\b/i.test(message)) {
    return new Failure('PROVIDER_INVALID', {
      detail: `The app ${name} takes its source from a repository that DigitalOcean cannot reach. ${thrown.detail}`,
      fix: 'Give DigitalOcean access to the repository at https://cloud.digitalocean.com/apps/github/install (or the page of your code host), or deploy an image.',
      ...more,
    });
  }
  return thrown;
}
