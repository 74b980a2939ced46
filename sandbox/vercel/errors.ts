import { type Call, flawsOf, type Refusal, refuse, type Shape, Unreadable } from '../kit/index.ts';
import type { Project, VercelState } from './state.ts';

type AnyCall = Call<VercelState, unknown>;

export const error = (status: number, code: string, message: string, more: Readonly<Record<string, unknown>> = {}): Refusal =>
  refuse(status, { error: { code, message, ...more } });

export const badRequest = (message: string): Refusal => error(400, 'bad_request', message);
export const notFound = (message: string): Refusal => error(404, 'not_found', message);

/** A team's objects are reached with its id or slug, a personal account's without. */
export function checkTeam({ query, state }: AnyCall): void {
  const [id, slug] = [query.get('teamId'), query.get('slug')];
  const isRight = state.team === null ? id === null && slug === null : id === state.team.id || (id === null && slug === state.team.slug);
  if (!isRight) throw error(403, 'forbidden', 'Not authorized');
}

export function projectOf(call: AnyCall, idOrName: string): Project {
  checkTeam(call);
  const project = call.state.projects.find(({ id, name }) => id === idOrName || name === idOrName);
  if (!project) throw notFound('Project not found.');
  return project;
}

export function refuseWhileTransferring(project: Project): void {
  if (project.isTransferring) throw error(409, 'conflict', 'The project is being transferred and cannot be changed.');
}

/** A JSON body held to its shape, unknown properties included: the API refuses them. */
export function readBody(call: AnyCall, shape: Shape): unknown {
  if (call.contentType !== 'application/json') throw badRequest('Invalid request: the body must be JSON (content type application/json).');
  if (call.body instanceof Unreadable) throw badRequest('Invalid JSON');
  const [flaw] = flawsOf(call.body, shape);
  const at = flaw?.at.slice(1).replaceAll('/', '.');
  if (flaw?.problem === 'unknown') throw badRequest(`Invalid request: should NOT have additional property \`${at}\`.`);
  if (flaw?.problem === 'missing') throw badRequest(`Invalid request: missing required property \`${at}\`.`);
  if (flaw) throw badRequest(`Invalid request: \`${at || 'body'}\` should be ${flaw.expected}.`);
  return call.body;
}
