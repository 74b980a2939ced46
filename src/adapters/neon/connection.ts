import { Failure } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { Sealed } from '../../core/sealed.ts';
import type { Io } from '../../ops/bound.ts';
import { readConnectionUri, readEndpoint, readNames } from './api.ts';

export interface ConnectionOf {
  readonly project: string;
  readonly branch: { readonly id: string; readonly name: string };
  /** The role from the line's params. Without one, the only role is looked up. */
  readonly role: string | null;
  readonly database: string | null;
}

/** An output that needs requests of its own: the host of the branch's compute, or a connection string with its password. */
export async function connectionOutput(io: Io, of: ConnectionOf, name: string): Promise<Json | Sealed> {
  if (name === 'host') return await hostOf(io, of);
  const [database_name, role_name] = await Promise.all([
    of.database ?? theOnly(io, of, 'databases', 'database'),
    of.role ?? theOnly(io, of, 'roles', 'role'),
  ]);
  const pooled = name === 'pooled_connection_uri' ? 'true' : 'false';
  const uri = await readConnectionUri(io, of.project, { branch_id: of.branch.id, database_name, role_name, pooled });
  return new Sealed(uri, `neon ${name} of ${of.branch.name}`);
}

async function hostOf(io: Io, { project, branch }: ConnectionOf): Promise<string> {
  const endpoint = await readEndpoint(io, project, branch.id);
  if (endpoint) return endpoint.host;
  throw new Failure('PROVIDER_NOT_FOUND', {
    detail: `The branch ${branch.name} of the Neon project ${project} has no read-write compute, so nothing can connect to it.`,
    fix: 'Add a compute to the branch in the Neon console, or delete the branch so that pilotfish makes it anew with one.',
  });
}

/** The only role or database. Where there are several, a guess could give the wrong rights or the wrong data. */
async function theOnly(
  io: Io,
  { project, branch }: ConnectionOf,
  kind: 'roles' | 'databases',
  param: 'role' | 'database',
): Promise<string> {
  const names = await readNames(io, project, branch.id, kind);
  const [name] = names;
  if (names.length === 1 && name !== undefined) return name;
  throw new Failure('PARAM_INVALID', {
    detail:
      names.length === 0
        ? `The branch ${branch.name} has no ${param}, so it has no connection string.`
        : `The branch ${branch.name} has ${names.length} ${kind}: ${names.join(', ')}. pilotfish cannot tell which one to connect with.`,
    fix: names.length === 0 ? `Create a ${param} on the parent branch.` : `Add \`${param}:\` with one of them.`,
  });
}
