import { door } from '../core/door.ts';
import { Failure } from '../core/errors.ts';
import { identityText } from '../remote/value.ts';
import type { Io, Params, WaitBound } from './bound.ts';
import type { OutputSpec, ParamSpec } from './op.ts';

/*
 * The address of a preview before anything is built. A webhook needs the address, the build needs the secret of the webhook, and so the
 * address cannot come from the build. It comes from a rule of the host, which may be broken: the name may be taken, or spelled otherwise.
 * So the line that waits for the build holds the address against the deployment.
 */

/** Characters of one label of a host name (RFC 1035). */
export const longestLabel = 63;

/** The outputs of an address line. They bear the names of the outputs of a deployment. */
export const addressOutputs: { readonly [name: string]: OutputSpec } = {
  hostname: { doc: 'Host name of the preview.' },
  url: { doc: 'Address of the preview, with https://.' },
};

/** The param of a line that waits for a deployment. */
export const addressParam: ParamSpec = {
  type: 'string',
  format: 'hostname',
  doc: 'Host name under which the deployment must answer, of an address line. Where it does not, the line fails before others use it.',
  example: { from: 'address.hostname' },
};

export const expectedOf = ({ address }: Params): string | null => (address === undefined ? null : identityText(address, 'address'));

/** A host name, and the id of what answers there. */
export interface Told {
  readonly hostname: string;
  readonly id: string;
}

/** One look gives the host name, or fails. The line makes nothing and waits for nothing. */
export const addressLine = (key: string, look: (io: Io) => Promise<string | Told>): WaitBound => ({
  kind: 'wait',
  key,
  fields: {},
  reach: { kind: 'none' },
  poll: async (io) => {
    const told = await look(io);
    const { hostname, ...more } = typeof told === 'string' ? { hostname: told } : told;
    return { state: 'ready', live: { id: hostname, values: {}, outputs: { ...more, hostname, url: `https://${hostname}` } } };
  },
});

/** The commit of a line that waits for a deployment, or of the run. */
export function shaOf(params: Params, { sha }: { readonly sha: string | null }): string {
  const wanted = params.sha === undefined ? sha : identityText(params.sha, 'sha');
  if (wanted !== null) return wanted;
  throw new Failure('CTX_NULL', {
    detail: 'The run has no commit, so there is no deployment to wait for.',
    fix: `Pass ${door.passed('sha')}, or give the line a \`sha\`.`,
  });
}

/** The host of an address as a provider shows it, with or without a scheme; `null` where there is none. */
export const hostOf = (url: string | null | undefined): string | null =>
  url ? (URL.parse(url.includes('://') ? url : `https://${url}`)?.hostname ?? null) : null;

/** The branch of a line, or of the run. */
export function branchOf(params: Params, { branch }: { readonly branch: string | null }, param = 'git_branch'): string {
  const wanted = params[param] === undefined ? branch : identityText(params[param], param);
  if (wanted !== null) return wanted;
  throw new Failure('CTX_NULL', {
    detail: 'The run knows no git branch, so no branch gives the address.',
    fix: `Pass ${door.passed('branch')}, or give the line a \`${param}\`.`,
  });
}

/**
 * A branch as a label of a host name: lower case, with a hyphen for each sign. `null` where the branch has other signs than `signs`, or two
 * of them in a row or at an end. Hosts drop such signs or join them, and their pages do not say which.
 */
export function slugOf(branch: string, signs: string): string | null {
  const isPlain = new RegExp(`^[a-z0-9]+(?:[${signs}][a-z0-9]+)*$`, 'i').test(branch);
  return isPlain ? branch.toLowerCase().replaceAll(/[^a-z0-9]/g, '-') : null;
}

/** A name whose address no page of the host tells. A guess could be the address of somebody else. */
export const untold = (param: string, detail: string, fix: string): Failure => new Failure('PARAM_INVALID', { at: [param], detail, fix });

/** Fails where a deployment does not answer under the host name that lines before it were given. */
export function holdAddress(expected: string | null, deployment: string, hosts: readonly string[]): void {
  if (expected === null || hosts.includes(expected)) return;
  const has = hosts.length === 0 ? 'no host name beside its own' : hosts.join(', ');
  throw new Failure('ADDRESS_DIFFERS', {
    at: ['address'],
    detail: `${deployment} does not answer under ${expected}. It has ${has}. Whatever was made with ${expected} points elsewhere. It is recorded, and a destroy removes it.`,
    fix:
      hosts.length === 0
        ? `Use a domain of the project that shows this branch in place of ${expected}.`
        : `Use ${hosts.join(' or ')} in place of ${expected}, here and in the lines that were given it.`,
  });
}
