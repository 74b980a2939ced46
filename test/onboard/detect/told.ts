import { z } from 'zod';

const evidence = z.array(z.string()).default([]);
const line = z.object({ id: z.string(), state: z.enum(['line', 'comment', 'there', 'new']) });
const service = z.object({ name: z.string(), evidence, deployables: z.array(z.string()).default([]), lines: z.array(line).default([]) });
const deployable = z.object({ folder: z.string(), name: z.string(), kind: z.string(), host: z.string().nullable(), evidence });
const made = z.object({ name: z.string(), host: z.string(), evidence: z.union([evidence, z.string()]).optional() });
const wire = z.object({ variable: z.string(), deployable: z.string(), from: z.string(), where: z.string() });

const told = z.object({
  next: z.object({ command: z.string().nullable(), why: z.string() }),
  detected: z.object({
    found: z.array(service),
    unsupported: z.array(service),
    engines: z.array(service).default([]),
    deployables: z.array(deployable).default([]),
    made_by_host: z.array(made).default([]),
    wired: z.array(wire).default([]),
    unread: z.array(z.object({ format: z.string(), file: z.string() })).default([]),
    assumed: z.boolean(),
    library: z.unknown().optional(),
    template: z.unknown().optional(),
  }),
});

/** The members of the document of `init --json` that are judged. */
export type Told = z.output<typeof told>['detected'];

export type NextStep = z.output<typeof told>['next'];

export type ToldService = Told['found'][number];

export const readTold = (text: string): Told => readDocument(text).detected;

export const readDocument = (text: string): z.output<typeof told> => told.parse(JSON.parse(text));

/** Every service that the document claims. */
export const claimsOf = (one: Told): readonly ToldService[] => [...one.found, ...one.unsupported, ...one.engines];

export const textsOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;
