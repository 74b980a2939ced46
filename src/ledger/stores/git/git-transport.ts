import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../../core/errors.ts';
import { isBelow } from '../../../platform/checkout-top.ts';
import { stripUserinfo, transportOf } from '../../../platform/git-url.ts';

/**
 * Throws `LEDGER_REFUSED` for a remote that would run a program of the checkout's author: a transport of git that is a program, or the
 * hooks and the configuration of a repository inside the checkout. `top` is the checkout's.
 */
export function refuseTransport({ url, top, cwd }: { readonly url: string; readonly top?: string; readonly cwd: string }): void {
  const transport = transportOf(url);
  if (transport === null) {
    throw new Failure('LEDGER_REFUSED', {
      detail: `The git remote ${JSON.stringify(shortened(stripUserinfo(url)))} uses a transport that pilotfish refuses. pilotfish takes https, ssh and folders: other transports of git run programs that the address names.`,
      fix: 'Give the remote an address over https or ssh, with `git remote set-url`.',
    });
  }
  if (transport !== 'folder' || top === undefined || !isBelow(truly(folderOf(url, cwd)), truly(top))) return;
  throw new Failure('LEDGER_REFUSED', {
    detail: `The git remote ${JSON.stringify(shortened(url))} is a folder inside this checkout. A push to that folder would run its hooks, which the author of the checkout chose.`,
    fix: 'Move that repository out of the checkout and give the remote its new address with `git remote set-url`, or write `receipts: local` into the plan.',
  });
}

const shortened = (url: string): string => (url.length > 120 ? `${url.slice(0, 120)}…` : url);

function folderOf(url: string, cwd: string): string {
  try {
    return /^file:/i.test(url) ? fileURLToPath(url) : resolve(cwd, url);
  } catch {
    return url;
  }
}

function truly(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
