import { z } from 'zod';
import { ask } from '../../ops/answer.ts';
import type { Io } from '../../ops/bound.ts';
import type { ParamSpec } from '../../ops/op.ts';

const link = z.object({ sys: z.object({ id: z.string() }) });

/** The parts of Contentful's management API (v1) that an environment needs. */
export const environmentSchema = z.object({
  name: z.string(),
  sys: z.object({
    id: z.string(),
    version: z.number().int().optional(),
    status: link.optional(),
    /** Aliases that point to it. */
    aliases: z.array(link).optional(),
    /** Present where the id is that of an alias: the environment that the alias points to. */
    aliasedEnvironment: link.optional(),
    createdAt: z.string().optional(),
    updatedAt: z.string().optional(),
  }),
});
export type Environment = z.output<typeof environmentSchema>;

export const spacePath = (space: string): string => `/spaces/${encodeURIComponent(space)}`;
export const environmentsPath = (space: string): string => `${spacePath(space)}/environments`;
export const environmentPath = (space: string, id: string): string => `${environmentsPath(space)}/${encodeURIComponent(id)}`;

/** The environment as it is now. A shared read would show the state of the first look for ever. */
export async function readEnvironment(io: Io, path: string): Promise<Environment> {
  return await ask(io.http, { method: 'GET', path }, { purpose: 'read', signal: io.signal, share: false }, environmentSchema);
}

/** The maker of an object chooses its id, and ids never change. */
export const idPattern = '^[A-Za-z0-9._-]{1,64}$';

export const spaceId: ParamSpec = {
  type: 'string',
  required: true,
  pattern: idPattern,
  doc: 'Id of the space.',
  todo: 'Contentful web app: Settings, General settings, Space ID.',
  example: 'cfexampleapi',
};
